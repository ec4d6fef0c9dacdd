#pragma once
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "geofact/foundation/random.hpp"
#include "geofact/gpu/device.hpp"
#include "geofact/gpu/kernel/adamw.hpp"
#include "geofact/gpu/kernel/answer.hpp"
#include "geofact/gpu/kernel/attention.hpp"
#include "geofact/gpu/kernel/layer.hpp"
#include "geofact/gpu/kernel/narrow.hpp"
#include "geofact/gpu/kernel/noise.hpp"
#include "geofact/gpu/kernel/softmax.hpp"
#include "geofact/gpu/kernel/sum.hpp"

/// Every kernel on any device against loops in double that are written here once more. Each case returns the worst
/// error, relative to 1 + |what was expected|.
namespace kernel_cases {

using geofact::index_t;
using geofact::random_stream;
namespace gpu = geofact::gpu;
namespace kernel = geofact::gpu::kernel;
using numbers = std::vector<double>;

struct worst_of {
  double worst = 0;
  void see(double got, double want) {
    const double e = std::abs(got - want) / (1 + std::abs(want));
    if (!(e <= worst)) worst = e;  // keeps a NaN
  }
  template <class T>
  void see(const std::vector<T>& got, const numbers& want) {
    if (got.size() != want.size()) worst = NAN;
    for (std::size_t i = 0; i < (std::min)(got.size(), want.size()); ++i) see(static_cast<double>(got[i]), want[i]);
  }
};

template <class T>
std::vector<T> normals(index_t count, std::uint64_t stream) {
  const random_stream random(11, stream);
  std::vector<T> all;
  for (index_t i = 0; i < count; ++i)
    all.push_back(static_cast<T>(static_cast<float>(random.normal(static_cast<std::uint64_t>(i)))));
  return all;
}

inline std::vector<int> below(int n, index_t count, std::uint64_t stream) {
  const random_stream random(12, stream);
  std::vector<int> all;
  for (index_t i = 0; i < count; ++i) all.push_back(random.below(n, static_cast<std::uint64_t>(i)));
  return all;
}

template <class T>
double at(const std::vector<T>& x, index_t i) {
  return static_cast<double>(x[static_cast<std::size_t>(i)]);
}

/// Sizes that a case runs at: rows, columns; and the launch.
struct size {
  int rows, columns, blocks, threads;
};

template <class T, class D>
gpu::buffer<T, D> put(D& device, const std::vector<T>& values) {
  return {device, values, "a test"};
}

template <class Store, class Scalar, class D>
double segment_sum(D& device, size n) {
  const int sources = 3 + n.columns / 2;
  std::vector<int> starts{0};
  for (int length : below(4, n.columns, 1)) starts.push_back(starts.back() + length);
  const auto order = below(sources, starts.back(), 2);
  std::vector<int> target;
  for (int s = 0; s < n.columns; ++s) target.push_back(n.columns - 1 - s);
  const auto in = normals<Store>(index_t{n.rows} * sources, 3);
  const auto bias = normals<Scalar>(n.rows, 4), before = normals<Scalar>(index_t{n.rows} * n.columns, 5);
  worst_of all;
  for (int variant = 0; variant < 8; ++variant) {
    const bool biased = variant & 1, relu = variant & 2, accumulate = variant & 4;
    numbers want(before.size());
    for (int s = 0; s < n.columns; ++s)
      for (int i = 0; i < n.rows; ++i) {
        const index_t to = index_t{target[static_cast<std::size_t>(s)]} * n.rows + i;
        double sum = (biased ? at(bias, i) : 0) + (accumulate ? at(before, to) : 0);
        for (int e = starts[static_cast<std::size_t>(s)]; e < starts[static_cast<std::size_t>(s) + 1]; ++e)
          sum += at(in, index_t{order[static_cast<std::size_t>(e)]} * n.rows + i);
        want[static_cast<std::size_t>(to)] = relu ? std::fmax(sum, 0) : sum;
      }
    auto d_starts = put(device, starts), d_order = put(device, order), d_target = put(device, target);
    auto d_in = put(device, in);
    auto d_bias = put(device, bias), d_out = put(device, before);
    device.launch(kernel::segment_sum<Store, Scalar, Scalar>{n.rows, n.columns, d_starts.data(), d_order.data(),
                                                             d_target.data(), d_in.data(), d_out.data(),
                                                             biased ? d_bias.data() : nullptr, relu, accumulate},
                  n.blocks, n.threads);
    all.see(d_out.download(), want);
  }
  return all.worst;
}

template <class Store, class Scalar, class D>
double scatter_add(D& device, size n) {
  const int columns = 1 + n.columns / 4;
  std::vector<int> starts{0};
  for (int more : below(2, n.columns, 1)) starts.push_back(starts.back() + 1 + more);
  const auto order = below(columns, starts.back(), 2);
  const auto in = normals<Store>(index_t{n.rows} * n.columns, 3);
  const auto before = normals<Scalar>(index_t{n.rows} * columns, 5);
  numbers want(before.begin(), before.end());
  for (int s = 0; s < n.columns; ++s)
    for (int e = starts[static_cast<std::size_t>(s)]; e < starts[static_cast<std::size_t>(s) + 1]; ++e)
      for (int i = 0; i < n.rows; ++i)
        want[static_cast<std::size_t>(order[static_cast<std::size_t>(e)] * n.rows + i)] +=
            at(in, index_t{s} * n.rows + i);
  auto d_starts = put(device, starts), d_order = put(device, order);
  auto d_in = put(device, in);
  auto d_out = put(device, before);
  device.launch(
      kernel::scatter_add<Store, Scalar>{n.rows, n.columns, d_starts.data(), d_order.data(), d_in.data(), d_out.data()},
      n.blocks, n.threads);
  worst_of all;
  all.see(d_out.download(), want);
  return all.worst;
}

template <class Store, class Scalar, class D>
double layers(D& device, size n) {
  const index_t count = index_t{n.rows} * n.columns;
  const int stream_rows = n.rows / 2;
  const auto x = normals<Store>(count, 1), stream = normals<Store>(index_t{stream_rows} * n.columns, 2);
  const auto bias = normals<Scalar>(n.rows, 3);
  worst_of all;
  for (bool relu : {false, true}) {
    numbers want;
    for (int q = 0; q < n.columns; ++q)
      for (int i = 0; i < n.rows; ++i) {
        double y = at(x, index_t{q} * n.rows + i) + at(bias, i);
        if (i < stream_rows) y += at(stream, index_t{q} * stream_rows + i);
        want.push_back(relu ? std::fmax(y, 0) : y);
      }
    auto d_x = put(device, x), d_stream = put(device, stream);
    auto d_bias = put(device, bias);
    device.launch(kernel::finish_layer<Store, Scalar>{n.rows, n.columns, d_x.data(), d_bias.data(), d_stream.data(),
                                                      stream_rows, relu},
                  n.blocks, n.threads);
    all.see(d_x.download(), want);
  }
  numbers masked;
  const auto units = normals<Store>(count, 6);
  for (index_t i = 0; i < count; ++i) masked.push_back(at(units, i) > 0 ? at(x, i) : 0);
  auto d_x = put(device, x), d_units = put(device, units);
  device.launch(kernel::mask<Store>{n.rows, n.columns, d_units.data(), d_x.data()}, n.blocks, n.threads);
  all.see(d_x.download(), masked);
  gpu::buffer<Store, D> converted(device, count, "a test");
  const auto plain = normals<Scalar>(count, 7);
  auto d_plain = put(device, plain);
  device.launch(kernel::convert<Scalar, Store>{count, d_plain.data(), converted.data()}, n.blocks, n.threads);
  all.see(converted.download(), numbers(plain.begin(), plain.end()));
  return all.worst;
}

/// rows: attributes. Some columns have ties at the top.
template <class Store, class Scalar, class D>
double softmax_loss(D& device, size n) {
  auto logits = normals<Store>(index_t{n.rows} * n.columns, 1);
  for (auto& x : logits) x = static_cast<Store>(std::round(static_cast<float>(x) * 4) / 2);
  const auto targets = below(n.rows, n.columns, 2);
  const double scale = 0.25;
  numbers want, entropy, recalled;
  for (int q = 0; q < n.columns; ++q) {
    const auto logit = [&](int a) { return at(logits, index_t{q} * n.rows + a); };
    double top = logit(0), sum = 0;
    for (int a = 1; a < n.rows; ++a) top = std::fmax(top, logit(a));
    int ties = 0;
    for (int a = 0; a < n.rows; ++a) sum += std::exp(logit(a) - top), ties += logit(a) == top;
    const int target = targets[static_cast<std::size_t>(q)];
    entropy.push_back(std::log(sum) + top - logit(target));
    recalled.push_back(ties == 1 && logit(target) == top);
    for (int a = 0; a < n.rows; ++a) want.push_back(scale * (std::exp(logit(a) - top) / sum - (a == target)));
  }
  auto d_logits = put(device, logits);
  auto d_targets = put(device, targets);
  gpu::buffer<Scalar, D> d_entropy(device, n.columns, "a test");
  gpu::buffer<int, D> d_recalled(device, n.columns, "a test");
  device.launch(kernel::softmax_loss<Store, Scalar>{n.rows, n.columns, d_logits.data(), d_targets.data(),
                                                    static_cast<Scalar>(scale), d_entropy.data(), d_recalled.data()},
                n.blocks, n.threads);
  worst_of all;
  all.see(d_logits.download(), want);
  all.see(d_entropy.download(), entropy);
  all.see(d_recalled.download(), recalled);
  gpu::buffer<Scalar, D> d_sums(device, 1, "a test");
  gpu::buffer<int, D> d_counts(device, 1, "a test");
  device.launch(
      kernel::sum_losses<Scalar>{n.columns, d_entropy.data(), d_recalled.data(), d_sums.data(), d_counts.data()},
      n.blocks, n.threads);
  double sum = 0, count = 0;
  for (int q = 0; q < n.columns; ++q) sum += at(entropy, q), count += at(recalled, q);
  all.see(static_cast<double>(d_sums.download()[0]), sum);
  all.see(d_counts.download()[0], count);
  return all.worst;
}

/// rows: attributes. Beside the product and softmax_loss on the same device; all numbers are halves, so the logits are
/// exact and there are ties.
template <int Width, class Store, class Scalar, class D>
double narrow_loss(D& device, size n, int output) {
  auto u = normals<Store>(index_t{n.rows} * output, 1), y = normals<Store>(index_t{output} * n.columns, 2);
  for (auto* all : {&u, &y})
    for (auto& x : *all) x = static_cast<Store>(std::round(static_cast<float>(x)) / 2);
  const auto targets = below(n.rows, n.columns, 3);
  auto d_u = put(device, u), d_y = put(device, y);
  auto d_targets = put(device, targets);
  const index_t count = index_t{n.rows} * n.columns;
  gpu::buffer<Store, D> d_wide(device, count, "a test"), d_narrow(device, count, "a test");
  gpu::buffer<Scalar, D> wide_entropy(device, n.columns, "a test"), narrow_entropy(device, n.columns, "a test");
  gpu::buffer<int, D> wide_recalled(device, n.columns, "a test"), narrow_recalled(device, n.columns, "a test");
  gpu::multiply(device, gpu::view<Store>(d_u.data(), n.rows, output), gpu::view<Store>(d_y.data(), output, n.columns),
                gpu::view<Store>(d_wide.data(), n.rows, n.columns), false);
  device.launch(kernel::softmax_loss<Store, Scalar>{n.rows, n.columns, d_wide.data(), d_targets.data(), Scalar(0.25),
                                                    wide_entropy.data(), wide_recalled.data()},
                n.blocks, n.threads);
  device.launch(kernel::narrow_loss<Width, Store, Scalar>{n.rows, n.columns, output, d_u.data(), d_y.data(),
                                                          d_narrow.data(), d_targets.data(), Scalar(0.25),
                                                          narrow_entropy.data(), narrow_recalled.data()},
                n.blocks, n.threads);
  const auto as_doubles = [](const auto& all) {
    numbers doubles;
    for (const auto& x : all) doubles.push_back(static_cast<double>(x));
    return doubles;
  };
  worst_of all;
  all.see(d_narrow.download(), as_doubles(d_wide.download()));
  all.see(narrow_entropy.download(), as_doubles(wide_entropy.download()));
  all.see(narrow_recalled.download(), as_doubles(wide_recalled.download()));
  return all.worst;
}

template <class Scalar, class D>
double adamw(D& device, size n) {
  const index_t count = index_t{n.rows} * n.columns, first = count / 3;
  const auto gradient = normals<Scalar>(count, 1), weights = normals<Scalar>(count, 2),
             mean = normals<Scalar>(count, 3);
  auto square = normals<Scalar>(count, 4);
  for (auto& v : square) v *= v;
  const std::vector<kernel::piece> pieces{{0, static_cast<int>(first), 1}, {first, static_cast<int>(count - first), 0}};
  const std::vector<kernel::adamw_rule<Scalar>> rules{
      {Scalar(0.25), Scalar(0.5), Scalar(0.75), Scalar(0.875), Scalar(0.125), false}, {}};
  auto d_pieces = put(device, pieces);
  auto d_rules = put(device, rules);
  auto d_gradient = put(device, gradient), d_mean = put(device, mean), d_square = put(device, square),
       d_weights = put(device, weights);
  device.launch(kernel::adamw<Scalar>{2, d_pieces.data(), d_rules.data(), d_gradient.data(), d_mean.data(),
                                      d_square.data(), d_weights.data()},
                n.blocks, n.threads);
  numbers want_m, want_v, want_w;
  for (index_t i = 0; i < count; ++i) {
    const bool moves = i >= first;
    const double g = at(gradient, i), m = 0.75 * at(mean, i) + 0.25 * g, v = 0.875 * at(square, i) + 0.125 * g * g;
    want_m.push_back(moves ? m : at(mean, i));
    want_v.push_back(moves ? v : at(square, i));
    want_w.push_back(moves ? 0.5 * at(weights, i) - 0.25 * m / (std::sqrt(v) + 0.125) : at(weights, i));
  }
  worst_of all;
  all.see(d_mean.download(), want_m);
  all.see(d_square.download(), want_v);
  all.see(d_weights.download(), want_w);
  return all.worst;
}

/// rows: width of the keys; values are two wider. The adjoint's oracle: derivatives of sum(dmixed * mixed) in double.
template <class Store, class Scalar, class D>
double attention(D& device, size n, int length) {
  const int key = n.rows, value = n.rows + 2, queries = n.columns;
  const auto query = normals<Store>(index_t{key} * queries, 1),
             keys = normals<Store>(index_t{key} * queries * length, 2),
             values = normals<Store>(index_t{value} * queries * length, 3),
             dmixed = normals<Store>(index_t{value} * queries, 4);
  numbers want_weights, want_mixed, want_dquery(query.size()), want_dkeys(keys.size()), want_dvalues(values.size());
  for (int q = 0; q < queries; ++q) {
    const auto column = [&](int t) { return index_t{t} * queries + q; };
    numbers w;
    double sum = 0, mean = 0;
    for (int t = 0; t < length; ++t) {
      double score = 0;
      for (int i = 0; i < key; ++i) score += at(query, index_t{q} * key + i) * at(keys, column(t) * key + i);
      w.push_back(std::exp(score));
      sum += w.back();
    }
    numbers dweight;
    for (int t = 0; t < length; ++t) {
      w[static_cast<std::size_t>(t)] /= sum;
      dweight.push_back(0);
      for (int i = 0; i < value; ++i)
        dweight.back() += at(dmixed, index_t{q} * value + i) * at(values, column(t) * value + i);
      mean += at(w, t) * dweight.back();
    }
    want_weights.insert(want_weights.end(), w.begin(), w.end());
    for (int i = 0; i < value; ++i) {
      double mixed = 0;
      for (int t = 0; t < length; ++t) {
        mixed += at(w, t) * at(values, column(t) * value + i);
        want_dvalues[static_cast<std::size_t>(column(t) * value + i)] = at(w, t) * at(dmixed, index_t{q} * value + i);
      }
      want_mixed.push_back(mixed);
    }
    for (int t = 0; t < length; ++t)
      for (int i = 0; i < key; ++i) {
        const double dscore = at(w, t) * (at(dweight, t) - mean);
        want_dkeys[static_cast<std::size_t>(column(t) * key + i)] = dscore * at(query, index_t{q} * key + i);
        want_dquery[static_cast<std::size_t>(q * key + i)] += dscore * at(keys, column(t) * key + i);
      }
  }
  auto d_query = put(device, query), d_keys = put(device, keys), d_values = put(device, values),
       d_dmixed = put(device, dmixed);
  const kernel::head_memory<Store> head{key, value, length, queries, d_query.data(), d_keys.data(), d_values.data()};
  gpu::buffer<Scalar, D> d_weights(device, index_t{length} * queries, "a test"),
      d_scores(device, index_t{length} * queries, "a test");
  gpu::buffer<Store, D> d_mixed(device, index_t{value} * queries, "a test"),
      d_dquery(device, index_t{key} * queries, "a test"), d_dkeys(device, index_t{key} * queries * length, "a test"),
      d_dvalues(device, index_t{value} * queries * length, "a test");
  device.launch(kernel::attend<Store, Scalar>{head, d_weights.data(), d_mixed.data()}, n.blocks, n.threads);
  device.launch(kernel::attend_backward<Store, Scalar>{head, d_weights.data(), d_dmixed.data(), d_scores.data(),
                                                       d_dquery.data(), d_dkeys.data(), d_dvalues.data()},
                n.blocks, n.threads);
  worst_of all;
  all.see(d_weights.download(), want_weights);
  all.see(d_mixed.download(), want_mixed);
  all.see(d_dquery.download(), want_dquery);
  all.see(d_dkeys.download(), want_dkeys);
  all.see(d_dvalues.download(), want_dvalues);
  return all.worst;
}

template <class Scalar, class D>
double noise(D& device, size n) {
  const index_t count = index_t{n.rows} * n.columns;
  auto x = normals<Scalar>(count, 1);
  for (auto& one : x) one = one * 2 + 3;
  double mean = 0, variance = 0;
  for (index_t i = 0; i < count; ++i) mean += at(x, i) / static_cast<double>(count);
  for (index_t i = 0; i < count; ++i) variance += (at(x, i) - mean) * (at(x, i) - mean) / static_cast<double>(count);
  const random_stream random(7, 3);
  numbers want;
  for (index_t i = 0; i < count; ++i)
    want.push_back(at(x, i) + 0.5 * std::sqrt(variance) * random.normal(static_cast<std::uint64_t>(i)));
  const kernel::slices of{count, (std::max)(index_t{1}, count / 5)};
  auto d_x = put(device, x);
  gpu::buffer<Scalar, D> sums(device, of.number(), "a test"), squares(device, of.number(), "a test"),
      noisy(device, count, "a test");
  device.launch(kernel::sum_slices<Scalar>{of, d_x.data(), nullptr, sums.data()}, n.blocks, n.threads);
  device.launch(kernel::sum_slices<Scalar>{of, d_x.data(), sums.data(), squares.data()}, n.blocks, n.threads);
  device.launch(kernel::add_noise<Scalar>{of, d_x.data(), squares.data(), Scalar(0.5), random, noisy.data()}, n.blocks,
                n.threads);
  worst_of all;
  all.see(noisy.download(), want);
  return all.worst;
}

/// rows: attributes. Rounded logits, so that there are ties.
template <class Store, class Scalar, class D>
double answers(D& device, size n) {
  auto logits = normals<Store>(index_t{n.rows} * n.columns, 1);
  for (auto& x : logits) x = static_cast<Store>(std::round(static_cast<float>(x) * 2));
  auto expected = below(n.rows, n.columns, 2);
  expected[0] = -1;
  const int first = 5;
  for (int& e : expected) e = e < 0 ? e : e + first;
  auto d_logits = put(device, logits);
  auto d_expected = put(device, expected);
  auto tokens = below(3, n.columns, 3);
  auto d_tokens = put(device, tokens);
  gpu::buffer<kernel::best<Scalar>, D> d_best(device, n.columns, "a test");
  gpu::buffer<kernel::duel<Scalar>, D> d_duels(device, n.columns, "a test");
  const int entities = first + n.rows / 2 + 1;
  device.launch(kernel::find_best<Store, Scalar>{n.rows, n.columns, first, d_logits.data(), d_best.data()}, n.blocks,
                n.threads);
  device.launch(
      kernel::find_rival<Store, Scalar>{n.rows, n.columns, first, d_logits.data(), d_expected.data(), d_duels.data()},
      n.blocks, n.threads);
  device.launch(kernel::feed_back<Scalar>{n.columns, entities, Scalar(1), d_best.data(), d_tokens.data()}, n.blocks,
                n.threads);
  const auto best = d_best.download();
  const auto duels = d_duels.download();
  worst_of all;
  const double least = kernel::least<Scalar>;
  numbers next;
  for (int q = 0; q < n.columns; ++q) {
    double top = least, second = least, rival = least;
    int attribute = -1;
    for (int a = 0; a < n.rows; ++a) {
      const double x = at(logits, index_t{q} * n.rows + a);
      if (first + a != expected[static_cast<std::size_t>(q)]) rival = std::fmax(rival, x);
      if (x > top)
        second = top, top = x, attribute = first + a;
      else
        second = std::fmax(second, x);
    }
    const auto i = static_cast<std::size_t>(q);
    all.see(static_cast<double>(best[i].top), top);
    all.see(static_cast<double>(best[i].second), second);
    all.see(best[i].attribute, attribute);
    all.see(static_cast<double>(duels[i].rival), rival);
    all.see(static_cast<double>(duels[i].own),
            expected[i] < 0 ? least : at(logits, index_t{q} * n.rows + expected[i] - first));
    next.push_back(top > 1 && attribute < entities ? attribute : tokens[i]);
  }
  all.see(d_tokens.download(), next);
  return all.worst;
}

/// All of them at one size.
template <class Store, class Scalar, class D>
double all_kernels(D& device, size n) {
  worst_of all;
  for (double e :
       {segment_sum<Store, Scalar>(device, n), scatter_add<Store, Scalar>(device, n), layers<Store, Scalar>(device, n),
        softmax_loss<Store, Scalar>(device, n), narrow_loss<8, Store, Scalar>(device, n, 5), adamw<Scalar>(device, n),
        attention<Store, Scalar>(device, n, 1), attention<Store, Scalar>(device, n, 5), noise<Scalar>(device, n),
        answers<Store, Scalar>(device, n)})
    all.see(e, 0);
  return all.worst;
}

}  // namespace kernel_cases
