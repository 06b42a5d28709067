// memfit - SPDX-License-Identifier: Apache-2.0
#include <GLES3/gl3.h>

#include <cmath>

#include "app/draw/theme.h"
#include "app/map/fit_map_gpu.h"
#include "app/map/shaders.h"
#include "imgui.h"

namespace memfit::app {
namespace {

struct Painter {
  int generation = -1;
  int version = -1;
  GLuint program = 0;
  GLuint vertices = 0;
  GLuint texture = 0;
  GLint rectPlace = -1, colorsPlace = -1, linePlace = -1, stepPlace = -1;
  // What the callback draws; set when the frame is laid out.
  Rect rect;
  const FitMap* map = nullptr;
  int wantedVersion = 0;
};
Painter& painter() {
  static Painter painter;
  return painter;
}

GLuint compile(GLenum kind, const char* source) {
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  return shader;
}

// Objects of a context that was lost are gone with it: they are made anew, not deleted.
void make(Painter& p) {
  p.program = glCreateProgram();
  const GLuint vertex = compile(GL_VERTEX_SHADER, kFitMapVertexShader);
  const GLuint fragment = compile(GL_FRAGMENT_SHADER, kFitMapFragmentShader);
  glAttachShader(p.program, vertex);
  glAttachShader(p.program, fragment);
  glLinkProgram(p.program);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  p.rectPlace = glGetUniformLocation(p.program, "u_rect");
  p.colorsPlace = glGetUniformLocation(p.program, "u_colors");
  p.linePlace = glGetUniformLocation(p.program, "u_line");
  p.stepPlace = glGetUniformLocation(p.program, "u_step");
  glGenVertexArrays(1, &p.vertices);
  glGenTextures(1, &p.texture);
  p.version = -1;
}

void upload(Painter& p) {
  glBindTexture(GL_TEXTURE_2D, p.texture);
  if (p.version == p.wantedVersion) return;
  p.version = p.wantedVersion;
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, p.map->x.n, p.map->y.n, 0, GL_RGBA, GL_FLOAT,
               p.map->ratios.data());
}

void setColor(float* out, Rgb rgb) {
  out[0] = static_cast<float>(rgb >> 16 & 255) / 255;
  out[1] = static_cast<float>(rgb >> 8 & 255) / 255;
  out[2] = static_cast<float>(rgb & 255) / 255;
}

void paint(const ImDrawList*, const ImDrawCmd* command) {
  Painter& p = painter();
  if (p.map == nullptr) return;
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 size = io.DisplaySize;
  const ImVec2 scale = io.DisplayFramebufferScale;
  const ImVec4 clip = command->ClipRect;
  const int left = static_cast<int>(clip.x * scale.x);
  const int bottom = static_cast<int>((size.y - clip.w) * scale.y);
  const int width = static_cast<int>((clip.z - clip.x) * scale.x);
  const int height = static_cast<int>((clip.w - clip.y) * scale.y);
  if (width <= 0 || height <= 0) return;
  // What ImGui's renderer sets once a frame is put back below; texture and scissor it sets for each
  // of its commands. Its ResetRenderState sets everything anew, at some thirty calls a frame.
  GLint program = 0, vertices = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &program);
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertices);
  glScissor(left, bottom, width, height);
  glDisable(GL_BLEND);
  glUseProgram(p.program);
  glBindVertexArray(p.vertices);
  glActiveTexture(GL_TEXTURE0);
  upload(p);
  glUniform4f(p.rectPlace, 2 * p.rect.x / size.x - 1, 1 - 2 * p.rect.bottom() / size.y,
              2 * p.rect.right() / size.x - 1, 1 - 2 * p.rect.y / size.y);
  const Palette& c = colors();
  float grounds[12];
  const Rgb rgbs[] = {c.mapFits, c.mapMore, c.mapMost, c.mapNone};
  for (int i = 0; i < 4; ++i) setColor(grounds + 3 * i, rgbs[i]);
  glUniform3fv(p.colorsPlace, 4, grounds);
  float line[3];
  setColor(line, c.text);
  glUniform3fv(p.linePlace, 1, line);
  glUniform2f(p.stepPlace, static_cast<float>(std::log2(ratioOf(p.map->x))),
              static_cast<float>(std::log2(ratioOf(p.map->y))));
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glEnable(GL_BLEND);
  glUseProgram(static_cast<GLuint>(program));
  glBindVertexArray(static_cast<GLuint>(vertices));
}

}  // namespace

void paintFitMap(const Rect& rect, const FitMap& map, int version, int generation) {
  if (isHidden(rect)) return;
  Painter& p = painter();
  if (p.generation != generation) {
    make(p);
    p.generation = generation;
  }
  p.rect = rect;
  p.map = &map;
  p.wantedVersion = version;
  canvas()->AddCallback(paint, nullptr);
}

}  // namespace memfit::app
