#pragma once
#if defined(__SSE2__) || defined(_M_X64)
  #define GEOFACT_HAS_MXCSR
  #include <xmmintrin.h>
#endif

namespace geofact {

/// While it lives, this thread and those that it starts take subnormal numbers, as operands and as results, for 0.
/// An x86 core does arithmetic on them in microcode, many times slower, and training makes many: a softmax
/// that is sure of its answer leaves e^-90 everywhere else. Does nothing on other processors.
class subnormals_are_zero {
#ifdef GEOFACT_HAS_MXCSR
 public:
  subnormals_are_zero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | bits); }
  ~subnormals_are_zero() { _mm_setcsr((_mm_getcsr() & ~bits) | (before_ & bits)); }  // keeps the flags raised since

 private:
  static constexpr unsigned bits = 0x8040;  // flush to zero, and denormals are zero
  unsigned before_;
#else
 public:
  subnormals_are_zero() {}  // not defaulted: an unused object would be warned of
#endif

 public:
  subnormals_are_zero(const subnormals_are_zero&) = delete;
  subnormals_are_zero& operator=(const subnormals_are_zero&) = delete;
};

}  // namespace geofact
