// memfit - SPDX-License-Identifier: Apache-2.0
//
// Dear ImGui's compile-time options, through IMGUI_USER_CONFIG: what a small page needs, nothing
// else.
#pragma once

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_DEFAULT_FONT  // our own faces are embedded (fonts.h)
#define IMGUI_DISABLE_FILE_FUNCTIONS
#define IMGUI_DISABLE_DEFAULT_FORMAT_FUNCTIONS  // imgui_format.cpp
#define IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS

// Settings files and typed numbers are ImGui's uses of sscanf, and the page has neither: numbers
// are read by the table of fields. It would bring 20 KB of floating-point scanning into the module.
// One use stays: the renderer reads the shading language's version out of "#version 300 es", and
// without it takes another dialect, which WebGL refuses.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
inline int memfitScan(const char* text, const char* format, void* out, ...) {
  constexpr char kVersion[] = "#version ";
  if (strcmp(format, "#version %d") != 0 || strncmp(text, kVersion, sizeof kVersion - 1) != 0)
    return 0;
  *static_cast<int*>(out) = atoi(text + sizeof kVersion - 1);
  return 1;
}
#define sscanf(...) memfitScan(__VA_ARGS__)

// What the renderer has to say of a shader goes to the console, without the C library's streams.
#ifdef __EMSCRIPTEN__
extern "C" void memfitHostComplain(const char* format, const char* what);
inline void memfitComplain(const char* format, const char* what = "", const char* = "") {
  memfitHostComplain(format, what);
}
#define fprintf(stream, ...) memfitComplain(__VA_ARGS__)
#endif

#define IMGUI_IMPL_OPENGL_ES3  // WebGL 2, not 1

// WebGL has no base vertex, so one window's triangles must be reachable with one index type.
#define ImDrawIdx unsigned int
