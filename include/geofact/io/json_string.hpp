#pragma once
#include <string>
#include <string_view>

#include "geofact/foundation/error.hpp"

namespace geofact {

/// The bytes of the UTF-8 sequence that `text` begins with (RFC 3629), or 0 if it begins with none.
inline int utf8_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const auto is_tail = [&](std::size_t i, int low = 0x80, int high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const int lead = byte(0);
  if (lead < 0x80) return text.empty() ? 0 : 1;
  if (lead >= 0xC2 && lead <= 0xDF) return is_tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF)
    return is_tail(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && is_tail(2) ? 3 : 0;
  if (lead >= 0xF0 && lead <= 0xF4)
    return is_tail(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && is_tail(2) && is_tail(3) ? 4 : 0;
  return 0;
}

/// `text` as a JSON string. Throws, with `source`, where it is not UTF-8.
inline std::string json_string(std::string_view text, const std::string& source) {
  std::string word = "\"";
  for (auto rest = text; !rest.empty();) {
    const int length = utf8_bytes(rest);
    require(length > 0, source, ": the name \"", text, "\" is not UTF-8");
    constexpr std::string_view escaped = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt", digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(rest[0]);
    if (const auto i = escaped.find(rest[0]); i != escaped.npos)
      (word += '\\') += letters[i];
    else if (byte < 0x20)
      ((word += "\\u00") += digits[byte >> 4]) += digits[byte & 15U];
    else
      word += rest.substr(0, static_cast<std::size_t>(length));
    rest.remove_prefix(static_cast<std::size_t>(length));
  }
  return word + '"';
}

}  // namespace geofact
