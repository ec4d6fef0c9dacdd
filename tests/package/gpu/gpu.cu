#include <geofact/gpu/cuda_device.cuh>
#include <geofact/gpu/reader.hpp>

template class geofact::gpu::reader<float, float, geofact::gpu::cuda_device>;
