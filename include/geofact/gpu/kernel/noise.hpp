#pragma once
#include <cstdint>

#include "geofact/foundation/random.hpp"
#include "geofact/gpu/kernel/number.hpp"

/// \file
/// Gaussian noise on the entity table in units of its standard deviation, in three launches: sums of slices, sums of
/// squared deviations of slices, the noise. Every block adds up the (few) slices again, in their order.

namespace geofact::gpu::kernel {

/// random_stream::normal(i) without a double where Scalar is float: both logarithm and angle are taken from integers
/// that are small where the result is sensitive, so the relative error stays at that of Scalar.
template <class Scalar>
GEOFACT_HD Scalar normal(const random_stream& random, std::uint64_t i) {
  constexpr std::uint64_t one = std::uint64_t{1} << 54;  // uniform(i) = odd / one
  constexpr auto unit = static_cast<Scalar>(0x1p-54);
  const std::uint64_t first = (random.bits(2 * i) >> 11) * 2 + 1;  // -log(first / one)
  const Scalar logarithm = first < one / 2 ? std::log(static_cast<Scalar>(first) * unit)
                                           : std::log1p(-static_cast<Scalar>(one - first) * unit);
  const std::uint64_t second = (random.bits(2 * i + 1) >> 11) * 2 + 1;
  const std::uint64_t turn = second < one / 2 ? second : one - second;  // cos is even: an angle of at most pi
  return std::sqrt(-2 * logarithm) * cos_pi(2 * (static_cast<Scalar>(turn) * unit));
}

/// Numbers of a slice: at most about most_threads slices, so that adding them up again is short.
struct slices {
  index_t count, size;
  GEOFACT_HD int number() const { return static_cast<int>((count + size - 1) / size); }
  GEOFACT_HD int length(int s) const {
    const index_t rest = count - s * size;
    return static_cast<int>(rest < size ? rest : size);
  }

  template <block B, class Scalar>
  GEOFACT_HD Scalar mean(B& b, const Scalar* sums) const {
    Scalar part = 0;
    b.for_each(number(), [&](int s) { part += sums[s]; });
    return b.reduce(part, plus{}) / static_cast<Scalar>(count);
  }
};

/// Sums of the slices, or, where those are given, of the squared distances from their mean.
template <class Scalar>
struct sum_slices {
  slices of;
  const Scalar* x;       // (count)
  const Scalar* centre;  // sums of the slices; null: distances from 0, not squared
  Scalar* sums;          // (slices)

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    const Scalar mean = centre ? of.mean(b, centre) : Scalar{0};
    for (int s = b.index(); s < of.number(); s += b.count()) {
      Scalar part = 0;
      b.for_each(of.length(s), [&](int i) {
        const Scalar far = x[s * of.size + i] - mean;
        part += centre ? far * far : far;
      });
      const Scalar all = b.reduce(part, plus{});
      b.once([&] { sums[s] = all; });
    }
  }
};

/// noisy = x + share * deviation * normal
template <class Scalar>
struct add_noise {
  slices of;
  const Scalar* x;        // (count)
  const Scalar* squares;  // sums of squared distances of the slices
  Scalar share;
  random_stream random;
  Scalar* noisy;  // (count)

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    const Scalar size = share * std::sqrt(of.mean(b, squares));
    for (int s = b.index(); s < of.number(); s += b.count())
      b.for_each(of.length(s), [&](int i) {
        const index_t at = s * of.size + i;
        noisy[at] = x[at] + size * normal<Scalar>(random, static_cast<std::uint64_t>(at));
      });
  }
};

}  // namespace geofact::gpu::kernel
