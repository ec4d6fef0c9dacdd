#pragma once
#include <string>
#include <vector>

#include "geofact/gpu/kernel/narrow.hpp"
#include "geofact/gpu/tables.hpp"

namespace geofact::gpu {

/// Nats a question, and the share of questions recalled.
struct found_loss {
  double cross_entropy = 0, recall = 0;
};

/// Logits, softmax and cross-entropy, tile by tile; the losses of all questions, and their sum.
template <class Scalar, class Store, device Device>
class loss_head {
 public:
  loss_head(Device& device, int attributes, int tile, int questions, const options& how)
      : device_(&device),
        how_(how),
        logits_(device, checked_product(tile, attributes), "logits of a tile"),
        cross_entropy_(device, questions, "losses"),
        recalled_(device, questions, "recalled questions"),
        sums_(device, slices_of(questions), "sums of losses"),
        counts_(device, slices_of(questions), "counts of recalled questions") {}

  /// The losses of questions `first` and on. Returns, where the scale is not 0, the adjoints of their logits times the
  /// scale.  u (attributes, output), y (output, questions) -> (attributes, questions)
  view<Store> operator()(const view<const Store>& u, const view<const Store>& y, const int* targets, Scalar scale,
                         int first) {
    const view<Store> logits(logits_.data(), u.rows, y.columns);
    if (how_.narrow && y.rows <= 8)
      narrow<8>(u, y, logits, targets, scale, first);
    else if (how_.narrow && y.rows <= 16)
      narrow<16>(u, y, logits, targets, scale, first);
    else if (how_.narrow && y.rows <= kernel::most_narrow)
      narrow<kernel::most_narrow>(u, y, logits, targets, scale, first);
    else
      wide(u, y, logits, targets, scale, first);
    return logits;
  }

  /// After the last tile.
  void sum(int questions) {
    device_->launch(
        kernel::sum_losses<Scalar>{questions, cross_entropy_.data(), recalled_.data(), sums_.data(), counts_.data()},
        static_cast<int>(slices_of(questions)), most_threads);
  }
  /// What sum() found; waits for it.
  found_loss found(int questions) const {
    std::vector<Scalar> sums(static_cast<std::size_t>(slices_of(questions)));
    std::vector<int> counts(sums.size());
    sums_.download(sums.data(), std::ssize(sums));
    counts_.download(counts.data(), std::ssize(counts));
    double entropy = 0, recalled = 0;
    for (const Scalar s : sums) entropy += static_cast<double>(s);
    for (const int c : counts) recalled += c;
    return {entropy / questions, recalled / questions};
  }

 private:
  static index_t slices_of(int questions) {
    return (questions + kernel::sum_losses<Scalar>::slice - 1) / kernel::sum_losses<Scalar>::slice;
  }

  template <int Width>
  void narrow(const view<const Store>& u, const view<const Store>& y, const view<Store>& logits, const int* targets,
              Scalar scale, int first) {
    const kernel::narrow_loss<Width, Store, Scalar> all{u.rows,
                                                        y.columns,
                                                        y.rows,
                                                        u.data,
                                                        y.data,
                                                        logits.data,
                                                        targets,
                                                        scale,
                                                        cross_entropy_.data() + first,
                                                        recalled_.data() + first};
    device_->launch(all, all.blocks(), threads_for(u.rows));
  }
  void wide(const view<const Store>& u, const view<const Store>& y, const view<Store>& logits, const int* targets,
            Scalar scale, int first) {
    multiply(*device_, u, y, logits, how_.tf32);
    device_->launch(kernel::softmax_loss<Store, Scalar>{logits.rows, logits.columns, logits.data, targets, scale,
                                                        cross_entropy_.data() + first, recalled_.data() + first},
                    logits.columns, threads_for(logits.rows));
  }

  Device* device_;
  options how_;
  buffer<Store, Device> logits_;
  buffer<Scalar, Device> cross_entropy_;
  buffer<int, Device> recalled_;
  buffer<Scalar, Device> sums_;
  buffer<int, Device> counts_;
};

}  // namespace geofact::gpu
