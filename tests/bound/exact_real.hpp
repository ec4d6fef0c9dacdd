#pragma once
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "geofact/bound/problem.hpp"

// Logarithms to 256 bits: the oracle of the enclosures.

namespace bound = geofact::bound;
namespace mp = boost::multiprecision;
using bound::wide;
using exact_real = mp::number<mp::cpp_bin_float<256, mp::digit_base_2>>;

inline exact_real in_bits(wide units) {
  return mp::ldexp(exact_real(static_cast<std::int64_t>(units >> 64)), 0) +
         mp::ldexp(exact_real(static_cast<std::uint64_t>(units)), -64);
}
inline exact_real log2_exactly(const mp::cpp_int& n) { return mp::log(exact_real(n)) / mp::log(exact_real(2)); }

inline bool encloses(bound::enclosure x, const exact_real& truth) {
  return in_bits(x.low) <= truth && truth <= in_bits(x.high);
}
inline double width(bound::enclosure x) { return static_cast<double>(x.high - x.low) * 0x1p-64; }
