#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "geofact/gpu/cuda_device.cuh"
#include "geofact/gpu/learner.hpp"

/// \file
/// gpu_step N R d m STEPS [float|tf32|bf16]: seconds of a full-batch training step (loss, gradient, AdamW) of the
/// paper's model on random functions, as one line of JSON. benchmarks/gpu/compare.py runs it beside PyTorch.

using namespace geofact;
using namespace geofact::gpu;

namespace {

template <class Store>
void measure(const sizes<>& n, int steps, const char* precision, const options& how) {
  questions asked{2, {}, {}};
  const random_stream random(1);
  for (int s = 0; s < n.entities; ++s)
    for (int r = 0; r < n.relations; ++r)
      asked.add(std::vector{s, n.entities + r},
                random.below(n.attributes, static_cast<std::uint64_t>(s) * static_cast<std::uint64_t>(n.relations) +
                                               static_cast<std::uint64_t>(r)));
  const auto device = std::make_shared<cuda_device>();
  learner<float, Store, cuda_device> one(device, n, {asked}, how);
  std::vector<float> weights(static_cast<std::size_t>(one.count())), zero(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(0.06 * random.normal(i));
  one.load(weights.data(), zero.data(), zero.data(), 0);
  recipe r;
  r.learning_rate = 1e-3;
  double loss = 0;
  const auto step = [&] {
    loss = one.gradient({}, 0, random).cross_entropy;
    one.update(r, r.learning_rate);
  };
  for (int i = 0; i < 5; ++i) step();  // loads kernels, records the step
  device->synchronize();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) step();
  device->synchronize();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / steps;
  const double q = static_cast<double>(asked.size()), tokens = n.entities + n.relations;
  const double flops = 6 * (n.attributes * q * n.output + q * n.hidden * n.output + tokens * n.hidden * n.width);
  std::printf(
      "{\"precision\": \"%s\", \"narrow\": %d, \"graph\": %d, \"workspace\": %lld, \"ms\": %.4f, "
      "\"tflops\": %.2f, \"loss\": %.4f}\n",
      precision, how.narrow, how.graph, static_cast<long long>(how.workspace), seconds * 1e3, flops / seconds * 1e-12,
      loss);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fputs("usage: gpu_step N R d m STEPS [float|tf32|bf16] [WORKSPACE_MIB] [plain]\n", stderr);
    return 2;
  }
  const int entities = std::atoi(argv[1]), relations = std::atoi(argv[2]), width = std::atoi(argv[3]),
            hidden = std::atoi(argv[4]), steps = std::atoi(argv[5]);
  const std::string precision = argc > 6 ? argv[6] : "float";
  const bool plain = argc > 8;  // no graph, no registers for narrow outputs
  const options how{.tf32 = precision == "tf32",
                    .narrow = !plain,
                    .graph = !plain,
                    .workspace = index_t{argc > 7 ? std::atoi(argv[7]) : 64} << 20};
  const sizes<> n{.entities = entities,
                  .relations = relations,
                  .width = width,
                  .hidden = hidden,
                  .layers = 1,
                  .output = width,
                  .attributes = entities};
  try {
    if (precision == "bf16")
      measure<bf16>(n, steps, precision.c_str(), how);
    else
      measure<float>(n, steps, precision.c_str(), how);
  } catch (const error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
