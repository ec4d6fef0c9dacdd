#pragma once
#include <array>
#include <cmath>
#include <concepts>
#include <cstring>
#include <string_view>
#include <utility>

#include "geofact/foundation/extent.hpp"
#include "geofact/io/number.hpp"

namespace geofact {

/// The types of the numbers in files.
enum class element : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };

inline constexpr std::array elements = {element::f64, element::f32, element::f16, element::bf16, element::i64,
                                        element::i32, element::i16, element::i8,  element::u8,   element::boolean};

/// The name of a type, as safetensors writes it.
constexpr std::string_view name_of(element type) {
  constexpr std::array<std::string_view, elements.size()> names = {"F64", "F32", "F16", "BF16", "I64",
                                                                   "I32", "I16", "I8",  "U8",   "BOOL"};
  return names[static_cast<std::size_t>(type)];
}

template <class T>
concept element_real = std::same_as<T, double> || std::same_as<T, float>;
template <class T>
concept element_integer =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && (std::signed_integral<T> || sizeof(T) == 1);
template <class T>
concept element_truth = std::same_as<T, boolean> || std::same_as<T, bool>;

/// A type of numbers that files hold: double, float, float16, bfloat16, signed integers, bytes and truth values.
template <class T>
concept element_type =
    element_real<T> || element_integer<T> || element_truth<T> || std::same_as<T, float16> || std::same_as<T, bfloat16>;

/// The element that a C++ type is.
template <element_type T>
inline constexpr element element_of = [] {
  if constexpr (std::same_as<T, float16>) return element::f16;
  if constexpr (std::same_as<T, bfloat16>) return element::bf16;
  if constexpr (element_truth<T>) return element::boolean;
  if constexpr (std::floating_point<T>) return sizeof(T) == 8 ? element::f64 : element::f32;
  if constexpr (std::unsigned_integral<T>) return element::u8;
  return sizeof(T) == 8 ? element::i64 : sizeof(T) == 4 ? element::i32 : sizeof(T) == 2 ? element::i16 : element::i8;
}();

/// work(T{}) for the C++ type T that holds `type`.
template <class Work>
constexpr decltype(auto) visit_element(element type, const Work& work) {
  switch (type) {
    case element::f64:
      return work(double{});
    case element::f32:
      return work(float{});
    case element::f16:
      return work(float16{});
    case element::bf16:
      return work(bfloat16{});
    case element::i64:
      return work(std::int64_t{});
    case element::i32:
      return work(std::int32_t{});
    case element::i16:
      return work(std::int16_t{});
    case element::i8:
      return work(std::int8_t{});
    case element::u8:
      return work(std::uint8_t{});
    case element::boolean:
      break;
  }
  return work(boolean{});
}

/// Bytes of one number.
constexpr index_t size_of(element type) {
  return visit_element(type, [](auto x) { return static_cast<index_t>(sizeof(x)); });
}

/// The value of a number as a built-in type.
template <element_type T>
constexpr auto value_of(T x) {
  if constexpr (std::same_as<T, float16> || std::same_as<T, bfloat16>)
    return to_float(x);
  else if constexpr (std::same_as<T, boolean>)
    return static_cast<int>(x.byte != 0);
  else if constexpr (std::integral<T> && sizeof(T) < sizeof(int))
    return static_cast<int>(x);
  else
    return x;
}

/// Whether `To` can hold the value of `x`: every real type can, by rounding to nearest; integers must be met exactly.
template <element_type To, element_type From>
constexpr bool fits(From from) {
  const auto x = value_of(from);
  if constexpr (element_integer<To>) {
    if constexpr (std::integral<decltype(x)>)
      return std::in_range<To>(x);
    else {
      constexpr auto lowest = static_cast<decltype(x)>((std::numeric_limits<To>::min)());  // 0 or a power of two
      const auto end = 2 * static_cast<decltype(x)>(std::int64_t{1} << (std::numeric_limits<To>::digits - 1));
      return x >= lowest && x < end && x == std::trunc(x);
    }
  } else if constexpr (element_truth<To>) {
    return x == 0 || x == 1;
  } else {
    return true;
  }
}

/// `x` as another type of number; needs fits<To>(x).
template <element_type To, element_type From>
constexpr To convert(From from) {
  auto x = value_of(from);
  if constexpr (std::same_as<To, boolean>)
    return {static_cast<std::uint8_t>(x != 0)};
  else if constexpr (!std::same_as<To, float16> && !std::same_as<To, bfloat16>)
    return static_cast<To>(x);
  else {
    using real = std::conditional_t<std::integral<decltype(x)>, double, decltype(x)>;
    // More than 53 bits would be rounded twice: drop 11, and keep in the last bit left whether any of them was set.
    if constexpr (sizeof(x) == 8 && std::integral<decltype(x)>)
      if (x >> 53 != 0 && x >> 53 != -1) x = (x >> 11 | ((x & 2047) != 0)) * 2048;
    if constexpr (std::same_as<To, float16>)
      return to_float16(static_cast<real>(x));
    else
      return to_bfloat16(static_cast<real>(x));
  }
}

/// Converts `count` numbers that lie one after the other, at any alignment. Returns the index of the first that `To`
/// cannot hold, and then leaves the rest alone, or `count`.
template <element_type From, element_type To>
index_t convert_all(const std::byte* from, std::byte* to, index_t count) {
  for (index_t i = 0; i < count; ++i) {
    From x;
    std::memcpy(&x, from + i * static_cast<index_t>(sizeof(From)), sizeof(From));
    if constexpr (element_integer<To> || element_truth<To>)
      if (!fits<To>(x)) return i;
    const To y = convert<To>(x);
    std::memcpy(to + i * static_cast<index_t>(sizeof(To)), &y, sizeof(To));
  }
  return count;
}

}  // namespace geofact
