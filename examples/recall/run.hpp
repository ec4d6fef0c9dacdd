#pragma once
#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdio>
#include <map>
#include <variant>

#include "geofact/geofact.hpp"
#include "settings.hpp"

namespace {

using namespace geofact;

template <class Scalar>
struct built {
  std::variant<parameters<Scalar>, sparse_parameters<Scalar>> model;
  summary sizes;
  int code_length, beta;
};

/// The code that is asked for, as a table: one type whatever it is.
template <class Number>
tabulated_code<Number> chosen_code(const settings& wanted, int attributes) {
  if constexpr (std::floating_point<Number>)
    return tabulated_code<Number>(circle_code(attributes));
  else {
    if (wanted.code == "parity") return tabulated_code<Number>(parity_code(attributes));
    if (wanted.code == "one-hot") return tabulated_code<Number>(one_hot_code(attributes));
    if (wanted.code == "binary") return tabulated_code<Number>(binary_code(attributes));
    const int length = wanted.code_length > 0 ? wanted.code_length : random_sign_code<>::usual_length(attributes);
    return tabulated_code<Number>(random_sign_code(attributes, length, wanted.seed));
  }
}

template <class Scalar, class Construction>
built<Scalar> build_from(const settings& wanted, const fact_table<>& facts, const Construction& c, int beta = 0) {
  const summary sizes = summarize(c, facts);
  if (wanted.sparse) return {realize_sparse<Scalar>(c, facts, wanted.threads), sizes, c.output(), beta};
  return {realize<Scalar>(c, facts, wanted.threads), sizes, c.output(), beta};
}

/// The wanted construction for questions of `hops` hops, by codes of `Number`s.
template <class Scalar, class Number>
built<Scalar> build_coded(const settings& wanted, const fact_table<>& facts, int hops) {
  const std::string& name = wanted.construction;
  const int n = facts.subjects(), relations = facts.relations();
  const auto code = chosen_code<Number>(wanted, facts.entities());  // chains and lookups name subjects too
  if (name == "chain-of-thought") {
    using table = tabulated_code<int>;
    const table positions = wanted.positions == "binary" ? table(binary_code(hops)) : table(one_hot_code(hops));
    const auto c = chain_of_thought_with_margin(code, relations, positions, wanted.margin_share);
    return build_from<Scalar>(wanted, facts, c, c.beta());
  }
  if (name == "linear-memory" || name == "mlp-memory") {
    require(hops == 1, "an associative memory answers one hop, not ", hops);
    if constexpr (std::integral<Number>) {
      const int key_length = wanted.key_length > 0 ? wanted.key_length : code.length();
      const int features = name == "linear-memory" ? 0 : wanted.features > 0 ? wanted.features : 4 * key_length;
      return build_from<Scalar>(wanted, facts,
                                associative_memory(code, n, relations, key_length, features, wanted.seed));
    }
    throw error("an associative memory counts in integers: take another code than the circle");
  }
  const int embedded = name == "tree" ? hops : name == "lookup" ? 0 : (std::min)(wanted.embedded, hops);
  return build_from<Scalar>(wanted, facts, multi_hop(code, relations, hops, embedded, wanted.per_layer, n));
}

/// The model of the wanted construction for questions of `hops` hops.
template <class Scalar>
built<Scalar> build(const settings& wanted, const fact_table<>& facts, int hops) {
  if (!facts.shared()) {
    require(hops == 1 && wanted.construction == "tree" && wanted.code == "binary",
            "disjoint attributes are answered by one hop of --construction tree --code binary");
    return build_from<Scalar>(wanted, facts, disjoint_single_hop(facts));
  }
  if (wanted.code != "circle") return build_coded<Scalar, int>(wanted, facts, hops);
  if constexpr (std::floating_point<Scalar>) return build_coded<Scalar, double>(wanted, facts, hops);
  throw error("the circle code has real coordinates: take --scalar float or double");
}

template <class Model>
reply answer_question(const Model& model, const fact_table<>& facts, const question& asked) {
  const auto one = [&](const answer& a) { return reply{{a.attribute}, a.margin}; };
  if (model.heads() == 0)
    return one(ask_direct(model, {asked.subject}, asked.path, facts.codomain(asked.path.back()))[0]);
  reply chain{{}, std::numeric_limits<double>::infinity()};
  for (const auto& thought : ask_chain(model, {asked.subject}, asked.path)) {
    chain.attributes.push_back(thought[0].attribute);
    chain.margin = (std::min)(chain.margin, thought[0].margin);
    if (thought[0].attribute == unknown) break;
  }
  return chain;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A bar on the terminal, drawn only for work that takes longer than a second.
std::function<void(double)> progress_bar() {
  return [start = std::chrono::steady_clock::now(), shown = -1](double share) mutable {
    const int percent = static_cast<int>(100 * share);
    if (seconds_since(start) < 1 || percent == shown) return;
    shown = percent;
    std::fprintf(stderr, "\rverifying [%-40.*s] %3d %%%s", percent * 40 / 100,
                 "########################################", percent, share >= 1 ? "\n" : "");
  };
}

}  // namespace

template <class Scalar>
report run(const settings& wanted, const geofact::knowledge& known) {
  report result;
  auto start = std::chrono::steady_clock::now();
  const built<Scalar> main = build<Scalar>(wanted, known.facts, wanted.hops);
  result.construct_seconds = seconds_since(start);
  result.sizes = main.sizes, result.code_length = main.code_length, result.beta = main.beta;

  start = std::chrono::steady_clock::now();
  verify_options options{wanted.decoder, wanted.limit, wanted.seed, wanted.threads};
  if (wanted.progress) options.progress = progress_bar();
  result.found = std::visit([&](const auto& model) { return verify(model, known.facts, options); }, main.model);
  result.verify_seconds = seconds_since(start);

  std::map<int, built<Scalar>> shorter;  // direct models answer exactly their number of hops
  for (const question& asked : wanted.questions) {
    const int hops = static_cast<int>(asked.path.size());
    const bool chain = wanted.construction == "chain-of-thought";
    if (!chain && hops != wanted.hops && !shorter.contains(hops))
      shorter.emplace(hops, build<Scalar>(wanted, known.facts, hops));
    const built<Scalar>& from = chain || hops == wanted.hops ? main : shorter.at(hops);
    result.replies.push_back(
        std::visit([&](const auto& model) { return answer_question(model, known.facts, asked); }, from.model));
  }
  return result;
}
