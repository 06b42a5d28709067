// memfit - SPDX-License-Identifier: Apache-2.0
//
// Dear ImGui with no platform and no renderer: frames are laid out, and their draw data is read.
#pragma once

#include "app/draw/fonts.h"
#include "imgui.h"
#include "imgui_internal.h"

namespace memfit::app {

class Headless {
 public:
  Headless(float width, float height) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    io.DeltaTime = 1.0f / 60;
    io.ConfigErrorRecovery = true;
    resize(width, height);
    loadFonts();
  }
  ~Headless() { ImGui::DestroyContext(); }
  Headless(const Headless&) = delete;
  Headless& operator=(const Headless&) = delete;

  void resize(float width, float height) { ImGui::GetIO().DisplaySize = ImVec2(width, height); }

  // One frame of what `draw` draws; gives what it gives.
  template <typename Draw>
  auto frame(Draw draw) {
    ImGui::NewFrame();
    const auto result = draw();
    ImGui::Render();
    // What a renderer would do: the textures exist from here on.
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      if (texture->Status == ImTextureStatus_WantDestroy) {
        texture->SetTexID(ImTextureID_Invalid);
        texture->BackendUserData = nullptr;
        texture->SetStatus(ImTextureStatus_Destroyed);
      } else {
        texture->SetTexID(1);
        texture->SetStatus(ImTextureStatus_OK);
      }
    }
    return result;
  }
};

}  // namespace memfit::app
