#pragma once
#include <numeric>
#include <span>
#include <vector>

#include "geofact/fact/fact_table.hpp"
#include "geofact/foundation/random.hpp"
#include "geofact/model/ask.hpp"
#include "geofact/model/parameters.hpp"

namespace geofact::probe {

/// Throws unless the model answers one-hop questions about these facts.
template <class Model, int R>
void require_fit(const Model& model, const fact_table<R>& facts) {
  require(model.relations() == facts.relations() && model.positions() == 0, "a model of ", model.relations(),
          " relation tokens and ", model.positions(), " positions does not answer one hop of facts with ",
          facts.relations(), " relations");
  require(model.entities() >= facts.subjects() && model.attributes() >= facts.attributes(), "a model of ",
          model.entities(), " entities and ", model.attributes(), " attributes does not fit facts with ",
          facts.subjects(), " subjects and ", facts.attributes(), " attributes");
}

/// The attribute of the greatest logit of each output, among those of `range`; `unknown` where two share it.
template <class Model, class Scalar>
std::vector<int> attributes_of(const Model& model, const matrix<Scalar>& y, attribute_range range) {
  std::vector<int> attributes;
  for (const answer& one : decode(model, y, range)) attributes.push_back(one.margin > 0 ? one.attribute : unknown);
  return attributes;
}

/// What the model answers about each subject under relation r.
template <class Model, int R>
std::vector<int> answers_about(const Model& model, const fact_table<R>& facts, const std::vector<int>& subjects,
                               int r) {
  const int path[] = {r};
  return attributes_of(model, output_direct(model, subjects, std::span<const int>(path)), facts.codomain(r));
}

/// At most `count` of 0..n-1 at random, all of them where count is 0.
inline std::vector<int> sample(int n, int count, std::uint64_t seed) {
  auto all = random_permutation(n, random_stream(seed, 0x73616d70));
  if (count > 0 && count < n) all.resize(static_cast<std::size_t>(count));
  return all;
}

/// The share of the known facts about these subjects that the model recalls, under relation r.
template <class Model, int R>
double recall_of(const Model& model, const fact_table<R>& facts, const std::vector<int>& subjects, int r) {
  const auto said = answers_about(model, facts, subjects, r);
  index_t known = 0, recalled = 0;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const int a = facts(subjects[i], r);
    known += a != unknown;
    recalled += a != unknown && a == said[i];
  }
  return known > 0 ? static_cast<double>(recalled) / static_cast<double>(known) : 0;
}

/// Mean over the relations.
template <class Model, int R>
double recall_of(const Model& model, const fact_table<R>& facts, const std::vector<int>& subjects) {
  double sum = 0;
  for (int r = 0; r < facts.relations(); ++r) sum += recall_of(model, facts, subjects, r);
  return sum / facts.relations();
}

}  // namespace geofact::probe
