#pragma once
#include "geofact/foundation/extent.hpp"

namespace geofact {

/// The sizes of a model, each static or dynamic (theory/setting.md):
///
///     x      = sum_t (e_t + p_t)                                       heads = 0: uniform attention, as a sum
///            | x_T + sum_heads O V softmax(K'Q x_T)                    heads > 0: the last token asks, x_t = e_t + p_t
///     x     <- W2 relu(W1 x + b1) + b2  (+ x where residual = 1)       `layers` times; the last one gives y
///     logits = U y
///
/// The paper's model has layers = 1, output = width. Direct k hops give every (hop, relation) a relation token of its
/// own.
struct shape {
  int entities = dynamic;    ///< columns of the entity table
  int relations = dynamic;   ///< columns of the relation table
  int positions = dynamic;   ///< columns of the position table; 0: the order of the tokens is not seen
  int width = dynamic;       ///< d, of the residual stream
  int hidden = dynamic;      ///< units of each hidden layer
  int layers = dynamic;      ///< two-layer MLPs, one after the other
  int output = dynamic;      ///< coordinates that the unembedding reads; the last layer writes only these
  int attributes = dynamic;  ///< A, rows of the unembedding
  int heads = dynamic;       ///< attention heads; 0: uniform attention
  int key = dynamic;         ///< width of queries and keys
  int value = dynamic;       ///< width of values
  int residual = dynamic;    ///< 1: each layer adds to the stream; 0: it replaces it
};

/// The extents of one model; only the dynamic ones are stored.
template <shape S = shape{}>
struct sizes {
  [[no_unique_address]] extent<S.entities, 0> entities{};
  [[no_unique_address]] extent<S.relations, 1> relations{};
  [[no_unique_address]] extent<S.positions, 2> positions{};
  [[no_unique_address]] extent<S.width, 3> width{};
  [[no_unique_address]] extent<S.hidden, 4> hidden{};
  [[no_unique_address]] extent<S.layers, 5> layers{};
  [[no_unique_address]] extent<S.output, 6> output{};
  [[no_unique_address]] extent<S.attributes, 7> attributes{};
  [[no_unique_address]] extent<S.heads, 8> heads{};
  [[no_unique_address]] extent<S.key, 9> key{};
  [[no_unique_address]] extent<S.value, 10> value{};
  [[no_unique_address]] extent<S.residual, 11> residual{};
};

}  // namespace geofact
