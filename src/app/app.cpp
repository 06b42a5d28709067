// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/app.h"

#include <algorithm>

#include "app/fonts.h"
#include "imgui.h"

namespace memfit::app {
namespace {

std::string& currentQuery() {
  static std::string text;
  return text;
}

}  // namespace

void start(std::string_view query) { currentQuery() = query; }

void setQuery(std::string_view query) { currentQuery() = query; }

float draw(const Surface& surface) {
  if (surface.dark) {
    ImGui::StyleColorsDark();
  } else {
    ImGui::StyleColorsLight();
  }
  // As tall as the content was; ImGui's own automatic height ends at the canvas's.
  static float contentHeight = 0;
  ImGui::SetNextWindowPos(ImVec2(0, -surface.scrollTop));
  ImGui::SetNextWindowSize(ImVec2(surface.width, std::max(surface.height, contentHeight)));
  ImGui::Begin("memfit", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PushFont(fonts().semibold, 28.0f);
  ImGui::TextUnformatted("memfit");
  ImGui::PopFont();
  ImGui::TextWrapped("%s", currentQuery().c_str());
  contentHeight = ImGui::GetCursorPosY();
  ImGui::End();
  return contentHeight;
}

std::string query() { return currentQuery(); }

std::string report() { return "{}"; }

}  // namespace memfit::app
