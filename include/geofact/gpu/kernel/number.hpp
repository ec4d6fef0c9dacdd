#pragma once
#include <cmath>
#include <limits>

#include "geofact/gpu/bfloat16.hpp"
#include "geofact/gpu/block.hpp"

/// \file
/// In the kernels `Scalar` is what is computed with, `Store` what the activations are stored as (Scalar or bfloat16).
/// Matrices are column-major without gaps; shapes stand at the right.

namespace geofact::gpu::kernel {

/// The least number (std::numeric_limits has host functions only).
template <class Scalar>
inline constexpr Scalar least = std::numeric_limits<Scalar>::lowest();

struct plus {
  template <class T>
  GEOFACT_HD T operator()(T a, T b) const {
    return a + b;
  }
};

}  // namespace geofact::gpu::kernel
