#pragma once

/// \file
/// What depends on the compiler.

/// What runs on the CPU and on the GPU alike.
#ifdef __CUDACC__
  #define GEOFACT_HD __host__ __device__
#else
  #define GEOFACT_HD
#endif
