#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "geofact/code/codebook.hpp"
#include "geofact/foundation/random.hpp"

namespace geofact {

/// m independent random signs an attribute. With m = c log A the margin is m (1 - O(sqrt(1 / c))): the log N of the
/// paper with a constant relative margin.
template <int Attributes = dynamic, int Length = dynamic>
class random_sign_code : public sign_code<Attributes, Length> {
 public:
  /// Throws if two attributes draw the same signs: then no decoder could tell them apart.
  constexpr random_sign_code(extent<Attributes> attributes, extent<Length, 1> length, std::uint64_t seed = 1)
      : sign_code<Attributes, Length>(attributes, length), random_(seed) {
    auto all = codes();
    std::sort(all.begin(), all.end());
    require(std::adjacent_find(all.begin(), all.end()) == all.end(), "two of ", int{attributes}, " random codes of ",
            int{length}, " signs are equal: take a longer code or another seed");
  }

  /// A length whose margin is usually above four tenths of the norm (theory/codes.md).
  static constexpr int usual_length(int attributes) { return 8 * detail::digits(attributes); }

  constexpr int operator()(int a, int j) const { return (word(a, j / 64) >> (j % 64) & 1) != 0 ? 1 : -1; }

  /// Exact: twice the least Hamming distance of two codes. O(A^2 m / 64).
  constexpr int margin() const {
    if (this->attributes() == 1) return this->norm();
    const auto all = codes();
    int least = this->length();
    for (std::size_t a = 0; a < all.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        int distance = 0;
        for (std::size_t w = 0; w < all[a].size(); ++w) distance += std::popcount(all[a][w] ^ all[b][w]);
        least = (std::min)(least, distance);
      }
    return 2 * least;
  }

 private:
  constexpr int words() const { return (this->length() + 63) / 64; }
  constexpr std::uint64_t word(int a, int w) const {
    return random_.bits(static_cast<std::uint64_t>(index_t{a} * words() + w));
  }
  constexpr std::vector<std::vector<std::uint64_t>> codes() const {
    std::vector<std::vector<std::uint64_t>> all;
    for (int a = 0; a < this->attributes(); ++a) {
      all.emplace_back();
      for (int w = 0; w < words(); ++w) {
        const int used = (std::min)(64, this->length() - 64 * w);
        all.back().push_back(word(a, w) & (~std::uint64_t{0} >> (64 - used)));
      }
    }
    return all;
  }

  random_stream random_;
};

random_sign_code(int, int)->random_sign_code<>;
random_sign_code(int, int, std::uint64_t)->random_sign_code<>;

}  // namespace geofact
