#pragma once
#include <cmath>
#include <limits>

#include "geofact/gpu/bf16.hpp"
#include "geofact/gpu/block.hpp"

/// \file
/// In the kernels `Scalar` is what is computed with, `Store` what the activations are stored as (Scalar or bf16).
/// Matrices are column-major without gaps; shapes stand at the right.

namespace geofact::gpu::kernel {

/// The least number (std::numeric_limits has host functions only).
template <class Scalar>
inline constexpr Scalar least = std::numeric_limits<Scalar>::lowest();

/// cos(pi x) for |x| <= 1. The GPU's cospi, unlike its cos, needs no double precision for large arguments.
template <class Scalar>
GEOFACT_HD Scalar cos_pi(Scalar x) {
#ifdef __CUDA_ARCH__
  return ::cospi(x);
#else
  return std::cos(static_cast<Scalar>(3.14159265358979323846) * x);
#endif
}

struct plus {
  template <class T>
  GEOFACT_HD T operator()(T a, T b) const {
    return a + b;
  }
};

}  // namespace geofact::gpu::kernel
