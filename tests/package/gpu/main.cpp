#include <geofact/gpu/cuda_device.cuh>
#include <geofact/gpu/reader.hpp>
#include <iostream>

// Launches are in gpu.cu.
extern template class geofact::gpu::reader<float, float, geofact::gpu::cuda_device>;

int main() {
  using namespace geofact;
  try {
    const sizes<> n{.entities = 2, .relations = 1, .width = 1, .layers = 0, .output = 1, .attributes = 2};
    gpu::reader<float, float, gpu::cuda_device> reader(std::make_shared<gpu::cuda_device>(), n, 2, {});
    const float weights[] = {-1, 1, 0, -1, 1};  // E = (-1, 1), Er = 0, U = (-1, 1)'
    reader.load(weights);
    for (const auto& answer : reader.ask({2, {0, 2, 1, 2}, {0, 1}}, 0, 2)) std::cout << answer.attribute << '\n';
  } catch (const error& e) {
    if (gpu::cuda_devices() > 0) throw;
    std::cout << "linked, not run: " << e.what() << '\n';
  }
}
