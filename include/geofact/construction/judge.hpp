#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "geofact/model/head.hpp"

namespace geofact {

/// How an output is compared with the facts: `argmax` looks at every logit. `sign` reads the signs of y, which is
/// proven to give the same answer (theory/codes.md); `automatic` takes sign where that applies and argmax would be
/// long.
enum class decoder { automatic, argmax, sign };

/// What became of one question.
struct outcome {
  enum kind { recalled, wrong, tie, missing } what = wrong;
  double margin = 0;  ///< of a recalled fact
};

/// What became of a number of questions.
struct tally {
  index_t recalled = 0;  ///< the fact alone has the greatest logit
  index_t wrong = 0;     ///< another attribute has it, or a missing fact was answered, or a known one was not
  index_t ties = 0;      ///< the fact shares it
  index_t unknown = 0;   ///< no fact, no answer
  double margin = std::numeric_limits<double>::infinity();  ///< least distance of a recalled fact's logit to the next

  void add(const outcome& one) {
    ++(one.what == outcome::recalled ? recalled
       : one.what == outcome::wrong  ? wrong
       : one.what == outcome::tie    ? ties
                                     : unknown);
    if (one.what == outcome::recalled) margin = (std::min)(margin, one.margin);
  }
  void add(const tally& other) {
    recalled += other.recalled, wrong += other.wrong, ties += other.ties, unknown += other.unknown;
    margin = (std::min)(margin, other.margin);
  }
};

/// What a question comes to whose expected attribute (or `unknown`) has the logit `own`, the best other one `rival`.
template <class Scalar>
outcome decide(int expected, Scalar own, Scalar rival, Scalar abstain) {
  const bool answers = (std::max)(own, rival) > abstain;
  if (expected == unknown) return {answers ? outcome::wrong : outcome::missing};
  if (answers && own == rival) return {outcome::tie};
  if (answers && own > rival) return {outcome::recalled, static_cast<double>(own) - static_cast<double>(rival)};
  return {outcome::wrong};
}

/// Compares outputs with the expected attributes.
template <class Model>
class judge {
  using Scalar = typename Model::Scalar;

 public:
  /// `questions`: how many are to come. Throws if sign decoding is asked for and does not apply.
  judge(const Model& model, decoder how, double questions) : model_(model), how_(how) {
    if (how == decoder::automatic) {
      const double work = questions * model.attributes() * model.output();
      how_ = work > 2e10 && read_keys() ? decoder::sign : decoder::argmax;
    } else if (how == decoder::sign) {
      require(read_keys(), "sign decoding needs an unembedding of distinct rows of at most 64 signs +-1");
    }
  }

  decoder how() const { return how_; }

  /// What becomes of some questions.  y (output, queries); expected attributes, all in `range` or unknown.
  std::vector<outcome> operator()(const matrix<Scalar>& y, const std::vector<int>& expected,
                                  attribute_range range) const {
    return how_ == decoder::sign && range == attribute_range{0, model_.attributes()}
               ? read_signs(y, expected)
               : compare_logits(y, expected, range);
  }

 private:
  std::vector<outcome> compare_logits(const matrix<Scalar>& y, const std::vector<int>& expected,
                                      attribute_range range) const {
    constexpr Scalar least = std::numeric_limits<Scalar>::lowest();
    std::vector<Scalar> own(expected.size(), least), rival(expected.size(), range.size() == 1 ? Scalar{0} : least);
    for_each_logit_tile(model_, y, range, [&](int first, index_t query, matrix<Scalar>& logits) {
      for (index_t c = 0; c < logits.cols(); ++c) {
        const auto q = static_cast<std::size_t>(query + c);
        const index_t row = expected[q] - first;
        if (expected[q] != unknown && 0 <= row && row < logits.rows()) own[q] = std::exchange(logits(row, c), least);
        rival[q] = (std::max)(rival[q], logits.col(c).maxCoeff());
      }
    });
    std::vector<outcome> outcomes;
    for (std::size_t q = 0; q < expected.size(); ++q)
      outcomes.push_back(decide(expected[q], own[q], rival[q], model_.abstain));
    return outcomes;
  }

  /// For a row u of signs, <u, y> <= |y|_1, with equality for u = sign(y) alone where no y_j is 0. So if row a is
  /// sign(y), a is the one argmax; a row at Hamming distance h scores at least 2 h min|y_j| less. Where y is not the
  /// expected row's signs, the logits decide.
  std::vector<outcome> read_signs(const matrix<Scalar>& y, const std::vector<int>& expected) const {
    std::vector<outcome> outcomes(expected.size());
    const matrix<Scalar> size = y.cwiseAbs();
    for (std::size_t q = 0; q < expected.size(); ++q) {
      const auto c = static_cast<index_t>(q);
      const Scalar least = size.col(c).minCoeff(), sum = size.col(c).sum();
      const bool answers = sum > model_.abstain;
      if (expected[q] == unknown && !answers)
        outcomes[q].what = outcome::missing;
      else if (expected[q] != unknown && answers && least > 0 &&
               key(y.col(c)) == keys_[static_cast<std::size_t>(expected[q])])
        outcomes[q] = {outcome::recalled,
                       keys_.size() == 1 ? static_cast<double>(sum) : 2.0 * distance_ * static_cast<double>(least)};
      else
        outcomes[q] = compare_logits(y.col(c), {expected[q]}, {0, model_.attributes()})[0];
    }
    return outcomes;
  }

  template <class Signs>
  static std::uint64_t key(const Signs& signs) {
    std::uint64_t bits = 0;
    for (index_t j = 0; j < signs.size(); ++j) bits |= static_cast<std::uint64_t>(signs[j] > 0) << j;
    return bits;
  }

  /// Reads the signs of every row of the unembedding; false unless they are distinct rows of at most 64 signs.
  bool read_keys() {
    const auto u = model_.unembedding();
    if (u.cols() > 64 || !(u.array().abs() == Scalar{1}).all()) return false;
    for (index_t a = 0; a < u.rows(); ++a) keys_.push_back(key(u.row(a)));
    auto sorted = keys_;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return false;
    const auto parity = [](std::uint64_t bits) { return std::popcount(bits) & 1; };
    const bool even = std::all_of(keys_.begin(), keys_.end(), [&](auto k) { return parity(k) == parity(keys_[0]); });
    distance_ = even ? 2 : 1;
    return true;
  }

  const Model& model_;
  decoder how_;
  std::vector<std::uint64_t> keys_;
  int distance_ = 1;  // no two rows are nearer: rows of equal parity differ in at least two signs
};

}  // namespace geofact
