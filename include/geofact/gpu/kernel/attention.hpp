#pragma once
#include "geofact/gpu/kernel/softmax.hpp"

namespace geofact::gpu::kernel {

/// What one head sees: query of the last token, keys and values of `length` tokens a question, one token's questions
/// after the other's.
template <class Store>
struct head_memory {
  int key, value, length, queries;
  const Store* query;   // (key, queries)
  const Store* keys;    // (key, queries * length)
  const Store* values;  // (value, queries * length)
};

/// softmax(keys' query) and the mean of the values under it.
template <class Store, class Scalar>
struct attend {
  head_memory<Store> head;
  Scalar* weights;  // (length, queries)
  Store* mixed;     // (value, queries)

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int q = b.index(); q < head.queries; q += b.count()) {
      Scalar* const weight = weights + index_t{q} * head.length;
      b.for_each(head.length, [&](int t) {
        Scalar score = 0;
        const index_t column = index_t{t} * head.queries + q;
        for (int i = 0; i < head.key; ++i)
          score += static_cast<Scalar>(head.query[index_t{q} * head.key + i]) *
                   static_cast<Scalar>(head.keys[column * head.key + i]);
        weight[t] = score;
      });
      online<Scalar> mine;
      b.for_each(head.length, [&](int t) { mine.add(weight[t]); });
      const online<Scalar> all = b.reduce(mine, merge{});
      b.for_each(head.length, [&](int t) { weight[t] = std::exp(weight[t] - all.top) / all.sum; });
      b.for_each(head.value, [&](int i) {
        Scalar sum = 0;
        for (int t = 0; t < head.length; ++t)
          sum += weight[t] * static_cast<Scalar>(head.values[(index_t{t} * head.queries + q) * head.value + i]);
        mixed[index_t{q} * head.value + i] = static_cast<Store>(sum);
      });
    }
  }
};

/// The adjoint of `attend`.
template <class Store, class Scalar>
struct attend_backward {
  head_memory<Store> head;
  const Scalar* weights;  // (length, queries)
  const Store* dmixed;    // (value, queries)
  Scalar* dscores;        // (length, queries), of the kernel's own
  Store* dquery;          // (key, queries)
  Store* dkeys;           // (key, queries * length)
  Store* dvalues;         // (value, queries * length)

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int q = b.index(); q < head.queries; q += b.count()) {
      const Scalar* const weight = weights + index_t{q} * head.length;
      Scalar* const dscore = dscores + index_t{q} * head.length;
      const Store* const dmix = dmixed + index_t{q} * head.value;
      Scalar part = 0;  // of sum_t weight_t dweight_t
      b.for_each(head.length, [&](int t) {
        Scalar dweight = 0;
        const index_t column = index_t{t} * head.queries + q;
        for (int i = 0; i < head.value; ++i)
          dweight += static_cast<Scalar>(dmix[i]) * static_cast<Scalar>(head.values[column * head.value + i]);
        dscore[t] = dweight;
        part += weight[t] * dweight;
      });
      const Scalar mean = b.reduce(part, plus{});
      b.for_each(head.length, [&](int t) { dscore[t] = weight[t] * (dscore[t] - mean); });
      b.for_each(head.value, [&](int i) {
        for (int t = 0; t < head.length; ++t)
          dvalues[(index_t{t} * head.queries + q) * head.value + i] =
              static_cast<Store>(weight[t] * static_cast<Scalar>(dmix[i]));
      });
      b.for_each(head.key, [&](int i) {
        const auto asked = static_cast<Scalar>(head.query[index_t{q} * head.key + i]);
        Scalar sum = 0;
        for (int t = 0; t < head.length; ++t) {
          const index_t at = (index_t{t} * head.queries + q) * head.key + i;
          sum += dscore[t] * static_cast<Scalar>(head.keys[at]);
          dkeys[at] = static_cast<Store>(dscore[t] * asked);
        }
        dquery[index_t{q} * head.key + i] = static_cast<Store>(sum);
      });
    }
  }
};

}  // namespace geofact::gpu::kernel
