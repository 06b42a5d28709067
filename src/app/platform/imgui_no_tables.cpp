// memfit - SPDX-License-Identifier: Apache-2.0
//
// Stands in for imgui_tables.cpp: our panels lay out their own rows, but ImGui's windows and its
// error recovery call what follows, and so would bring 17 KB of tables into the page. No table is
// ever begun, so there is none to end, and no columns to leave. A Dear ImGui that calls more of it
// does not link.
#include "imgui.h"
#include "imgui_internal.h"

namespace ImGui {

void EndColumns() {}
void EndTable() {}
void PopColumnsBackground() {}
void PushColumnsBackground() {}
void TableEndCell(ImGuiTable*) {}
void TableEndRow(ImGuiTable*) {}
void TableGcCompactSettings() {}
void TableGcCompactTransientBuffers(ImGuiTable*) {}
void TableGcCompactTransientBuffers(ImGuiTableTempData*) {}
void TablePopBackgroundChannel() {}
void TablePopColumnChannel() {}
void TablePushBackgroundChannel() {}
void TablePushColumnChannel(int) {}
void TableSettingsAddSettingsHandler() {}

}  // namespace ImGui
