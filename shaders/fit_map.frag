#version 300 es
// memfit - SPDX-License-Identifier: Apache-2.0
//
// The fit map. Each texel holds, for three limits, need / limit: it fits up to 1. Between texels the
// need grows evenly with tokens and requests, and both double from texel to texel (or nearly): it is
// interpolated here, by amounts and not by places, which makes borders smooth curves from few texels;
// 32-bit textures are not filtered without an extension anyway.
precision highp float;
precision highp sampler2D;

uniform sampler2D u_ratios;
uniform vec3 u_colors[4];  // within the first limit, the second, the third, beyond
uniform vec3 u_line;
uniform vec2 u_step;       // log2 of a texel's place to that of the one before, along each axis

in vec2 v_at;
out vec4 color;

vec3 ratios(vec2 at) {
  ivec2 last = textureSize(u_ratios, 0) - 1;
  vec2 place = at * vec2(last);
  ivec2 low = clamp(ivec2(floor(place)), ivec2(0), last);
  ivec2 high = min(low + 1, last);
  // From how far along on the logarithmic axis to how far along in amount.
  vec2 part = (exp2(u_step * (place - vec2(low))) - 1.0) / (exp2(u_step) - 1.0);
  vec3 below = mix(texelFetch(u_ratios, low, 0).rgb,
                   texelFetch(u_ratios, ivec2(high.x, low.y), 0).rgb, part.x);
  vec3 above = mix(texelFetch(u_ratios, ivec2(low.x, high.y), 0).rgb,
                   texelFetch(u_ratios, high, 0).rgb, part.x);
  return mix(below, above, part.y);
}

void main() {
  vec3 over = ratios(v_at) - 1.0;
  // Distances to the borders in pixels, their edges one pixel soft.
  vec3 pixels = over / max(fwidth(over), vec3(1e-6));
  vec3 beyond = clamp(pixels + 0.5, 0.0, 1.0);
  vec3 ground = mix(u_colors[0], u_colors[1], beyond.x);
  ground = mix(ground, u_colors[2], beyond.y);
  ground = mix(ground, u_colors[3], beyond.z);
  // The first limit's border is the one that matters: it is drawn wider.
  vec3 widths = vec3(1.25, 0.6, 0.6);
  vec3 lines = clamp(widths + 0.5 - abs(pixels), 0.0, 1.0) * vec3(1.0, 0.55, 0.55);
  ground = mix(ground, u_line, max(lines.x, max(lines.y, lines.z)));
  color = vec4(ground, 1.0);
}
