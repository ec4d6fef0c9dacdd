#pragma once
#include "geofact/gpu/cuda_device.cuh"
#include "geofact/gpu/host_device.hpp"

/// A CUDA runtime and a cuBLAS for the linker: the calls that cuda_device makes, done by a host_device, which is strict
/// about extents, types and order. So the class for GPUs runs where there is none, faults and all.
namespace fake_cuda {

inline geofact::gpu::host_device<> machine;
inline cudaError_t finding_devices = cudaSuccess;
inline int devices = 1;
inline cudaError_t launching = cudaSuccess;
inline int alive = 0;  ///< streams, handles and graphs that were not given back
inline int replays = 0;

}  // namespace fake_cuda

template <class Kernel>
void geofact::gpu::cuda_device::launch(const Kernel& kernel, int blocks, int threads) {
  detail::cuda_check(fake_cuda::launching, "launching");
  fake_cuda::machine.launch(kernel, blocks, threads);
}
