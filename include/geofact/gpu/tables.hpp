#pragma once
#include <vector>

#include "geofact/gpu/device.hpp"
#include "geofact/model/layout.hpp"

namespace geofact::gpu {

/// How a backend works; none of this changes what a model is.
struct options {
  bool tf32 = false;                      ///< float products with 10 bits after the point, on the tensor cores
  bool atomic = false;                    ///< adjoints of embeddings by atomic additions, in no fixed order
  bool narrow = true;                     ///< the loss of outputs up to 32 from registers, not from stored logits
  bool graph = true;                      ///< a step over all questions is recorded once and replayed
  index_t workspace = index_t{64} << 20;  ///< bytes of activations that a tile of questions may take
};

/// The sizes of any model, as sizes that are all known at run time only.
template <shape S>
sizes<> run_time(const sizes<S>& n) {
  return {n.entities, n.relations,  n.positions, n.width, n.hidden, n.layers,
          n.output,   n.attributes, n.heads,     n.key,   n.value,  n.residual};
}

/// Places of the tables in the layout of a model; they come in groups of four.
constexpr int head_table(int h) { return 3 + 4 * h; }                                 // query, key, value, output
constexpr int layer_table(const sizes<>& n, int l) { return 3 + 4 * (n.heads + l); }  // w1, b1, w2, b2
constexpr int unembedding_table(const sizes<>& n) { return layer_table(n, n.layers); }

/// Views on a block of weights, or of their adjoints, on a device.
template <class T>
struct tables {
  T* block;
  T* embeddings;  ///< the block, or what stands in for its first three tables (noise)
  const std::vector<table>* layout;

  view<T> operator[](int i) const {
    const table& t = (*layout)[static_cast<std::size_t>(i)];
    return {block + t.offset, t.rows, t.columns};
  }
  /// Entities, relations and positions lie side by side: one table.  // (width, tokens and positions)
  view<T> tokens() const {
    return {embeddings, (*layout)[0].rows, (*layout)[0].columns + (*layout)[1].columns + (*layout)[2].columns};
  }
};

}  // namespace geofact::gpu
