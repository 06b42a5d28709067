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

// On the page, rounded corners and circles take their sines from the browser: the C library's bring
// 6 KB of tables and range reduction into the module, for some sixty calls a frame.
#ifdef __EMSCRIPTEN__
#include <emscripten/em_math.h>
#include <math.h>
#define IMGUI_DISABLE_DEFAULT_MATH_FUNCTIONS
#define ImFabs(X) fabsf(X)
#define ImSqrt(X) sqrtf(X)
#define ImCeil(X) ceilf(X)
#define ImFmod(X, Y) ((X)-truncf((X) / (Y)) * (Y))
#define ImCos(X) static_cast<float>(emscripten_math_cos(X))
#define ImSin(X) static_cast<float>(emscripten_math_sin(X))
#define ImAcos(X) static_cast<float>(emscripten_math_acos(X))
#define ImAtan2(Y, X) static_cast<float>(emscripten_math_atan2((Y), (X)))
#define ImAtof(STR) atof(STR)
inline float ImPow(float x, float y) { return static_cast<float>(emscripten_math_pow(x, y)); }
inline double ImPow(double x, double y) { return emscripten_math_pow(x, y); }
inline float ImLog(float x) { return static_cast<float>(emscripten_math_log(x)); }
inline double ImLog(double x) { return emscripten_math_log(x); }
inline int ImAbs(int x) { return x < 0 ? -x : x; }
inline float ImAbs(float x) { return fabsf(x); }
inline double ImAbs(double x) { return fabs(x); }
inline float ImSign(float x) { return (x < 0.0f) ? -1.0f : (x > 0.0f) ? 1.0f : 0.0f; }
inline double ImSign(double x) { return (x < 0.0) ? -1.0 : (x > 0.0) ? 1.0 : 0.0; }
inline float ImRsqrt(float x) { return 1.0f / sqrtf(x); }
inline double ImRsqrt(double x) { return 1.0 / sqrt(x); }
#endif
