#include "../kernel_cases.hpp"
#include "../product_cases.hpp"
#include "cases.hpp"
#include "geofact/gpu/learner.hpp"
#include "geofact/gpu/reader.hpp"

template class geofact::gpu::learner<float, float, geofact::gpu::cuda_device>;
template class geofact::gpu::learner<float, geofact::gpu::bf16, geofact::gpu::cuda_device>;
template class geofact::gpu::reader<float, float, geofact::gpu::cuda_device>;

namespace cases {

double worst_kernel(cuda_device& device, int rows, int columns, int blocks, int threads, bool half) {
  const kernel_cases::size n{rows, columns, blocks, threads};
  return half ? kernel_cases::all_kernels<bf16, float>(device, n) : kernel_cases::all_kernels<float, float>(device, n);
}

int wrong_products(cuda_device& device) {
  namespace all = product_cases;
  return all::wrong_products<double, double>(device, false) + all::wrong_products<float, float>(device, false) +
         all::wrong_products<float, float>(device, true) + all::wrong_products<bf16, float>(device, false) +
         all::wrong_products<bf16, bf16>(device, false);
}

void read_outside(cuda_device& device) {
  const kernel::convert<float, float> bad{1, nullptr, nullptr};
  device.launch(bad, 1, warp);
}

}  // namespace cases
