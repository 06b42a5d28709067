// memfit - SPDX-License-Identifier: Apache-2.0
//
// quantization_config in its many shapes (GPTQ, AWQ, bitsandbytes, fp8, compressed-tensors, mxfp4,
// ModelOpt, Quark, MLX), and ModelOpt's separate hf_quant_config.json.
#pragma once

#include <string_view>

#include "model/config_view.h"
#include "model/model.h"

namespace memfit {

// `root` is the whole config, `text` its language model; either may hold the quantization.
// `separate` is the text of hf_quant_config.json, or empty.
Result<Quantization> readQuantization(const ConfigView& root, const ConfigView& text,
                                      std::string_view separate);

}  // namespace memfit
