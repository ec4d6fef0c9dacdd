#pragma once
#include <array>
#include <charconv>
#include <string>
#include <system_error>

#include "geofact/foundation/error.hpp"

namespace geofact::detail {

/// The number that `text` is, the whole of it; throws otherwise.
template <class Number>
Number parsed(const std::string& text, const std::string& source) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  require(problem == std::errc() && end == text.data() + text.size(), source, " is \"", text, "\", no number in range");
  return number;
}

/// The shortest text that parsed() reads back as the same number.
template <class Number>
std::string printed(Number number) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

}  // namespace geofact::detail
