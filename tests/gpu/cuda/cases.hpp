#pragma once
#include "geofact/gpu/cuda_device.cuh"

/// What nvcc compiles for the tests on a GPU.
namespace cases {

using namespace geofact::gpu;

/// Every kernel on the GPU at one size: the worst error.
double worst_kernel(cuda_device& device, int rows, int columns, int blocks, int threads, bool half);

/// How many numbers of small products are wrong.
int wrong_products(cuda_device& device);

/// Launches a kernel that reads at address 0.
void read_outside(cuda_device& device);

}  // namespace cases
