#pragma once
#include <algorithm>
#include <array>

#include "geofact/io/element.hpp"

namespace geofact::detail {

/// Lines of numbers in memory, at any alignment; the steps count elements.
struct plane {
  const std::byte* data;
  index_t lines, length, line_step, step;
};

/// Copies lines first .. first + lines - 1, one after the other; numbers of `Word`'s size. Where the lines run across
/// the memory, a square of numbers at a time is turned in a buffer of its own: both sides are touched by cache lines.
template <class Word>
void gather_words(const plane& from, index_t first, index_t lines, std::byte* to) {
  constexpr index_t size = sizeof(Word), side = 64 / size;
  const index_t length = from.length, line_step = from.line_step * size, step = from.step * size;
  const std::byte* const start = from.data + first * line_step;
  if (step == size || length == 1) {
    for (index_t i = 0; i < lines; ++i)
      std::memcpy(to + i * length * size, start + i * line_step, static_cast<std::size_t>(length * size));
    return;
  }
  const auto copy = [&](index_t i0, index_t j0, index_t height, index_t width) {
    std::array<Word, static_cast<std::size_t>(side * side)> square;
    for (index_t j = 0; j < width; ++j)
      for (index_t i = 0; i < height; ++i)
        std::memcpy(&square[static_cast<std::size_t>(i * side + j)], start + (i0 + i) * line_step + (j0 + j) * step,
                    size);
    for (index_t i = 0; i < height; ++i)
      std::memcpy(to + ((i0 + i) * length + j0) * size, &square[static_cast<std::size_t>(i * side)],
                  static_cast<std::size_t>(width * size));
  };
  for (index_t i0 = 0; i0 < lines; i0 += side)
    for (index_t j0 = 0; j0 < length; j0 += side)
      if (i0 + side <= lines && j0 + side <= length)
        copy(i0, j0, side, side);
      else
        copy(i0, j0, (std::min)(side, lines - i0), (std::min)(side, length - j0));
}

/// gather_words() for numbers of `size` bytes.
inline void gather(const plane& from, index_t size, index_t first, index_t lines, std::byte* to) {
  switch (size) {
    case 8:
      return gather_words<std::uint64_t>(from, first, lines, to);
    case 4:
      return gather_words<std::uint32_t>(from, first, lines, to);
    case 2:
      return gather_words<std::uint16_t>(from, first, lines, to);
    default:
      return gather_words<std::uint8_t>(from, first, lines, to);
  }
}

/// How many lines of `length` numbers make a block: a few megabytes of them, or 32 where the lines are longer.
constexpr index_t lines_of_block(index_t lines, index_t length) {
  return (std::min)(lines, (std::max)(index_t{32}, 65536 / length));
}

/// Converts `count` numbers of `type` that lie one after the other to To. Returns the index of the first that does not
/// fit, or `count`.
template <element_type To>
index_t convert_from(element type, const std::byte* from, std::byte* to, index_t count) {
  return visit_element(type, [&](auto x) { return convert_all<decltype(x), To>(from, to, count); });
}

/// convert_from() to a type known at run time, by way of the widest type of the kind of `type`, which is exact.
inline index_t convert_between(element type, const std::byte* from, element wanted, std::byte* to, index_t count) {
  const auto through = [&]<class Wide>(Wide) {
    constexpr index_t chunk = 1024;
    std::array<std::byte, chunk * sizeof(Wide)> wide;
    for (index_t done = 0; done < count; done += chunk) {
      const index_t n = (std::min)(chunk, count - done);
      convert_from<Wide>(type, from + done * size_of(type), wide.data(), n);
      const index_t good = visit_element(wanted, [&](auto y) {
        return convert_all<Wide, decltype(y)>(wide.data(), to + done * static_cast<index_t>(sizeof(y)), n);
      });
      if (good < n) return done + good;
    }
    return count;
  };
  if (type == element::f64) return through(double{});
  if (type == element::f32 || type == element::f16 || type == element::bf16) return through(float{});
  return through(std::int64_t{});
}

}  // namespace geofact::detail
