#pragma once
#include <string>
#include <vector>

#include "geofact/gpu/kernel/attention.hpp"
#include "geofact/gpu/kernel/layer.hpp"
#include "geofact/gpu/tables.hpp"

namespace geofact::gpu {

/// Learned attention for the last of `length` tokens, and its adjoint; the formulas are those of model/backward.hpp, a
/// matrix for all places side by side.
template <class Scalar, class Store, device Device>
class attention {
 public:
  /// Room for `queries` sequences of `length` tokens; `trains`: for the adjoint too.
  attention(Device& device, const sizes<>& n, int length, int queries, bool tf32, bool trains)
      : device_(&device), n_(n), tf32_(tf32), length_(length), queries_(queries) {
    const index_t one = queries, all = checked_product(queries, length);
    for (int h = 0; h < n.heads; ++h) {
      heads_.push_back({{device, one * n.key, "queries of attention"},
                        {device, all * n.key, "keys of attention"},
                        {device, all * n.value, "values of attention"},
                        {device, one * n.value, "what attention brings"},
                        {device, all, "weights of attention"}});
    }
    if (!trains || n.heads == 0) return;
    dquery_ = {device, one * n.key, "adjoints of queries"};
    dkeys_ = {device, all * n.key, "adjoints of keys"};
    dvalues_ = {device, all * n.value, "adjoints of values"};
    dmixed_ = {device, one * n.value, "adjoints of what attention brings"};
    dscores_ = {device, all, "adjoints of scores"};
  }

  /// Keys and values of new tokens, from place `first` on.  x (width, places * queries)
  void remember(const tables<const Store>& weights, const view<Store>& x, int first) {
    for (int h = 0; h < n_.heads; ++h) {
      multiply(*device_, weights[head_table(h) + 1], x, from(heads(h).keys, n_.key, first, x.columns), tf32_);
      multiply(*device_, weights[head_table(h) + 2], x, from(heads(h).values, n_.value, first, x.columns), tf32_);
    }
  }

  /// stream = last + sum of all heads over the first `length` places.  last, stream (width, queries)
  void forward(const tables<const Store>& weights, const view<Store>& last, int length, const view<Store>& stream) {
    copy(last, stream);
    for (int h = 0; h < n_.heads; ++h) {
      multiply(*device_, weights[head_table(h)], last, query(h), tf32_);
      device_->launch(kernel::attend<Store, Scalar>{memory(h, length), heads(h).weights.data(), heads(h).mixed.data()},
                      queries_, warp);
      multiply(*device_, weights[head_table(h) + 3], mixed(h), stream, tf32_, true);
    }
  }

  /// Writes the adjoints of all places and adds to those of the tables.  x, dx (width, places * queries); dstream
  /// (width, queries)
  void backward(const tables<const Store>& weights, const tables<Scalar>& gradient, const view<Store>& x,
                const view<Store>& dstream, const view<Store>& dx) {
    const view<Store> last(x.data + index_t{length_ - 1} * queries_ * x.rows, x.rows, queries_);
    const view<Store> dlast(dx.data + (last.data - x.data), x.rows, queries_);
    device_->zero(dx.data, static_cast<std::size_t>(index_t{dx.rows} * dx.columns) * sizeof(Store));
    copy(dstream, dlast);
    const view<Store> dquery(dquery_.data(), n_.key, queries_), dmixed(dmixed_.data(), n_.value, queries_);
    const view<Store> dkeys(dkeys_.data(), n_.key, x.columns), dvalues(dvalues_.data(), n_.value, x.columns);
    for (int h = 0; h < n_.heads; ++h) {
      const int i = head_table(h);
      multiply(*device_, dstream, transposed(mixed(h)), gradient[i + 3], tf32_, true);
      multiply(*device_, transposed(weights[i + 3]), dstream, dmixed, tf32_);
      device_->launch(kernel::attend_backward<Store, Scalar>{memory(h, length_), heads(h).weights.data(), dmixed.data,
                                                             dscores_.data(), dquery.data, dkeys.data, dvalues.data},
                      queries_, warp);
      multiply(*device_, dvalues, transposed(x), gradient[i + 2], tf32_, true);
      multiply(*device_, dkeys, transposed(x), gradient[i + 1], tf32_, true);
      multiply(*device_, dquery, transposed(last), gradient[i], tf32_, true);
      multiply(*device_, transposed(weights[i + 2]), dvalues, dx, tf32_, true);
      multiply(*device_, transposed(weights[i + 1]), dkeys, dx, tf32_, true);
      multiply(*device_, transposed(weights[i]), dquery, dlast, tf32_, true);
    }
  }

  /// The sequences at hand, no more and no longer than there is room for.
  void resize(int length, int queries) { length_ = length, queries_ = queries; }

 private:
  struct head {
    buffer<Store, Device> query, keys, values, mixed;
    buffer<Scalar, Device> weights;
  };

  head& heads(int h) { return heads_[static_cast<std::size_t>(h)]; }
  view<Store> query(int h) { return {heads(h).query.data(), n_.key, queries_}; }
  view<Store> mixed(int h) { return {heads(h).mixed.data(), n_.value, queries_}; }
  view<Store> from(const buffer<Store, Device>& all, int rows, int place, int columns) const {
    return {all.data() + index_t{place} * queries_ * rows, rows, columns};
  }
  kernel::head_memory<Store> memory(int h, int length) {
    return {n_.key, n_.value, length, queries_, heads(h).query.data(), heads(h).keys.data(), heads(h).values.data()};
  }
  void copy(const view<Store>& x, const view<Store>& to) {
    const kernel::convert<Store, Store> all{index_t{x.rows} * x.columns, x.data, to.data};
    device_->launch(all, all.blocks(), most_threads);
  }

  Device* device_;
  sizes<> n_;
  bool tf32_;
  int length_, queries_;
  std::vector<head> heads_;
  buffer<Store, Device> dquery_, dkeys_, dvalues_, dmixed_;
  buffer<Scalar, Device> dscores_;
};

}  // namespace geofact::gpu
