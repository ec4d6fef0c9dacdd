#pragma once
#include <vector>

#include "geofact/foundation/random.hpp"
#include "geofact/gpu/device.hpp"

namespace product_cases {

using namespace geofact::gpu;

template <class T>
std::vector<T> numbers(int count, std::uint64_t seed) {
  const geofact::random_stream random(seed);
  std::vector<T> all;
  for (int i = 0; i < count; ++i)
    all.push_back(static_cast<T>(static_cast<float>(random.below(9, static_cast<std::uint64_t>(i)) - 4)));
  return all;
}

/// All products of a type, of integers and hence exact: how many numbers are wrong.
template <class In, class Out, class D>
int wrong_products(D& d, bool tf32) {
  int wrong = 0;
  const int m = 5, n = 4, k = 3;
  for (bool ta : {false, true})
    for (bool tb : {false, true})
      for (bool accumulate : {false, true}) {
        const auto a = numbers<In>(m * k, 1), b = numbers<In>(k * n, 2);
        const auto c = numbers<Out>(m * n, 3);
        const buffer<In, D> da(d, a, "a"), db(d, b, "b");
        const buffer<Out, D> dc(d, c, "c");
        const view<In> va(da.data(), ta ? k : m, ta ? m : k), vb(db.data(), tb ? n : k, tb ? k : n);
        multiply(d, ta ? transposed(va) : va, tb ? transposed(vb) : vb, view<Out>(dc.data(), m, n), tf32, accumulate);
        const auto got = dc.download();
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < n; ++j) {
            float want = accumulate ? static_cast<float>(c[static_cast<std::size_t>(j * m + i)]) : 0;
            for (int l = 0; l < k; ++l)
              want += static_cast<float>(a[static_cast<std::size_t>(ta ? i * k + l : l * m + i)]) *
                      static_cast<float>(b[static_cast<std::size_t>(tb ? l * n + j : j * k + l)]);
            wrong += !(static_cast<float>(got[static_cast<std::size_t>(j * m + i)]) == want);
          }
      }
  return wrong;
}

}  // namespace product_cases
