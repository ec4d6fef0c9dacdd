#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "../temporary_files.hpp"
#include "geofact/io/tensor_view.hpp"

namespace files {

using geofact::element;

/// The files that NumPy and safetensors wrote (tests/io/make_fixtures.py).
inline std::string fixture(const std::string& name) { return GEOFACT_DATA "/../../tests/io/data/" + name; }

/// The sentence with which `work` is refused, or "".
template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const geofact::error& e) {
    return e.what();
  }
  return "";
}

struct kind {
  std::string name;
  std::vector<geofact::index_t> shape;
};
inline const std::vector<kind> kinds = {{"0d", {}},      {"1d", {5}},        {"2d", {3, 4}},   {"3d", {2, 3, 4}},
                                        {"row", {1, 5}}, {"column", {5, 1}}, {"empty", {0, 3}}};

/// pattern() of make_fixtures.py, one number at a time.
inline double pattern(element type, geofact::index_t k) {
  const auto v = static_cast<int>((37 * k + 11) % 101);
  switch (type) {
    case element::u8:
      return v;
    case element::boolean:
      return v % 2;
    case element::i64:
    case element::i32:
    case element::i16:
    case element::i8:
      return v - 50;
    default:
      return (v - 50) / 4.0;
  }
}

/// The numbers of a pattern in row-major order, as doubles.
inline std::vector<double> pattern_numbers(element type, const std::vector<geofact::index_t>& shape) {
  std::vector<double> numbers;
  for (geofact::index_t k = 0; k < geofact::count_of(shape); ++k) numbers.push_back(pattern(type, k));
  return numbers;
}

/// The numbers of any tensor in row-major order, read one by one with strides alone.
inline void append_numbers(const geofact::tensor_view& t, std::vector<double>& numbers) {
  if (t.axes() > 0) {
    for (geofact::index_t i = 0; i < t.shape()[0]; ++i) append_numbers(t.slice(i), numbers);
    return;
  }
  geofact::visit_element(t.type(), [&](auto x) {
    std::memcpy(&x, t.data(), sizeof(x));
    numbers.push_back(static_cast<double>(geofact::value_of(x)));
  });
}
inline std::vector<double> numbers_of(const geofact::tensor_view& t) {
  std::vector<double> numbers;
  append_numbers(t, numbers);
  return numbers;
}

}  // namespace files
