#pragma once
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "geofact/fact/knowledge.hpp"
#include "geofact/probe/hidden_states.hpp"
#include "geofact/probe/readout.hpp"
#include "geofact/probe/superposition.hpp"

namespace geofact::probe {

/// Facts about the subjects of some states, in their order, and what was left out.
struct alignment {
  std::vector<int> columns;  ///< of the states, one a subject of `facts`
  fact_table<> facts;        ///< relations and attributes as in the knowledge
  std::vector<std::string> without_facts, without_states;
};

/// The facts about the subjects that have both facts and states. Throws where there are none.
inline alignment align(const knowledge& known, const names& subjects) {
  alignment both{{}, fact_table<>(1, 1, 1), {}, {}};
  std::vector<int> rows;
  for (int i = 0; i < subjects.size(); ++i)
    if (const int s = known.subjects.find(subjects[i]); s == unknown)
      both.without_facts.push_back(subjects[i]);
    else
      both.columns.push_back(i), rows.push_back(s);
  for (const auto& name : known.subjects.all())
    if (subjects.find(name) == unknown) both.without_states.push_back(name);
  require(!rows.empty(), "none of the ", subjects.size(), " subjects with states, such as ", in_quotes(subjects[0]),
          ", has facts");
  both.facts = fact_table<>(to_extent(std::ssize(rows)), known.relations.size(), known.facts.attributes());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int r = 0; r < known.relations.size(); ++r) both.facts.set(static_cast<int>(i), r, known.facts(rows[i], r));
  return both;
}

/// Facts with some relations alone, and the numbers that these had.
struct some_relations {
  fact_table<> facts;
  std::vector<int> relations;
};

/// The facts whose answer `keep(r, answer)` accepts, attributes numbered by `renumber`; relations with more than
/// `least` subjects and at least two answers.
inline some_relations restrict_facts(const fact_table<>& facts, int attributes, int least,
                                     const std::function<int(int, int)>& renumber) {
  std::vector<int> kept;
  const auto answer = [&](int s, int r) { return facts(s, r) == unknown ? unknown : renumber(r, facts(s, r)); };
  for (int r = 0; r < facts.relations(); ++r) {
    std::vector<int> answers;
    for (int s = 0; s < facts.subjects(); ++s)
      if (const int a = answer(s, r); a != unknown) answers.push_back(a);
    if (std::ssize(answers) > least && detail::distinct(answers).size() >= 2) kept.push_back(r);
  }
  some_relations some{
      fact_table<>(facts.subjects(), (std::max)(1, static_cast<int>(kept.size())), (std::max)(1, attributes)), kept};
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (int s = 0; s < facts.subjects(); ++s)
      if (const int a = answer(s, kept[i]); a != unknown) some.facts.set(s, static_cast<int>(i), a);
  return some;
}

/// What was found in one layer.
struct layer_figures {
  std::string name;
  std::vector<std::optional<relation_readout>>
      classes;                                       ///< [relation] which of the answers that several subjects share
  std::vector<std::optional<relation_readout>> map;  ///< [relation] the linear map W e + b to the answer's vector
  superposition_report superposition;                ///< e_s from the classes of all relations
};

/// What was found in all layers.
struct layers_report {
  std::vector<layer_figures> layers;
  std::vector<std::string> without_facts, without_states, warnings;
  int subjects = 0;

  /// The layer whose recall of a relation exceeds its greatest control most, by classes or by the map; -1 where it was
  /// not measured.
  int best_layer(int relation, std::vector<std::optional<relation_readout>> layer_figures::*which) const {
    int best = -1;
    double most = -1e300;
    for (std::size_t l = 0; l < layers.size(); ++l)
      if (const auto& cell = (layers[l].*which)[static_cast<std::size_t>(relation)]; cell && cell->excess() > most)
        most = cell->excess(), best = static_cast<int>(l);
    return best;
  }
};

/// How to probe layers.
struct layers_options {
  readout_options readout{};
  std::vector<index_t> layers{};  ///< empty: all
  std::function<void(index_t done, index_t all)> progress = nullptr;
};

/// Vectors for `count` classes: the unit vectors, or where there are many random ones that are nearly orthogonal.
template <class Scalar = float>
matrix<Scalar> class_codes(int count, int most = 256) {
  if (count <= most) return matrix<Scalar>::Identity(count, count);
  matrix<Scalar> codes = random_like(matrix<Scalar>(most, count), 0x636f6465);
  codes.colwise().normalize();
  return codes;
}

/// Probes every layer of a file of hidden states for every relation, one layer in memory at a time.
///
/// *Classes*: a readout of the answers that at least two subjects share; what only one subject has cannot be predicted
/// for it when it is held out. *Map*: where the file has a vector for each answer, the linear relational map W e + b
/// (Hernandez et al., arXiv 2308.09124), whose faithfulness is the recall of held-out subjects among all answers of the
/// relation. *Superposition*: the states as sums of the classes of all relations. Each with its controls.
///
/// Throws where facts and states have no subject in common and where no relation can be measured; subjects without
/// facts or states are listed.
template <class Scalar = float>
layers_report probe_layers(const hidden_states& file, const knowledge& known, const layers_options& options = {}) {
  const alignment both = align(known, file.subject_names());
  const int relations = known.relations.size(), folds = options.readout.folds;
  layers_report report;
  report.without_facts = both.without_facts, report.without_states = both.without_states;
  report.subjects = both.facts.subjects();

  std::vector<std::vector<int>> count(static_cast<std::size_t>(relations),
                                      std::vector<int>(static_cast<std::size_t>(known.facts.attributes())));
  for (int r = 0; r < relations; ++r)
    for (int s = 0; s < both.facts.subjects(); ++s)
      if (const int a = both.facts(s, r); a != unknown)
        ++count[static_cast<std::size_t>(r)][static_cast<std::size_t>(a)];
  std::vector<int> number(static_cast<std::size_t>(known.facts.attributes()), unknown);  // of the shared answers
  int classes = 0;
  for (std::size_t a = 0; a < number.size(); ++a)
    if (std::any_of(count.begin(), count.end(), [&](const auto& of) { return of[a] >= 2; })) number[a] = classes++;
  const auto shared = restrict_facts(both.facts, classes, folds, [&](int r, int a) {
    const auto at = static_cast<std::size_t>(a);
    return count[static_cast<std::size_t>(r)][at] >= 2 ? number[at] : unknown;
  });
  const matrix<Scalar> codes = class_codes<Scalar>((std::max)(1, classes));

  std::vector<int> vector_of(static_cast<std::size_t>(known.facts.attributes()), unknown);
  if (file.answers().size() > 0)
    for (std::size_t a = 0; a < vector_of.size(); ++a) vector_of[a] = file.answer_names().find(known.attributes[a]);
  const auto mapped = restrict_facts(both.facts, static_cast<int>(file.answers().cols()), folds,
                                     [&](int, int a) { return vector_of[static_cast<std::size_t>(a)]; });
  require(!shared.relations.empty() || !mapped.relations.empty(), "no relation can be probed: each has at most ", folds,
          " subjects whose answer another one shares, and no vectors for its answers");
  const auto warn_about = [&](const some_relations& some, const std::string& what) {
    for (int r = 0; r < relations; ++r)
      if (std::find(some.relations.begin(), some.relations.end(), r) == some.relations.end())
        report.warnings.push_back(in_quotes(known.relations[r]) + what);
  };
  warn_about(shared,
             ": no classes, as at most " + std::to_string(folds) + " subjects share an answer with another one");
  if (file.answers().size() > 0)
    warn_about(mapped, ": no map, as at most " + std::to_string(folds) + " of its facts have a vector for the answer");

  auto layers = options.layers;
  if (layers.empty())
    for (index_t l = 0; l < file.layers(); ++l) layers.push_back(l);
  for (const index_t l : layers) {
    require(0 <= l && l < file.layers(), "layer ", l, " is not among the ", file.layers(), " layers of the file");
    matrix<Scalar> states = file.layer(l);
    if (std::ssize(both.columns) != states.cols()) states = matrix<Scalar>(states(Eigen::all, both.columns));
    layer_figures found;
    found.name = file.layer_name(l);
    found.classes.resize(static_cast<std::size_t>(relations)), found.map.resize(static_cast<std::size_t>(relations));
    const auto note = [&](const std::vector<std::string>& warnings, const std::string& what) {
      for (const auto& warning : warnings)
        if (const auto text = what + ": " + warning;
            std::find(report.warnings.begin(), report.warnings.end(), text) == report.warnings.end())
          report.warnings.push_back(text);
    };
    const auto read = [&](const some_relations& some, const matrix<Scalar>& targets, auto& cells, const char* what) {
      if (some.relations.empty()) return;
      const auto all = readout(states, targets, some.facts, options.readout);
      for (const auto& one : all.relations)
        cells[static_cast<std::size_t>(some.relations[static_cast<std::size_t>(one.relation)])] = one;
      note(all.warnings, what);
    };
    read(shared, codes, found.classes, "classes");
    read(mapped, file.answers(), found.map, "map");
    if (!shared.relations.empty()) {
      found.superposition = superposition(states, codes, shared.facts,
                                          {.folds = folds,
                                           .shuffles = options.readout.shuffles,
                                           .seed = options.readout.seed,
                                           .threads = options.readout.threads});
      note(found.superposition.warnings, "superposition");
    }
    report.layers.push_back(std::move(found));
    if (options.progress) options.progress(std::ssize(report.layers), std::ssize(layers));
  }
  return report;
}

}  // namespace geofact::probe
