#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "geofact/fact/fact_table.hpp"
#include "geofact/foundation/matrix.hpp"

namespace geofact {

/// What the head reads off one output.
struct answer {
  int attribute = unknown;  ///< the attribute of the greatest logit; `unknown` below the model's threshold
  double logit = 0;         ///< its logit
  double margin = 0;        ///< its distance to the next one (to 0 where it is the only one); 0: a tie
};

/// Calls visit(first attribute, first query, logits) on tiles of U y: the logits never exist whole. `range` limits the
/// attributes.                                                       // y (output, queries), logits (<= 4096, <= 64)
template <class Model, class Scalar, class Visit>
void for_each_logit_tile(const Model& model, const matrix<Scalar>& y, attribute_range range, Visit&& visit) {
  constexpr index_t tall = 4096, wide = 64;
  const auto u = model.unembedding();
  for (index_t q = 0; q < y.cols(); q += wide)
    for (index_t a = range.first; a < range.last; a += tall) {
      auto logits =
          product(u.middleRows(a, (std::min)(tall, range.last - a)), y.middleCols(q, (std::min)(wide, y.cols() - q)));
      visit(static_cast<int>(a), q, logits);
    }
}

/// argmax over the attributes of `range` for each output.            // y (output, queries) -> queries
template <class Model, class Scalar>
std::vector<answer> decode(const Model& model, const matrix<Scalar>& y, attribute_range range) {
  constexpr Scalar least = std::numeric_limits<Scalar>::lowest();
  std::vector<answer> answers(static_cast<std::size_t>(y.cols()));
  std::vector<Scalar> top(answers.size(), least), second(answers.size(), least);
  for_each_logit_tile(model, y, range, [&](int first, index_t query, matrix<Scalar>& logits) {
    for (index_t c = 0; c < logits.cols(); ++c) {
      const auto q = static_cast<std::size_t>(query + c);
      auto column = logits.col(c);
      const Scalar best = column.maxCoeff();
      if (best > top[q]) {
        const index_t row = std::find(column.begin(), column.end(), best) - column.begin();
        column[row] = top[q];
        second[q] = column.maxCoeff();
        top[q] = best;
        answers[q].attribute = first + static_cast<int>(row);
      } else {
        second[q] = (std::max)(second[q], best);
      }
    }
  });
  for (std::size_t q = 0; q < answers.size(); ++q) {
    answers[q].logit = static_cast<double>(top[q]);
    if (range.size() == 1) second[q] = 0;
    answers[q].margin = static_cast<double>(top[q]) - static_cast<double>(second[q]);
    if (!(top[q] > model.abstain)) answers[q].attribute = unknown;
  }
  return answers;
}

/// argmax over all attributes.
template <class Model, class Scalar>
std::vector<answer> decode(const Model& model, const matrix<Scalar>& y) {
  return decode(model, y, {0, model.attributes()});
}

}  // namespace geofact
