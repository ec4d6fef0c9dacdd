#pragma once
#include <algorithm>
#include <string>

#include "geofact/gpu/kernel/layer.hpp"
#include "geofact/gpu/kernel/noise.hpp"
#include "geofact/gpu/tables.hpp"

namespace geofact::gpu {

/// The embeddings of a model with Gaussian noise on those of the entities, which come first.
template <class Scalar, device Device>
class noisy_embeddings {
 public:
  /// Draws them anew: the numbers of with_entity_noise (training/backend.hpp).  all (width, tokens and positions)
  void draw(Device& device, const view<const Scalar>& all, int entities, Scalar share, const random_stream& random) {
    const index_t count = index_t{all.rows} * entities, rest = index_t{all.rows} * (all.columns - entities);
    const kernel::slices of{count, (std::max)(index_t{4096}, count / most_threads + 1)};
    if (embeddings_.size() == 0) {
      embeddings_ = {device, count + rest, "embeddings with noise"};
      sums_ = {device, of.number(), "sums of embeddings"};
      squares_ = {device, of.number(), "squares of embeddings"};
    }
    const kernel::convert<Scalar, Scalar> copy{rest, all.data + count, embeddings_.data() + count};
    if (rest > 0) device.launch(copy, copy.blocks(), most_threads);
    using sums = kernel::sum_slices<Scalar>;
    device.launch(sums{of, all.data, nullptr, sums_.data()}, of.number(), most_threads);
    device.launch(sums{of, all.data, sums_.data(), squares_.data()}, of.number(), most_threads);
    device.launch(kernel::add_noise<Scalar>{of, all.data, squares_.data(), share, random, embeddings_.data()},
                  of.number(), most_threads);
  }

  const Scalar* data() const { return embeddings_.data(); }

 private:
  buffer<Scalar, Device> embeddings_, sums_, squares_;
};

}  // namespace geofact::gpu
