// memfit - SPDX-License-Identifier: Apache-2.0
//
// dear imgui: Platform Backend for a canvas in a web page
// This needs to be used along with a Renderer (stock imgui_impl_opengl3 in its ES 3 form: WebGL 2),
// and with web/host.js, which owns every DOM listener and hands events over through the functions
// below.
//
// Implemented features:
//  [X] Platform: Pointer events: mouse, pen and touch discerned (io.AddMouseSourceEvent), capture
//  while dragging. [X] Platform: Touch: a vertical drag scrolls the window under it, with momentum;
//  the page's own
//      scrolling stays the browser's.
//  [X] Platform: Wheel taken only where a window can still scroll that way.
//  [X] Platform: Keyboard by physical position (KeyboardEvent.code), letters by layout
//  (KeyboardEvent.key). [X] Platform: Text by a hidden <input>: IME, dead keys, soft keyboards
//  (io.PlatformImeData gives its place). [X] Platform: Clipboard through the DOM's copy, cut and
//  paste events. [X] Platform: Mouse cursor shapes (ImGuiBackendFlags_HasMouseCursors). [X]
//  Platform: Fractional and changing pixel ratios (io.DisplayFramebufferScale); coordinates are CSS
//  pixels. [X] Platform: Repaints on demand: ImGui_ImplWeb_WantsFrame() tells whether anything
//  still moves.
// Missing features:
//  [ ] Platform: Gamepad. There is nothing here to play.
//  [ ] Platform: Multi-viewport. A page has one canvas.
#pragma once

#include "imgui.h"

#ifndef IMGUI_DISABLE

IMGUI_IMPL_API bool ImGui_ImplWeb_Init();
IMGUI_IMPL_API void ImGui_ImplWeb_Shutdown();
// `now_ms` is requestAnimationFrame's or performance.now()'s.
IMGUI_IMPL_API void ImGui_ImplWeb_NewFrame(double now_ms);

// After Render(): whether another frame is needed although no event comes: queued input that ImGui
// takes frame by frame, held keys and buttons, momentum, a tooltip's delay.
IMGUI_IMPL_API bool ImGui_ImplWeb_WantsFrame();

// Momentum and the like stop when the reader asked for reduced motion.
IMGUI_IMPL_API void ImGui_ImplWeb_SetReducedMotion(bool reduced);

// The item in hand takes vertical touch drags too (a map, say): call each frame while it is active.
IMGUI_IMPL_API void ImGui_ImplWeb_KeepTouch();

// Events, as web/host.js delivers them. Texts are UTF-8 and zero-terminated.
extern "C" {
// The canvas: its size in CSS pixels and in pixels of the drawing buffer.
void ImGui_ImplWeb_OnResize(float css_width, float css_height, int pixel_width, int pixel_height);
void ImGui_ImplWeb_OnFocus(int focused);
// source: 0 mouse, 1 touch, 2 pen (ImGuiMouseSource's order); button: as in MouseEvent.button.
void ImGui_ImplWeb_OnPointerMove(float x, float y, int source);
void ImGui_ImplWeb_OnPointerButton(int button, int down, int source);
void ImGui_ImplWeb_OnPointerLeave();
// Right after a touch has begun and a frame has seen it: 1 when it is ours to handle, 0 when the
// page may scroll with it.
int ImGui_ImplWeb_OwnsTouch();
// In lines, positive towards the right and down. 1 when taken: the page must not scroll too.
int ImGui_ImplWeb_OnWheel(float x, float y);
// modifiers: 1 Ctrl, 2 Shift, 4 Alt, 8 Meta. 1 when the browser's own action must not follow.
int ImGui_ImplWeb_OnKey(const char* code, const char* key, int modifiers, int down);
void ImGui_ImplWeb_OnText(const char* text);
// 'c' copy, 'x' cut: presses the keys; after a frame ImGui_ImplWeb_Clipboard() has the text.
// 'v' paste: `text` is what the page's clipboard holds.
void ImGui_ImplWeb_OnClipboard(int action, const char* text);
// What was copied last, or null when nothing was since the last call.
const char* ImGui_ImplWeb_TakeClipboard();
// macOS shortcuts: Cmd in place of Ctrl, Alt jumps words.
void ImGui_ImplWeb_SetApple(int apple);
int ImGui_ImplWeb_WantsText();
// Whether Escape has something to close here before it releases the canvas.
int ImGui_ImplWeb_WantsEscape();
}

#endif  // #ifndef IMGUI_DISABLE
