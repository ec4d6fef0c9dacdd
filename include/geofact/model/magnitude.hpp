#pragma once
#include <limits>

#include "geofact/foundation/matrix.hpp"

namespace geofact {

/// A bound on every number that the forward pass of a `tokens`-token question can meet, by adding absolute values.
/// `between_layers` is what is known of the coordinates of the stream between two layers, where the sums say less.
template <class Model>
double magnitude(const Model& model, int tokens, double between_layers = std::numeric_limits<double>::infinity()) {
  const auto size = [](const auto& table) { return matrix<double>(table.template cast<double>().cwiseAbs()); };
  const auto largest = [](const auto& table) {  // of each coordinate, over the columns
    if (table.cols() == 0) return vector<double>(vector<double>::Zero(table.rows()));
    return vector<double>(table.cwiseAbs().rowwise().maxCoeff().template cast<double>());
  };
  vector<double> x = largest(model.entity()).cwiseMax(largest(model.relation())) + largest(model.position());
  double worst = 0;
  const auto meet = [&](const vector<double>& numbers) {
    if (numbers.size() > 0) worst = (std::max)(worst, numbers.maxCoeff());
    return numbers;
  };
  vector<double> attended = model.heads() > 0 ? x : vector<double>(x * tokens);
  for (int h = 0; h < model.heads(); ++h) {
    const vector<double> query = meet(size(model.head_query(h)) * x), key = meet(size(model.head_key(h)) * x);
    worst = (std::max)(worst, query.dot(key));
    attended += meet(size(model.head_output(h)) * meet(size(model.head_value(h)) * x * tokens));
  }
  x = meet(attended);
  for (int l = 0; l < model.layers(); ++l) {
    const vector<double> h = meet(size(model.w1(l)) * x + size(model.b1(l)));
    vector<double> y = size(model.w2(l)) * h + size(model.b2(l));
    if (model.residual()) y += x.head(y.size());
    x = meet(y);
    if (l + 1 < model.layers()) x = x.cwiseMin(between_layers);
  }
  meet(size(model.unembedding()) * x.head(model.output()));
  return worst;
}

}  // namespace geofact
