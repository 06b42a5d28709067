#version 300 es
// memfit - SPDX-License-Identifier: Apache-2.0
//
// A rectangle of the canvas, from its corners in clip space; no vertex buffer is needed.
uniform vec4 u_rect;  // left, bottom, right, top in clip space

out vec2 v_at;  // 0 to 1 across and up

void main() {
  v_at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(mix(u_rect.xy, u_rect.zw, v_at), 0.0, 1.0);
}
