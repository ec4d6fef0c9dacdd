#pragma once
#include <string>
#include <type_traits>
#include <vector>

#include "geofact/fact/fact_table.hpp"
#include "geofact/foundation/random.hpp"
#include "geofact/io/model_file.hpp"
#include "geofact/training/adam.hpp"
#include "geofact/training/history.hpp"
#include "geofact/training/task.hpp"

namespace geofact {

/// What a run has to say of itself, so that it goes on only as what it was: its settings, task and facts.
template <int R>
text_map run_identity(const recipe& r, const task& asked, const fact_table<R>& facts) {
  text_map identity;
  for_each_setting(r, [&](const std::string& name, const auto& value) {
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>> || std::is_same_v<decltype(value), const bool&>)
      identity["run.setting." + name] = std::to_string(static_cast<int>(value));
    else
      identity["run.setting." + name] = detail::printed(value);
  });
  identity["run.setting.mode"] = std::to_string(static_cast<int>(asked.how));
  identity["run.setting.hops"] = std::to_string(asked.hops);
  std::uint64_t digest =
      mix(static_cast<std::uint64_t>(facts.subjects()) << 32 ^ static_cast<std::uint64_t>(facts.relations()));
  for (int s = 0; s < facts.subjects(); ++s)
    for (int i = 0; i < facts.relations(); ++i) digest = mix(digest ^ static_cast<std::uint64_t>(facts(s, i) + 2));
  identity["run.setting.facts"] = std::to_string(digest);
  return identity;
}

/// Writes all that a run is in the middle of as a model file with more beside the model: Adam's moments
/// ("run.mean.TABLE", "run.square.TABLE") and the history. A kill at any time leaves the old file or the new one.
template <class Model>
void write_checkpoint(const std::string& path, const learner_state<Model>& state,
                      const std::vector<training_step>& history, text_map identity) {
  matrix<double> rows(6, std::ssize(history));
  for (index_t i = 0; i < rows.cols(); ++i) {
    const auto& h = history[static_cast<std::size_t>(i)];
    rows.col(i) << h.step, h.cross_entropy, h.recall, h.rate, h.seconds, h.judged;
  }
  const auto& tables = state.model.tables();
  auto beside = detail::table_tensors("run.mean.", tables, state.mean);
  const auto squares = detail::table_tensors("run.square.", tables, state.square);
  beside.insert(beside.end(), squares.begin(), squares.end());
  beside.push_back({"run.history", rows});
  identity["run.updates"] = std::to_string(state.updates);
  write_model(path, state.model, std::move(identity), element_of<typename Model::Scalar>, beside);
}

/// Reads a checkpoint into the state of a new run, and returns the history. Throws, before anything changes, for a file
/// that is damaged, has other sizes, or was left by a run with other settings, another task or other facts.
template <class Model>
std::vector<training_step> read_checkpoint(const std::string& path, learner_state<Model>& state,
                                           const text_map& identity) {
  const safetensors_file file(path);
  for (const auto& [key, value] : identity) {
    const auto& found = detail::metadata_at(file, key);
    const std::string name = key.substr(std::string("run.setting.").size());
    if (name == "facts") require(found == value, path, ": was left by a run on other facts");
    require(found == value, path, ": was left by a run with ", name, ' ', found, ", not ", value);
  }
  using Scalar = typename Model::Scalar;
  learner_state<Model> saved(Model(state.model.extents()));
  for (const auto& e : file.entries())
    require(e.type == (e.name == "run.history" ? element::f64 : element_of<Scalar>), path, ": tensor \"", e.name,
            "\" holds ", name_of(e.type), ": a run goes on only in the scalars in which it began");
  read_into(file, saved.model);
  detail::read_tables(file, "run.mean.", saved.model.tables(), saved.mean);
  detail::read_tables(file, "run.square.", saved.model.tables(), saved.square);
  const std::string updates = path + ": the metadata \"run.updates\"";
  saved.updates = detail::parsed<int>(detail::metadata_at(file, "run.updates"), updates);
  const auto rows = file["run.history"].to_matrix<double>();
  const index_t steps = rows.cols();
  require(rows.rows() == 6 && saved.updates >= 0 && (steps == saved.updates || steps == saved.updates + 1), path, ": ",
          saved.updates, " updates do not belong to a history of shape ", shape_text(file["run.history"].shape()));
  std::vector<training_step> history;
  for (index_t i = 0; i < steps; ++i) {
    const auto h = rows.col(i);
    require(h[0] == static_cast<double>(i), path, ": entry ", i, " of its history is of step ", h[0]);
    history.push_back({static_cast<int>(i), h[1], h[2], h[3], h[4], h[5] != 0});
  }
  state = std::move(saved);
  return history;
}

}  // namespace geofact
