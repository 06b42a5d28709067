// memfit - SPDX-License-Identifier: Apache-2.0
//
// Dear ImGui's formatting (IMGUI_DISABLE_DEFAULT_FORMAT_FUNCTIONS): what it and we use of printf,
// for names of windows and texts of tips: %s, %.*s, %d, %u, %c, %%, and %x and %X with zeros in
// front. The C library's would bring 10 KB into the page. Numbers that readers see are formatted by
// number_format.h.
#include <cstdarg>
#include <cstddef>
#include <cstring>

#include "imgui.h"
#include "imgui_internal.h"

namespace {

// Writes what fits and counts all, as vsnprintf does.
struct Out {
  char* to;
  std::size_t size;
  std::size_t length = 0;

  void put(char c) {
    if (length + 1 < size) to[length] = c;
    ++length;
  }
  void put(const char* text, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) put(text[i]);
  }
  void putNumber(unsigned value, unsigned base, int width, char filler, const char* digits) {
    char reversed[12];
    int count = 0;
    do {
      reversed[count++] = digits[value % base];
      value /= base;
    } while (value != 0);
    for (int i = count; i < width; ++i) put(filler);
    while (count > 0) put(reversed[--count]);
  }
};

}  // namespace

int ImFormatStringV(char* buf, std::size_t buf_size, const char* fmt, va_list args) {
  Out out{buf, buf == nullptr ? 0 : buf_size};
  for (; *fmt != 0; ++fmt) {
    if (*fmt != '%') {
      out.put(*fmt);
      continue;
    }
    ++fmt;
    const char filler = *fmt == '0' ? '0' : ' ';
    int width = 0;
    for (; *fmt >= '0' && *fmt <= '9'; ++fmt) width = width * 10 + (*fmt - '0');
    int precision = -1;
    if (*fmt == '.' && fmt[1] == '*') {
      precision = va_arg(args, int);
      fmt += 2;
    }
    switch (*fmt) {
      case 's': {
        const char* text = va_arg(args, const char*);
        if (text == nullptr) text = "(null)";
        const std::size_t length = std::strlen(text);
        const auto most = static_cast<std::size_t>(precision);
        out.put(text, precision >= 0 && most < length ? most : length);
        break;
      }
      case 'd': {
        const int value = va_arg(args, int);
        const auto size = static_cast<unsigned>(value);
        if (value < 0) out.put('-');
        out.putNumber(value < 0 ? 0u - size : size, 10, width, filler, "0123456789");
        break;
      }
      case 'u': out.putNumber(va_arg(args, unsigned), 10, width, filler, "0123456789"); break;
      case 'x': out.putNumber(va_arg(args, unsigned), 16, width, filler, "0123456789abcdef"); break;
      case 'X': out.putNumber(va_arg(args, unsigned), 16, width, filler, "0123456789ABCDEF"); break;
      case 'c': out.put(static_cast<char>(va_arg(args, int))); break;
      case 0: --fmt; break;
      default: out.put(*fmt);
    }
  }
  if (buf == nullptr) return static_cast<int>(out.length);
  if (buf_size == 0) return 0;
  const std::size_t end = out.length < buf_size ? out.length : buf_size - 1;
  buf[end] = 0;
  return static_cast<int>(end);
}

int ImFormatString(char* buf, std::size_t buf_size, const char* fmt, ...) {
  va_list args;
  va_start(args, fmt);
  const int length = ImFormatStringV(buf, buf_size, fmt, args);
  va_end(args);
  return length;
}
