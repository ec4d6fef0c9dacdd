#pragma once
#include "geofact/io/tensor_view.hpp"

namespace geofact {

/// Calls take(bytes) for the numbers of a tensor in row-major order as `wanted`, block after block; memory for 32 lines
/// along the last axis is all it needs. Throws for a number that an integer type `wanted` cannot hold.
template <class Take>
void for_each_block(const tensor_view& from, element wanted, const Take& take) {
  const element type = from.type();
  if (from.count() == 0) return;
  if (type == wanted && from.is_row_major()) return take(from.bytes());
  if (from.axes() > 2) {
    for (index_t i = 0; i < from.shape()[0]; ++i) for_each_block(from.slice(i), wanted, take);
    return;
  }
  const auto at = [&](const std::vector<index_t>& v, int axis) {
    return axis < from.axes() ? v[static_cast<std::size_t>(axis)] : 1;
  };
  const index_t lines = at(from.shape(), 0), length = at(from.shape(), 1);
  const detail::plane plane{from.data(), lines, length, at(from.strides(), 0), at(from.strides(), 1)};
  const index_t block = detail::lines_of_block(lines, length);
  const auto bytes = [&](element t) { return static_cast<std::size_t>(block * length * size_of(t)); };
  std::vector<std::byte> gathered(bytes(type)), converted(type == wanted ? 0 : bytes(wanted));
  for (index_t first = 0; first < lines; first += block) {
    const index_t count = (std::min)(block, lines - first) * length;
    detail::gather(plane, size_of(type), first, count / length, gathered.data());
    if (type != wanted) {
      const index_t good = detail::convert_between(type, gathered.data(), wanted, converted.data(), count);
      if (good < count) from.refuse_number(gathered.data() + good * size_of(type), first * length + good, wanted);
    }
    const std::span<const std::byte> ready(type == wanted ? gathered : converted);
    take(ready.first(static_cast<std::size_t>(count * size_of(wanted))));
  }
}

}  // namespace geofact
