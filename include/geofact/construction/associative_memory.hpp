#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include "geofact/construction/construction.hpp"
#include "geofact/foundation/matrix.hpp"
#include "geofact/foundation/random.hpp"

namespace geofact {

/// What the geometric account is compared with (theory/associative-memory.md): subjects have fixed random embeddings
/// e_s in {-1, 1}^d, and the MLP stores the facts as one sum of outer products a relation,
///
///     W_r = sum_s c_{f_r(s)} (phi(s) - centre)'.
///
/// `features` = 0 is the *linear* memory, phi(s) - centre = e_s. `features` = F > 0 is the *MLP* memory, phi = relu(G
/// e_s) with random signs G, centre = the mean of phi, rounded. Either recalls only about as many facts as it has
/// weights, up to logarithms, and always answers: it cannot say that a fact is missing. All weights are integers.
///
/// Coordinates: [d random | R gates]. Units: for each relation F (or d) features and one that carries its gate.
template <codebook Code>
class associative_memory : public uniform_attention, public coded<Code> {
  static_assert(is_integer_code<Code>, "an associative memory counts in integers: use a code with integer coordinates");

 public:
  using coded<Code>::code;

  /// Throws where a size is not positive or the weight of a feature could overflow an int.
  constexpr associative_memory(Code c, int subjects, int relations, int key_length, int features = 0,
                               std::uint64_t seed = 1)
      : coded<Code>{c},
        subjects_(subjects),
        relations_(relations),
        length_(key_length),
        features_(features),
        keys_(seed, 0),
        readers_(seed, 1) {
    require(subjects >= 1 && relations >= 1, "a memory needs subjects and relations, got ", subjects, " and ",
            relations);
    require(key_length >= 1, "a random embedding needs at least one coordinate, got ", key_length);
    require(features >= 0, "a memory cannot have ", features, " features");
    hidden_ = to_extent(checked_product(relations, checked_sum(per_relation(), 1)));
    to_extent(checked_product(subjects, length_));  // bounds every |w2| that a feature has
    if (linear()) centre_ = 1;
    while (!linear() && 11 * (2 * index_t{centre_} + 1) * (2 * index_t{centre_} + 1) <= 7 * index_t{length_}) ++centre_;
  }

  constexpr int subjects() const { return subjects_; }
  constexpr int relations() const { return relations_; }
  constexpr int hops() const { return 1; }
  constexpr int width() const { return length_ + relations_; }
  constexpr int hidden() const { return hidden_; }
  constexpr int layers() const { return 1; }
  constexpr int relation_tokens() const { return relations_; }
  constexpr int abstain() const { return std::numeric_limits<int>::lowest(); }

  template <fact_function F>
  constexpr int entity(const F&, int s, int i) const {
    return i < length_ ? subject_sign(s, i) : 0;
  }
  constexpr int relation(int t, int i) const { return i == length_ + t; }

  constexpr int w1(int, int unit, int i) const {
    const int r = unit / block(), feature = unit % block();
    if (feature == per_relation()) return i == length_ + r;
    if (i >= length_) return i == length_ + r ? threshold() * (linear() ? 2 : 1) : 0;
    return linear() ? i == feature : reader(feature, i);
  }
  constexpr int b1(int, int unit) const { return unit % block() == per_relation() ? 0 : -threshold(); }

  template <fact_function F>
  constexpr int w2(const F& f, int l, int j, int unit) const {
    const int r = unit / block(), feature = unit % block();
    int sum = 0;
    if (feature < per_relation()) {
      for (int s = 0; s < subjects_; ++s)
        if (const int a = f(s, r); a != unknown) sum += code(a, j) * centred(s, feature);
    } else {
      for (int i = 0; i < per_relation(); ++i) sum -= centre_ * w2(f, l, j, r * block() + i);
    }
    return sum;
  }
  constexpr int b2(int, int) const { return 0; }

  /// Each weight of W_r is a sum over N subjects of at most |phi - centre|.
  template <int R>
  constexpr index_t fact_bits(const fact_table<R>&) const {
    const index_t largest = linear() ? 1 : (std::max)(length_ - centre_, centre_);
    return checked_product(checked_product(index_t{relations_} * per_relation(), code.length()),
                           ceil_log2(2 * checked_product(subjects_, largest) + 1));
  }

  /// All of W2 at once, as one matrix product a relation; equals w2 weight by weight.  // (m, hidden)
  template <class Scalar, fact_function F>
  matrix<Scalar> all_w2(const F& f) const {
    matrix<Scalar> keys(subjects_, per_relation()), codes(code.length(), subjects_), all(code.length(), hidden_);
    for (int i = 0; i < per_relation(); ++i)
      for (int s = 0; s < subjects_; ++s) keys(s, i) = static_cast<Scalar>(centred(s, i));
    for (int r = 0; r < relations_; ++r) {
      for (int s = 0; s < subjects_; ++s)
        for (int j = 0; j < code.length(); ++j)
          codes(j, s) = f(s, r) == unknown ? Scalar{0} : static_cast<Scalar>(code(f(s, r), j));
      all.middleCols(r * block(), per_relation()) = product(codes, keys);
      all.col(r * block() + per_relation()) =
          all.middleCols(r * block(), per_relation()).rowwise().sum() * static_cast<Scalar>(-centre_);
    }
    return all;
  }

 private:
  constexpr bool linear() const { return features_ == 0; }
  constexpr int per_relation() const { return linear() ? length_ : features_; }
  constexpr int block() const { return per_relation() + 1; }
  /// A feature is open where its gate is 1: relu(e_i + 2 z - 1) = e_i + 1, relu(<g, e> + d z - d) = relu(<g, e>).
  constexpr int threshold() const { return linear() ? 1 : length_; }
  constexpr int subject_sign(int s, int i) const { return sign(keys_, s, i); }
  constexpr int reader(int feature, int i) const { return sign(readers_, feature, i); }
  static constexpr int sign(const random_stream& random, int row, int i) {
    const auto word = random.bits(static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint64_t>(i / 64));
    return (word >> (i % 64) & 1) != 0 ? 1 : -1;
  }
  constexpr int centred(int s, int feature) const {
    if (linear()) return subject_sign(s, feature);
    int read = 0;
    for (int i = 0; i < length_; ++i) read += reader(feature, i) * subject_sign(s, i);
    return (read > 0 ? read : 0) - centre_;
  }

  int subjects_, relations_, length_, features_;
  int hidden_ = 0;
  int centre_ = 0;  // sqrt(d / (2 pi)) rounded, the mean of relu(<g, e_s>), with pi = 22 / 7
  random_stream keys_, readers_;
};

template <class Code>
associative_memory(Code, int, int, int) -> associative_memory<Code>;
template <class Code>
associative_memory(Code, int, int, int, int) -> associative_memory<Code>;

}  // namespace geofact
