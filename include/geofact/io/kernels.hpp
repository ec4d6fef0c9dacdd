#pragma once
#include <algorithm>
#include <array>

#include "geofact/io/element.hpp"

namespace geofact::detail {

/// Lines of numbers in memory, at any alignment; the steps count elements.
struct plane {
  const std::byte* data;
  index lines, length, line_step, step;
};

/// Copies lines first .. first + lines - 1, one after the other; numbers of `Word`'s size.
template <class Word>
void gather_words(const plane& from, index first, index lines, std::byte* to) {
  constexpr index tile = 32, size = sizeof(Word);  // a tile of both sides stays in the cache
  const index length = from.length, line_step = from.line_step * size, step = from.step * size;
  const std::byte* const start = from.data + first * line_step;
  if (step == size || length == 1) {
    for (index i = 0; i < lines; ++i)
      std::memcpy(to + i * length * size, start + i * line_step, static_cast<std::size_t>(length * size));
    return;
  }
  for (index i0 = 0; i0 < lines; i0 += tile)
    for (index j0 = 0; j0 < length; j0 += tile)
      for (index i = i0; i < (std::min)(i0 + tile, lines); ++i)
        for (index j = j0; j < (std::min)(j0 + tile, length); ++j)
          std::memcpy(to + (i * length + j) * size, start + i * line_step + j * step, sizeof(Word));
}

/// gather_words() for numbers of `size` bytes.
inline void gather(const plane& from, index size, index first, index lines, std::byte* to) {
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
constexpr index lines_of_block(index lines, index length) {
  return (std::min)(lines, (std::max)(index{32}, 65536 / length));
}

/// Converts `count` numbers of `type` that lie one after the other to To. Returns the index of the first that does not
/// fit, or `count`.
template <element_type To>
index convert_from(element type, const std::byte* from, std::byte* to, index count) {
  return visit_element(type, [&](auto x) { return convert_all<decltype(x), To>(from, to, count); });
}

/// convert_from() to a type known at run time, by way of the widest type of the kind of `type`, which is exact.
inline index convert_between(element type, const std::byte* from, element wanted, std::byte* to, index count) {
  const auto through = [&]<class Wide>(Wide) {
    constexpr index chunk = 1024;
    std::array<std::byte, chunk * sizeof(Wide)> wide;
    for (index done = 0; done < count; done += chunk) {
      const index n = (std::min)(chunk, count - done);
      convert_from<Wide>(type, from + done * size_of(type), wide.data(), n);
      const index good = visit_element(wanted, [&](auto y) {
        return convert_all<Wide, decltype(y)>(wide.data(), to + done * static_cast<index>(sizeof(y)), n);
      });
      if (good < n) return done + good;
    }
    return count;
  };
  const bool is_real = visit_element(type, [](auto x) { return std::floating_point<decltype(value_of(x))>; });
  return is_real ? through(double{}) : through(std::int64_t{});
}

}  // namespace geofact::detail
