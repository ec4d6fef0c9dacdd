#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "geofact/foundation/random.hpp"
#include "geofact/model/parameters.hpp"

/// Whether one of the numbers is too small for its type's full precision.
inline bool any_subnormal(const auto& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](auto x) { return std::fpclassify(x) == FP_SUBNORMAL; });
}

/// The model once more, with loops over numbers that are found in the block by the name of their table.
namespace naive {

using numbers = std::vector<double>;

template <class Model>
double weight(const Model& model, const std::string& name, int i, int j) {
  for (const auto& t : model.tables())
    if (t.name == name) {
      geofact::require(0 <= i && i < t.rows && 0 <= j && j < t.columns, name, " has no entry ", i, ", ", j);
      return static_cast<double>(model.block()[t.offset + geofact::index_t{j} * t.rows + i]);
    }
  throw geofact::error("no table " + name);
}

template <class Model>
numbers times(const Model& model, const std::string& name, int rows, const numbers& x) {
  numbers y(static_cast<std::size_t>(rows), 0);
  for (int i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      y[static_cast<std::size_t>(i)] += weight(model, name, i, static_cast<int>(j)) * x[j];
  return y;
}

/// e_t + p_place
template <class Model>
numbers embed(const Model& model, int token, int place) {
  numbers x(static_cast<std::size_t>(model.width()), 0);
  for (int i = 0; i < model.width(); ++i) {
    double& to = x[static_cast<std::size_t>(i)];
    to = token < model.entities() ? weight(model, "entity", i, token)
                                  : weight(model, "relation", i, token - model.entities());
    if (model.positions() > 0) to += weight(model, "position", i, place);
  }
  return x;
}

/// What enters the MLP. `scale` multiplies the scores; `largest` hears of the greatest number of each step.
template <class Model>
numbers stream(const Model& model, const std::vector<int>& tokens, double scale, double& largest) {
  const auto meet = [&](const numbers& all) {
    for (double x : all) largest = std::max(largest, std::abs(x));
    return all;
  };
  std::vector<numbers> x;
  for (std::size_t t = 0; t < tokens.size(); ++t) x.push_back(embed(model, tokens[t], static_cast<int>(t)));
  numbers result = x.back();
  if (model.heads() == 0)
    for (std::size_t t = 0; t + 1 < x.size(); ++t)
      for (std::size_t i = 0; i < result.size(); ++i) result[i] += x[t][i];
  for (int h = 0; h < model.heads(); ++h) {
    const std::string head = "head." + std::to_string(h) + '.';
    const numbers query = meet(times(model, head + "query", model.key(), x.back()));
    numbers scores, mean(static_cast<std::size_t>(model.value()), 0), mixed = mean;
    for (const numbers& from : x) {
      const numbers key = meet(times(model, head + "key", model.key(), from));
      double score = 0;
      for (std::size_t i = 0; i < key.size(); ++i) score += query[i] * key[i];
      scores.push_back(score);
    }
    meet(scores);
    for (double& score : scores) score *= scale;
    const double top = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double score : scores) sum += std::exp(score - top);
    for (std::size_t t = 0; t < x.size(); ++t) {
      const numbers value = meet(times(model, head + "value", model.value(), x[t]));
      for (std::size_t i = 0; i < value.size(); ++i) {
        mean[i] += std::exp(scores[t] - top) / sum * value[i];
        mixed[i] += std::exp(scores[t] - top) * value[i];
      }
    }
    meet(mixed);
    const numbers written = meet(times(model, head + "output", model.width(), mean));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += written[i];
  }
  return meet(result);
}

/// y of one sequence of tokens; `largest` becomes the greatest number on the way, logits included.
template <class Model>
numbers output(const Model& model, const std::vector<int>& tokens, double scale, double& largest) {
  numbers x = stream(model, tokens, scale, largest);
  const auto meet = [&](double number) { largest = std::max(largest, std::abs(number)); };
  for (int l = 0; l < model.layers(); ++l) {
    const std::string layer = "layer." + std::to_string(l) + '.';
    numbers h = times(model, layer + "w1", model.hidden(), x);
    for (int i = 0; i < model.hidden(); ++i) {
      double& unit = h[static_cast<std::size_t>(i)];
      unit += weight(model, layer + "b1", i, 0);
      meet(unit);
      unit = unit > 0 ? unit : 0;
    }
    const int rows = l + 1 < model.layers() ? model.width() : model.output();
    numbers y = times(model, layer + "w2", rows, h);
    for (int i = 0; i < rows; ++i) {
      y[static_cast<std::size_t>(i)] += weight(model, layer + "b2", i, 0);
      if (model.residual()) y[static_cast<std::size_t>(i)] += x[static_cast<std::size_t>(i)];
      meet(y[static_cast<std::size_t>(i)]);
    }
    x = y;
  }
  x.resize(static_cast<std::size_t>(model.output()));
  for (double logit : times(model, "unembedding", model.attributes(), x)) meet(logit);
  return x;
}

template <class Model>
numbers output(const Model& model, const std::vector<int>& tokens, double scale = 1) {
  double largest = 0;
  return output(model, tokens, scale, largest);
}

/// All weights normal with this deviation, or integers of -range..range.
template <class Model>
void randomize(Model& model, std::uint64_t seed, double deviation) {
  using Scalar = typename Model::Scalar;
  const geofact::random_stream random(seed);
  for (geofact::index_t i = 0; i < model.count(); ++i) {
    if constexpr (std::is_integral_v<Scalar>)
      model.block()[i] = random.below(2 * static_cast<int>(deviation) + 1, static_cast<std::uint64_t>(i)) -
                         static_cast<int>(deviation);
    else
      model.block()[i] = static_cast<Scalar>(deviation * random.normal(static_cast<std::uint64_t>(i)));
  }
}

}  // namespace naive
