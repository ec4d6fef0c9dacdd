#pragma once
#include <cstdint>

#include "geofact/config.hpp"

namespace geofact::gpu {

/// A float without its last 16 bits, as CUDA_R_16BF: stored so, computed with as float. Rounds to nearest even.
struct bf16 {
  std::uint16_t bits = 0;

  bf16() = default;
  GEOFACT_HD explicit bf16(float x) {
    const auto all = word(x);
    const bool nan = (all & 0x7fffffffU) > 0x7f800000U;
    bits = static_cast<std::uint16_t>(nan ? (all >> 16 | 0x40U) : (all + 0x7fffU + (all >> 16 & 1U)) >> 16);
  }
  GEOFACT_HD operator float() const {
    const std::uint32_t all = std::uint32_t{bits} << 16;
    float x;
    __builtin_memcpy(&x, &all, sizeof x);
    return x;
  }

 private:
  GEOFACT_HD static std::uint32_t word(float x) {
    std::uint32_t all;
    __builtin_memcpy(&all, &x, sizeof all);
    return all;
  }
};

}  // namespace geofact::gpu
