// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/family.h"

namespace memfit {

void readTowers(FamilyReader&) {}

}  // namespace memfit
