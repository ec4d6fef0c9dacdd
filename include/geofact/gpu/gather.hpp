#pragma once
#include "geofact/gpu/device.hpp"
#include "geofact/gpu/kernel/sum.hpp"
#include "geofact/gpu/plan.hpp"

namespace geofact::gpu {

/// Columns of `to` as sums of columns of a table: tokens[starts[c]] .. tokens[starts[c + 1] - 1] for column c, plus a
/// bias, under a ReLU, where asked for. The lists lie on the device.
template <class Scalar, device Device, class Store>
void gather(Device& device, const int* starts, const int* tokens, const Store* table, const view<Store>& to,
            const Scalar* bias = nullptr, bool relu = false) {
  device.launch(kernel::segment_sum<Store, Store, Scalar>{to.rows, to.columns, starts, tokens, nullptr, table, to.data,
                                                          bias, relu},
                to.columns, threads_for(to.rows));
}

/// The adjoint of gather: adds each column of `d` to the columns of the table that it came from. In pieces and then
/// their sums, each in a fixed order; or by atomic additions.          // d (rows, columns of X), dtable (rows, tokens)
template <device Device, class Store, class Scalar>
void scatter(Device& device, const tile_plan& tile, const int* ints, const view<Store>& d, const view<Scalar>& dtable,
             const buffer<Scalar, Device>& pieces, bool atomic) {
  if (atomic) {
    device.launch(kernel::scatter_add<Store, Scalar>{d.rows, d.columns, ints + tile.starts.first,
                                                     ints + tile.tokens.first, d.data, dtable.data},
                  d.columns, threads_for(d.rows));
    return;
  }
  const kernel::segment_sum<Store, Scalar, Scalar> to_pieces{d.rows,
                                                             tile.piece_starts.size - 1,
                                                             ints + tile.piece_starts.first,
                                                             ints + tile.piece_order.first,
                                                             nullptr,
                                                             d.data,
                                                             pieces.data()};
  const kernel::segment_sum<Scalar, Scalar, Scalar> to_columns{d.rows,
                                                               tile.columns.size,
                                                               ints + tile.column_starts.first,
                                                               nullptr,
                                                               ints + tile.columns.first,
                                                               pieces.data(),
                                                               dtable.data,
                                                               nullptr,
                                                               false,
                                                               true};
  device.launch(to_pieces, to_pieces.segments, threads_for(d.rows));
  device.launch(to_columns, to_columns.segments, threads_for(d.rows));
}

}  // namespace geofact::gpu
