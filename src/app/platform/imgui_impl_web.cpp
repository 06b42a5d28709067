// memfit - SPDX-License-Identifier: Apache-2.0
//
// dear imgui: Platform Backend for a canvas in a web page. See imgui_impl_web.h for what it does.

// CHANGELOG
// (minor and older changes stripped away, please see git history for details)
//  2026-11-29: First version, for Dear ImGui 1.92.

#include "app/platform/imgui_impl_web.h"

#include <emscripten/emscripten.h>
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>

#include "imgui_internal.h"

#ifndef IMGUI_DISABLE

// The page's side, defined by web/host_library.js.
extern "C" {
void memfitHostCursor(int cursor);
void memfitHostTextPlace(int wanted, float x, float y, float line_height);
}

namespace {

// A finger may tremble this much, in CSS pixels, and still tap.
constexpr float kTouchSlop = 8.0f;
// Momentum: speed left after one second, and the speed below which it ends (CSS pixels a second).
constexpr float kMomentumLeft = 0.02f;
constexpr float kMomentumEnd = 12.0f;

struct BackendData {
  double last_time = 0;
  bool was_idle = true;  // no frame was wanted after the last one
  bool reduced_motion = false;
  bool forget_pointer = false;  // a finger was lifted: nothing is hovered any more
  bool keep_touch = false;
  ImGuiMouseCursor last_cursor = ImGuiMouseCursor_COUNT;
  std::string clipboard;
  bool clipboard_changed = false;

  // A touch from down to up. The window is known by id, for it may be gone on the next frame.
  bool touching = false;
  bool touch_scrolls = false;
  ImGuiID touch_window = 0;
  ImVec2 touch_start;
  ImVec2 touch_last;
  double touch_time = 0;
  float velocity = 0;  // of the content, downwards, CSS pixels a second
};

BackendData* backendData() {
  return ImGui::GetCurrentContext() != nullptr
             ? static_cast<BackendData*>(ImGui::GetIO().BackendPlatformUserData)
             : nullptr;
}

struct KeyCode {
  const char* code;  // KeyboardEvent.code
  ImGuiKey key;
};

constexpr KeyCode kKeyCodes[] = {
    {"Enter", ImGuiKey_Enter},
    {"NumpadEnter", ImGuiKey_KeypadEnter},
    {"Escape", ImGuiKey_Escape},
    {"Backspace", ImGuiKey_Backspace},
    {"Delete", ImGuiKey_Delete},
    {"Insert", ImGuiKey_Insert},
    {"Space", ImGuiKey_Space},
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"ControlLeft", ImGuiKey_LeftCtrl},
    {"ControlRight", ImGuiKey_RightCtrl},
    {"ShiftLeft", ImGuiKey_LeftShift},
    {"ShiftRight", ImGuiKey_RightShift},
    {"AltLeft", ImGuiKey_LeftAlt},
    {"AltRight", ImGuiKey_RightAlt},
    {"MetaLeft", ImGuiKey_LeftSuper},
    {"MetaRight", ImGuiKey_RightSuper},
    {"Minus", ImGuiKey_Minus},
    {"Equal", ImGuiKey_Equal},
    {"NumpadAdd", ImGuiKey_KeypadAdd},
    {"NumpadSubtract", ImGuiKey_KeypadSubtract},
};

ImGuiKey findKey(const char* code, const char* key) {
  // Letters go by what is printed on the key: Ctrl+Z is where the reader's layout has its Z.
  if (key[0] != '\0' && key[1] == '\0') {
    const char upper =
        key[0] >= 'a' && key[0] <= 'z' ? static_cast<char>(key[0] - 'a' + 'A') : key[0];
    if (upper >= 'A' && upper <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (upper - 'A'));
    if (upper >= '0' && upper <= '9') return static_cast<ImGuiKey>(ImGuiKey_0 + (upper - '0'));
  }
  for (const KeyCode& entry : kKeyCodes) {
    if (std::strcmp(entry.code, code) == 0) return entry.key;
  }
  // Soft keyboards leave `code` empty; `key` has the same words for the keys that matter there.
  for (const KeyCode& entry : kKeyCodes) {
    if (std::strcmp(entry.code, key) == 0) return entry.key;
  }
  return ImGuiKey_None;
}

ImGuiMouseSource mouseSource(int source) {
  switch (source) {
    case 1: return ImGuiMouseSource_TouchScreen;
    case 2: return ImGuiMouseSource_Pen;
    default: return ImGuiMouseSource_Mouse;
  }
}

// The window that a wheel or finger over `hovered` would scroll: the first that has anything to
// scroll.
ImGuiWindow* scrollableWindow(ImGuiWindow* hovered, std::size_t axis) {
  for (ImGuiWindow* window = hovered; window != nullptr; window = window->ParentWindow) {
    if (window->ScrollMax[axis] > 0.0f &&
        (window->Flags & ImGuiWindowFlags_NoScrollWithMouse) == 0) {
      return window;
    }
    if ((window->Flags & ImGuiWindowFlags_ChildWindow) == 0) return nullptr;
  }
  return nullptr;
}

void setClipboardText(ImGuiContext*, const char* text) {
  BackendData* bd = backendData();
  bd->clipboard = text;
  bd->clipboard_changed = true;
}

const char* getClipboardText(ImGuiContext*) { return backendData()->clipboard.c_str(); }

void setImeData(ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* data) {
  memfitHostTextPlace(data->WantTextInput ? 1 : 0, data->InputPos.x, data->InputPos.y,
                      data->InputLineHeight);
}

void press(ImGuiKey key) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(key, true);
  io.AddKeyEvent(key, false);
}

void updateMomentum(BackendData* bd, float dt) {
  if (bd->touching || bd->velocity == 0.0f) return;
  ImGuiWindow* window = ImGui::FindWindowByID(bd->touch_window);
  if (window == nullptr || !window->WasActive || bd->reduced_motion) {
    bd->velocity = 0;
    return;
  }
  const float target = window->Scroll.y - bd->velocity * dt;
  ImGui::SetScrollY(window, std::clamp(target, 0.0f, window->ScrollMax.y));
  bd->velocity *= std::pow(kMomentumLeft, dt);
  if (target <= 0.0f || target >= window->ScrollMax.y || std::fabs(bd->velocity) < kMomentumEnd) {
    bd->velocity = 0;
  }
}

}  // namespace

bool ImGui_ImplWeb_Init() {
  ImGuiIO& io = ImGui::GetIO();
  IMGUI_CHECKVERSION();
  IM_ASSERT(io.BackendPlatformUserData == nullptr && "Already initialized a platform backend!");

  io.BackendPlatformUserData = IM_NEW(BackendData)();
  io.BackendPlatformName = "imgui_impl_web";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  // A blinking caret would draw for ever.
  io.ConfigInputTextCursorBlink = false;
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;

  ImGuiPlatformIO& platform_io = ImGui::GetPlatformIO();
  platform_io.Platform_SetClipboardTextFn = setClipboardText;
  platform_io.Platform_GetClipboardTextFn = getClipboardText;
  platform_io.Platform_SetImeDataFn = setImeData;
  return true;
}

void ImGui_ImplWeb_Shutdown() {
  BackendData* bd = backendData();
  IM_ASSERT(bd != nullptr && "No platform backend to shutdown, or already shutdown?");
  ImGuiIO& io = ImGui::GetIO();
  io.BackendPlatformName = nullptr;
  io.BackendPlatformUserData = nullptr;
  io.BackendFlags &= ~ImGuiBackendFlags_HasMouseCursors;
  ImGuiPlatformIO& platform_io = ImGui::GetPlatformIO();
  platform_io.Platform_SetClipboardTextFn = nullptr;
  platform_io.Platform_GetClipboardTextFn = nullptr;
  platform_io.Platform_SetImeDataFn = nullptr;
  IM_DELETE(bd);
}

void ImGui_ImplWeb_NewFrame(double now_ms) {
  BackendData* bd = backendData();
  IM_ASSERT(bd != nullptr &&
            "Context or backend not initialized! Did you call ImGui_ImplWeb_Init()?");
  ImGuiIO& io = ImGui::GetIO();

  // Clocks of browsers are coarse and may stand still: never zero. After a pause the true time
  // counts, up to a second, or else two clicks minutes apart would make a double click.
  const double elapsed = (now_ms - bd->last_time) / 1000.0;
  io.DeltaTime = static_cast<float>(std::clamp(elapsed, 0.001, bd->was_idle ? 1.0 : 0.1));
  bd->last_time = now_ms;
  bd->keep_touch = false;

  updateMomentum(bd, io.DeltaTime);

  ImGuiMouseCursor cursor = ImGui::GetMouseCursor();
  if (io.MouseDrawCursor) cursor = ImGuiMouseCursor_None;
  if (cursor != bd->last_cursor) {
    bd->last_cursor = cursor;
    memfitHostCursor(cursor);
  }
}

bool ImGui_ImplWeb_WantsFrame() {
  BackendData* bd = backendData();
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (bd->forget_pointer && g.InputEventsQueue.Size == 0) {
    // ImGui has seen the finger lifted; only now may the pointer go away, or the tap would be lost.
    bd->forget_pointer = false;
    ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  }
  bool held = false;
  for (const bool down : g.IO.MouseDown) held = held || (down && g.ActiveId != 0);
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key) {
    held = held || g.IO.KeysData[key - ImGuiKey_NamedKey_BEGIN].Down;
  }
  const bool tooltip =
      g.HoverItemDelayId != 0 && (g.HoverItemDelayTimer <= g.Style.HoverDelayNormal ||
                                  g.MouseStationaryTimer <= g.Style.HoverStationaryDelay);
  const bool dimming = g.DimBgRatio > 0.0f && g.DimBgRatio < 1.0f;
  const bool wants = g.InputEventsQueue.Size > 0 || held || tooltip || dimming ||
                     (!bd->touching && bd->velocity != 0.0f);
  bd->was_idle = !wants;
  return wants;
}

void ImGui_ImplWeb_SetReducedMotion(bool reduced) { backendData()->reduced_motion = reduced; }

void ImGui_ImplWeb_KeepTouch() { backendData()->keep_touch = true; }

EMSCRIPTEN_KEEPALIVE void ImGui_ImplWeb_OnResize(float css_width, float css_height, int pixel_width,
                                                 int pixel_height) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(css_width, css_height);
  // The true ratio of both sizes, not devicePixelRatio: they differ by rounding, and text would
  // blur.
  if (css_width > 0 && css_height > 0) {
    io.DisplayFramebufferScale = ImVec2(static_cast<float>(pixel_width) / css_width,
                                        static_cast<float>(pixel_height) / css_height);
  }
}

EMSCRIPTEN_KEEPALIVE void ImGui_ImplWeb_OnFocus(int focused) {
  BackendData* bd = backendData();
  ImGuiIO& io = ImGui::GetIO();
  io.AddFocusEvent(focused != 0);
  if (focused == 0) {
    io.ClearInputKeys();
    bd->touching = false;
    bd->velocity = 0;
  }
}

EMSCRIPTEN_KEEPALIVE void ImGui_ImplWeb_OnPointerMove(float x, float y, int source) {
  BackendData* bd = backendData();
  ImGuiIO& io = ImGui::GetIO();
  if (bd->touching) {
    const double now = emscripten_get_now();
    const ImVec2 moved(x - bd->touch_start.x, y - bd->touch_start.y);
    ImGuiWindow* window = bd->touch_window != 0 ? ImGui::FindWindowByID(bd->touch_window) : nullptr;
    if (!bd->touch_scrolls && window != nullptr && !bd->keep_touch &&
        std::fabs(moved.y) > kTouchSlop && std::fabs(moved.y) > std::fabs(moved.x)) {
      // It has become a scroll: whatever the finger had pressed is let go without a click.
      bd->touch_scrolls = true;
      ImGui::ClearActiveID();
      io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
      io.AddMouseButtonEvent(0, false);
    }
    if (bd->touch_scrolls && window != nullptr) {
      const float step = y - bd->touch_last.y;
      ImGui::SetScrollY(window, std::clamp(window->Scroll.y - step, 0.0f, window->ScrollMax.y));
      const double dt = std::clamp((now - bd->touch_time) / 1000.0, 0.004, 0.1);
      bd->velocity = 0.6f * (step / static_cast<float>(dt)) + 0.4f * bd->velocity;
    }
    bd->touch_last = ImVec2(x, y);
    bd->touch_time = now;
    if (bd->touch_scrolls) return;
  }
  io.AddMouseSourceEvent(mouseSource(source));
  io.AddMousePosEvent(x, y);
}

EMSCRIPTEN_KEEPALIVE void ImGui_ImplWeb_OnPointerButton(int button, int down, int source) {
  BackendData* bd = backendData();
  ImGuiIO& io = ImGui::GetIO();
  const bool touch = source == 1;
  // The DOM counts left, middle, right; ImGui left, right, middle.
  constexpr int kButtons[] = {0, 2, 1, 3, 4};
  if (button < 0 || button >= IM_ARRAYSIZE(kButtons)) return;
  if (touch && down == 0) {
    bd->touching = false;
    if (bd->touch_scrolls) {
      bd->touch_scrolls = false;
      // A finger that rested before it left throws nothing.
      if (emscripten_get_now() - bd->touch_time > 80.0) bd->velocity = 0;
      return;
    }
    bd->velocity = 0;
    bd->forget_pointer = true;
  }
  io.AddMouseSourceEvent(mouseSource(source));
  io.AddMouseButtonEvent(kButtons[button], down != 0);
  if (touch && down != 0) {
    bd->touching = true;
    bd->touch_scrolls = false;
    bd->forget_pointer = false;
    bd->velocity = 0;
    bd->touch_window = 0;
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const ImGuiInputEvent* last = nullptr;
    for (const ImGuiInputEvent& event : g.InputEventsQueue) {
      if (event.Type == ImGuiInputEventType_MousePos) last = &event;
    }
    bd->touch_start =
        last != nullptr ? ImVec2(last->MousePos.PosX, last->MousePos.PosY) : io.MousePos;
    bd->touch_last = bd->touch_start;
    bd->touch_time = emscripten_get_now();
  }
}

EMSCRIPTEN_KEEPALIVE int ImGui_ImplWeb_OwnsTouch() {
  BackendData* bd = backendData();
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGuiWindow* window = scrollableWindow(g.HoveredWindow, ImGuiAxis_Y);
  bd->touch_window = window != nullptr ? window->ID : 0;
  return window != nullptr || bd->keep_touch ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE void ImGui_ImplWeb_OnPointerLeave() {
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}

EMSCRIPTEN_KEEPALIVE int ImGui_ImplWeb_OnWheel(float x, float y) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool horizontal = std::fabs(x) > std::fabs(y);
  const std::size_t axis = horizontal ? ImGuiAxis_X : ImGuiAxis_Y;
  const float delta = horizontal ? x : y;
  const ImGuiWindow* window = scrollableWindow(g.HoveredWindow, axis);
  if (window == nullptr || delta == 0.0f) return 0;
  const bool can =
      delta > 0 ? window->Scroll[axis] < window->ScrollMax[axis] : window->Scroll[axis] > 0;
  if (!can) return 0;
  ImGui::GetIO().AddMouseWheelEvent(-x, -y);
  return 1;
}

EMSCRIPTEN_KEEPALIVE int ImGui_ImplWeb_OnKey(const char* code, const char* key, int modifiers,
                                             int down) {
  ImGuiIO& io = ImGui::GetIO();
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiKey found = findKey(code, key);
  io.AddKeyEvent(ImGuiMod_Ctrl, (modifiers & 1) != 0);
  io.AddKeyEvent(ImGuiMod_Shift, (modifiers & 2) != 0);
  io.AddKeyEvent(ImGuiMod_Alt, (modifiers & 4) != 0);
  io.AddKeyEvent(ImGuiMod_Super, (modifiers & 8) != 0);
  const bool command = (modifiers & (1 | 8)) != 0;
  const bool text = g.IO.WantTextInput;
  const bool popup = g.OpenPopupStack.Size > 0;

  // What ImGui never sees: the browser's shortcuts, and Tab, which leaves the canvas.
  bool ours = found != ImGuiKey_None;
  if (command && found >= ImGuiKey_A && found <= ImGuiKey_Z) {
    // Undo and redo everywhere, select all in a text; copy, cut and paste come as clipboard events.
    ours = found == ImGuiKey_Z || found == ImGuiKey_Y || (text && found == ImGuiKey_A);
  } else if (command && ((found >= ImGuiKey_0 && found <= ImGuiKey_9) || found == ImGuiKey_Minus ||
                         found == ImGuiKey_Equal || found == ImGuiKey_KeypadAdd ||
                         found == ImGuiKey_KeypadSubtract)) {
    ours = false;  // zoom and tabs
  } else if ((modifiers & 4) != 0 && !text &&
             (found == ImGuiKey_LeftArrow || found == ImGuiKey_RightArrow)) {
    ours = false;  // back and forward
  }
  if (!ours && down != 0) return 0;
  io.AddKeyEvent(found, down != 0);
  // On macOS no key-up comes for what was pressed together with Cmd.
  if (down == 0 && (found == ImGuiKey_LeftSuper || found == ImGuiKey_RightSuper))
    io.ClearInputKeys();
  if (down == 0) return 0;

  // A character key's own action is the text that it types.
  if (text && found != ImGuiKey_None && !command && key[0] != '\0' && key[1] == '\0') return 0;
  switch (found) {
    case ImGuiKey_LeftCtrl:
    case ImGuiKey_RightCtrl:
    case ImGuiKey_LeftShift:
    case ImGuiKey_RightShift:
    case ImGuiKey_LeftAlt:
    case ImGuiKey_RightAlt:
    case ImGuiKey_LeftSuper:
    case ImGuiKey_RightSuper: return 0;
    // The page's scrolling keys stay its own while nothing here is open or edited.
    case ImGuiKey_PageUp:
    case ImGuiKey_PageDown:
    case ImGuiKey_Home:
    case ImGuiKey_End: return popup || text ? 1 : 0;
    case ImGuiKey_LeftArrow:
    case ImGuiKey_RightArrow:
    case ImGuiKey_UpArrow:
    case ImGuiKey_DownArrow:
    case ImGuiKey_Space:
    case ImGuiKey_Enter:
    case ImGuiKey_KeypadEnter:
    case ImGuiKey_Escape: return 1;
    case ImGuiKey_Backspace:
    case ImGuiKey_Delete: return 0;
    default: return command ? 1 : 0;
  }
}

EMSCRIPTEN_KEEPALIVE void ImGui_ImplWeb_OnText(const char* text) {
  ImGui::GetIO().AddInputCharactersUTF8(text);
}

EMSCRIPTEN_KEEPALIVE void ImGui_ImplWeb_OnClipboard(int action, const char* text) {
  BackendData* bd = backendData();
  ImGuiIO& io = ImGui::GetIO();
  if (action == 'v') bd->clipboard = text;
  bd->clipboard_changed = false;
  // AddKeyEvent swaps Ctrl and Cmd on macOS, so there the shortcut is sent as Cmd.
  const ImGuiKey modifier = io.ConfigMacOSXBehaviors ? ImGuiMod_Super : ImGuiMod_Ctrl;
  io.AddKeyEvent(modifier, true);
  press(action == 'v' ? ImGuiKey_V : action == 'x' ? ImGuiKey_X : ImGuiKey_C);
  io.AddKeyEvent(modifier, false);
}

EMSCRIPTEN_KEEPALIVE const char* ImGui_ImplWeb_TakeClipboard() {
  BackendData* bd = backendData();
  if (!bd->clipboard_changed) return nullptr;
  bd->clipboard_changed = false;
  return bd->clipboard.c_str();
}

EMSCRIPTEN_KEEPALIVE void ImGui_ImplWeb_SetApple(int apple) {
  ImGui::GetIO().ConfigMacOSXBehaviors = apple != 0;
}

EMSCRIPTEN_KEEPALIVE int ImGui_ImplWeb_WantsText() { return ImGui::GetIO().WantTextInput ? 1 : 0; }

EMSCRIPTEN_KEEPALIVE int ImGui_ImplWeb_WantsEscape() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return g.OpenPopupStack.Size > 0 || g.ActiveId != 0 || g.IO.WantTextInput ? 1 : 0;
}

#endif  // #ifndef IMGUI_DISABLE
