#pragma once
#include <utility>
#include <vector>

#include "geofact/gpu/attention.hpp"
#include "geofact/gpu/gather.hpp"

namespace geofact::gpu {

/// The weights as a pass sees them: exact, and as activations are stored.
template <class Scalar, class Store>
struct seen_weights {
  tables<const Scalar> exact;
  tables<const Store> stored;
};

/// A tile of questions on its way through a model, and back: model/pass.hpp on a device, step by step.
template <class Scalar, class Store, device Device>
class pass {
 public:
  using weights = seen_weights<Scalar, Store>;

  /// Room for tiles of `tile` questions of at most `length` tokens; `trains`: for the adjoint too.
  pass(Device& device, const sizes<>& n, int length, int tile, const options& how, bool trains)
      : device_(&device),
        n_(n),
        how_(how),
        factorises_(n.heads == 0 && n.residual == 0 && n.layers > 0),
        attention_(device, n, length, tile, how.tf32, trains) {
    const int tokens = n.entities + n.relations + n.positions;
    if (factorises_) read_ = {device, checked_product(n.hidden, tokens), "first units of all tokens"};
    const index_t columns = checked_product(tile, n.heads > 0 ? length : 1);
    if (!factorises_) places_ = {device, columns * n.width, "embedded questions"};
    for (int l = 0; l < n.layers; ++l) {
      units_.push_back({device, checked_product(tile, n.hidden), "hidden units"});
      if (l > 0 || n.heads > 0) stream(l) = {device, checked_product(tile, n.width), "the stream"};
    }
    if (n.layers == 0 && n.heads > 0) stream(0) = {device, checked_product(tile, n.width), "the stream"};
    if (n.layers > 0) y_ = {device, checked_product(tile, n.output), "outputs"};
    if (!trains) return;
    dunits_ = {device, checked_product(tile, n.hidden), "adjoints of hidden units"};
    for (auto& d : dstreams_)
      d = {device, checked_product(tile, (std::max)(int{n.width}, int{n.output})), "adjoints of the stream"};
    if (n.heads > 0) dplaces_ = {device, columns * n.width, "adjoints of embedded questions"};
    ones_ = {device, std::vector<Store>(static_cast<std::size_t>(tile), Store(1.0F)), "ones"};
  }

  /// Rows of what the questions gather: units where the first layer factorises, embeddings elsewhere.
  int read_rows() const { return factorises_ ? n_.hidden : n_.width; }

  /// Before the first tile: W1 acts once on every token.
  void begin(const weights& w) {
    if (factorises_) multiply(*device_, w.stored[layer_table(n_, 0)], w.stored.tokens(), read(w), how_.tf32);
  }

  /// y of each question.                                             // (output, questions)
  view<const Store> forward(const weights& w, const tile_plan& tile, const int* ints) {
    tile_ = tile, ints_ = ints;
    const int q = tile.questions, *const starts = ints + tile.starts.first, *const tokens = ints + tile.tokens.first;
    if (factorises_) {
      gather<Scalar>(*device_, starts, tokens, read_.data(), units(0), w.exact[layer_table(n_, 0) + 1].data, true);
    } else {
      gather<Scalar>(*device_, starts, tokens, w.stored.embeddings, places());
      if (n_.heads > 0) {
        attention_.resize(tile.length, q);
        attention_.remember(w.stored, places(), 0);
        const view<Store> last(places_.data() + index_t{tile.length - 1} * q * n_.width, n_.width, q);
        attention_.forward(w.stored, last, tile.length, entering(0));
      }
      if (n_.layers > 0) first_units(w, 0);
    }
    return finish(w, q);
  }

  /// The adjoint of forward(), given that of y where dy() is: adds to `gradient` and to the adjoint of what was
  /// gathered.                                                        // dread (read_rows(), tokens and positions)
  void backward(const weights& w, const tables<Scalar>& gradient, const view<Scalar>& dread,
                buffer<Scalar, Device>& pieces) {
    view<Store> dy = this->dy(), dx(dstreams_[1].data(), n_.width, dy.columns);
    const view<Store> dh(dunits_.data(), n_.hidden, dy.columns), ones(ones_.data(), dy.columns, 1);
    for (int l = n_.layers - 1; l >= 0; --l) {
      const int i = layer_table(n_, l);
      multiply(*device_, dy, transposed(units(l)), gradient[i + 2], how_.tf32, true);
      multiply(*device_, dy, ones, gradient[i + 3], how_.tf32, true);
      multiply(*device_, transposed(w.stored[i + 2]), dy, dh, how_.tf32);
      launch(kernel::mask<Store>{dh.rows, dh.columns, units(l).data, dh.data}, dh);
      multiply(*device_, dh, ones, gradient[i + 1], how_.tf32, true);
      if (l == 0 && factorises_) return scatter(*device_, tile_, ints_, dh, dread, pieces, how_.atomic);
      multiply(*device_, dh, transposed(entering(l)), gradient[i], how_.tf32, true);
      multiply(*device_, transposed(w.stored[i]), dh, dx, how_.tf32);
      if (n_.residual == 1)
        launch(kernel::finish_layer<Store, Scalar>{dx.rows, dx.columns, dx.data, nullptr, dy.data, dy.rows}, dx);
      dy = std::exchange(dx, view<Store>(dy.data, n_.width, dy.columns));
    }
    if (n_.heads == 0) return scatter(*device_, tile_, ints_, dy, dread, pieces, how_.atomic);
    const view<Store> dplaces(dplaces_.data(), n_.width, places().columns);
    attention_.backward(w.stored, gradient, places(), dy, dplaces);
    scatter(*device_, tile_, ints_, dplaces, dread, pieces, how_.atomic);
  }

  /// After the last tile: the adjoint of begin().
  void end(const weights& w, const tables<Scalar>& gradient, const view<Scalar>& dread) {
    if (!factorises_) return;
    const int i = layer_table(n_, 0);
    multiply(*device_, dread, transposed(w.exact.tokens()), gradient[i], how_.tf32, true);
    multiply(*device_, transposed(w.exact[i]), dread, gradient.tokens(), how_.tf32, true);
  }
  bool factorises() const { return factorises_; }

  /// Where the adjoint of y belongs.                                 // (output, questions)
  view<Store> dy() { return {dstreams_[0].data(), n_.output, tile_.questions}; }

  /// Appends a token to each of some sequences, at `place`; attention remembers the earlier ones. `starts`, `tokens`:
  /// as of a tile, on the device.
  void append(const weights& w, const int* starts, const int* tokens, int queries, int place) {
    tile_ = {};
    tile_.questions = queries, tile_.starts.size = queries + 1;
    gather<Scalar>(*device_, starts, tokens, w.stored.embeddings, places());
    attention_.resize(place + 1, queries);
    attention_.remember(w.stored, places(), place);
  }
  /// y of the token that was appended last.                           // (output, sequences)
  view<const Store> answer(const weights& w, int place) {
    attention_.forward(w.stored, places(), place + 1, entering(0));
    if (n_.layers > 0) first_units(w, 0);
    return finish(w, tile_.questions);
  }

 private:
  /// What enters layer l.                                             // (width, questions)
  view<Store> entering(int l) {
    const bool own = l > 0 || n_.heads > 0;
    return {own ? stream(l).data() : places_.data(), n_.width, tile_.questions};
  }

  buffer<Store, Device>& stream(int l) {
    if (streams_.size() <= static_cast<std::size_t>(l)) streams_.resize(static_cast<std::size_t>(l) + 1);
    return streams_[static_cast<std::size_t>(l)];
  }
  view<Store> units(int l) { return {units_[static_cast<std::size_t>(l)].data(), n_.hidden, tile_.questions}; }
  view<Store> read(const weights&) { return {read_.data(), n_.hidden, n_.entities + n_.relations + n_.positions}; }
  view<Store> places() { return {places_.data(), n_.width, tile_.starts.size - 1}; }

  template <class Kernel, class T>
  void launch(const Kernel& kernel, const view<T>& on) {
    device_->launch(kernel, on.columns, threads_for(on.rows));
  }

  /// relu(W1 x + b1) of layer l.
  void first_units(const weights& w, int l) {
    const int i = layer_table(n_, l);
    multiply(*device_, w.stored[i], entering(l), units(l), how_.tf32);
    launch(kernel::finish_layer<Store, Scalar>{n_.hidden, tile_.questions, units(l).data, w.exact[i + 1].data, nullptr,
                                               0, true},
           units(l));
  }

  /// From the first units on.
  view<const Store> finish(const weights& w, int q) {
    for (int l = 0; l < n_.layers; ++l) {
      const int i = layer_table(n_, l), rows = w.exact[i + 2].rows;
      const view<Store> y(l + 1 < n_.layers ? stream(l + 1).data() : y_.data(), rows, q);
      multiply(*device_, w.stored[i + 2], units(l), y, how_.tf32);
      const bool adds = n_.residual == 1;
      launch(kernel::finish_layer<Store, Scalar>{rows, q, y.data, w.exact[i + 3].data,
                                                 adds ? entering(l).data : nullptr, adds ? int{n_.width} : 0},
             y);
      if (l + 1 < n_.layers) first_units(w, l + 1);
    }
    if (n_.layers == 0) return {entering(0).data, n_.output, q, n_.width};
    return {y_.data(), n_.output, q};
  }

  Device* device_;
  sizes<> n_;
  options how_;
  bool factorises_;
  attention<Scalar, Store, Device> attention_;
  std::vector<buffer<Store, Device>> units_, streams_;
  buffer<Store, Device> read_, places_, y_, dunits_, dplaces_, ones_;
  buffer<Store, Device> dstreams_[2];
  tile_plan tile_;
  const int* ints_ = nullptr;
};

}  // namespace geofact::gpu
