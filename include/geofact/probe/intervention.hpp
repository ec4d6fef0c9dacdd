#pragma once
#include <iomanip>
#include <ostream>
#include <sstream>
#include <vector>

#include "geofact/probe/closed_form.hpp"

namespace geofact::probe {

/// How to give a subject another's answer under one relation.
struct swap_options {
  closed_form how = closed_form::jacobian_inverse;  ///< what the r-part of an embedding is taken to be
  std::vector<double> scales = {0.25, 0.5, 0.75, 1, 1.5, 2, 3};
  int subjects = 512;  ///< a sample, half of it to choose the scale by; 0: all
  std::uint64_t seed = 1;
  int threads = 0;
};

/// What became of edited subjects, at one scale.
struct swap_outcome {
  double scale = 0;
  double efficacy = 0;     ///< share that gives the donor's answer under the edited relation
  double old_answer = 0;   ///< share that still gives its own
  double specificity = 0;  ///< share of answers under all other relations that are unchanged and right
  double random_efficacy = 0, random_specificity = 0;  ///< the same for an edit of the same size in a random direction
};

/// A sweep of scales, on subjects that did not choose the best one.
struct swap_report {
  std::vector<swap_outcome> sweep;
  std::size_t chosen = 0;               ///< greatest lesser of efficacy and specificity on other subjects
  std::vector<swap_outcome> relations;  ///< at the chosen scale, by edited relation
  double lambda = 0;
  const swap_outcome& best() const { return sweep[chosen]; }
};

inline std::ostream& operator<<(std::ostream& out, const swap_report& report) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3)
       << " scale | donor's answer | old answer | others kept | random edit: donor's | others kept\n";
  for (std::size_t i = 0; i < report.sweep.size(); ++i) {
    const auto& one = report.sweep[i];
    text << std::setw(6) << one.scale << " | " << std::setw(14) << one.efficacy << " | " << std::setw(10)
         << one.old_answer << " | " << std::setw(11) << one.specificity << " | " << std::setw(20) << one.random_efficacy
         << " | " << std::setw(11) << one.random_specificity << (i == report.chosen ? "  chosen on other subjects" : "")
         << '\n';
  }
  return out << text.str();
}

namespace detail {

/// Pairs of a subject and a donor with another answer under relation r.
template <int R>
std::vector<std::pair<int, int>> donors(const fact_table<R>& facts, const std::vector<int>& subjects, int r,
                                        const random_stream& random) {
  const auto known = known_subjects(facts, r);
  std::vector<std::pair<int, int>> pairs;
  std::uint64_t draws = 0;
  for (int s : subjects) {
    if (facts(s, r) == unknown) continue;
    for (int tries = 0; tries < 64; ++tries) {
      const int donor = known[static_cast<std::size_t>(random.below(static_cast<int>(known.size()), draws++))];
      if (facts(donor, r) == facts(s, r)) continue;
      pairs.emplace_back(s, donor);
      break;
    }
  }
  require(!pairs.empty(), "relation ", r, " has no two subjects with different answers: there is nothing to swap");
  return pairs;
}

/// Edits subjects one relation at a time and asks every relation about them.
template <class Model, int R>
class swap_trial {
  using Scalar = typename Model::Scalar;

 public:
  swap_trial(const Model& model, const fact_table<R>& facts, const embedding_map<Scalar>& embeddings,
             std::vector<int> subjects, std::uint64_t seed)
      : model_(model),
        edited_(model),
        facts_(facts),
        embeddings_(embeddings),
        subjects_(std::move(subjects)),
        seed_(seed) {}

  swap_outcome operator()(double scale, int r) {
    const auto pairs = donors(facts_, subjects_, r, random_stream(seed_, static_cast<std::uint64_t>(r)));
    std::vector<int> subjects;
    matrix<Scalar> change(model_.output(), std::ssize(pairs));
    for (const auto& [s, donor] : pairs) {
      change.col(std::ssize(subjects)) =
          (model_.unembedding().row(facts_(donor, r)) - model_.unembedding().row(facts_(s, r))).transpose();
      subjects.push_back(s);
    }
    const matrix<Scalar> edit = static_cast<Scalar>(scale) * (embeddings_.part(r, facts_.relations()) * change);
    matrix<Scalar> random = random_like(edit, seed_ + 1);
    for (index_t i = 0; i < edit.cols(); ++i) random.col(i) *= edit.col(i).norm() / random.col(i).norm();
    swap_outcome found{.scale = scale};
    double unused = 0;
    ask(pairs, subjects, edit, r, found.efficacy, found.old_answer, found.specificity);
    ask(pairs, subjects, random, r, found.random_efficacy, unused, found.random_specificity);
    return found;
  }

 private:
  void ask(const std::vector<std::pair<int, int>>& pairs, const std::vector<int>& subjects, const matrix<Scalar>& edit,
           int r, double& donor, double& old, double& kept) {
    edited_.entity() = model_.entity();
    edited_.entity()(Eigen::all, subjects) += edit;
    const int path[] = {r};
    const auto outputs = [&](const Model& m) { return output_direct(m, subjects, std::span<const int>(path)); };
    require(outputs(edited_) != outputs(model_), "the swap of relation ", r,
            " changes no output of the model: it is no intervention");
    index_t others = 0, right = 0;
    for (int q = 0; q < facts_.relations(); ++q) {
      const auto said = answers_about(edited_, facts_, subjects, q);
      for (std::size_t i = 0; i < pairs.size(); ++i)
        if (q == r)
          donor += said[i] == facts_(pairs[i].second, r), old += said[i] == facts_(pairs[i].first, r);
        else if (const int a = facts_(pairs[i].first, q); a != unknown)
          ++others, right += said[i] == a;
    }
    donor /= static_cast<double>(subjects.size()), old /= static_cast<double>(subjects.size());
    kept = others > 0 ? static_cast<double>(right) / static_cast<double>(others) : 1;
  }

  const Model& model_;
  Model edited_;
  const fact_table<R>& facts_;
  const embedding_map<Scalar>& embeddings_;
  std::vector<int> subjects_;
  std::uint64_t seed_;
};

/// The mean of outcomes at one scale.
inline swap_outcome mean_of(const std::vector<swap_outcome>& all) {
  swap_outcome mean{.scale = all[0].scale};
  for (const auto figure : {&swap_outcome::efficacy, &swap_outcome::old_answer, &swap_outcome::specificity,
                            &swap_outcome::random_efficacy, &swap_outcome::random_specificity}) {
    for (const auto& one : all) mean.*figure += one.*figure;
    mean.*figure /= static_cast<double>(all.size());
  }
  return mean;
}

}  // namespace detail

/// Replaces the r-part of embeddings, e_s += a M_r (u_{f_r(s')} - u_{f_r(s)}), and asks all relations: does the subject
/// give the donor's answer under r, and its own under all others? M is a closed form of the size of the embeddings, a
/// the scale; the sweep is judged on one half of the subjects and the scale chosen on the other.
///
/// Throws where an edit changes no output, where a relation has one answer only, and where model and facts do not fit.
template <std::floating_point Scalar, shape S, int R>
swap_report swap_answers(const parameters<Scalar, S>& model, const fact_table<R>& facts,
                         const swap_options& options = {}) {
  require_fit(model, facts);
  require(!options.scales.empty(), "a sweep needs a scale");
  for (double scale : options.scales)
    require(scale != 0 && std::isfinite(scale), "a swap at the scale ", scale,
            " changes nothing: it is no intervention");
  const auto chosen = choose_closed_form(
      options.how, model, facts,
      {.scales = {1}, .subjects = options.subjects, .seed = options.seed, .threads = options.threads});
  auto judged = sample(facts.subjects(), options.subjects, options.seed);
  require(judged.size() >= 4, "a swap needs at least 4 subjects, half of them to choose the scale, not ",
          judged.size());
  const auto half = judged.begin() + std::ssize(judged) / 2;
  using trial = detail::swap_trial<parameters<Scalar, S>, R>;
  trial choice(model, facts, chosen.embeddings, {judged.begin(), half}, options.seed);
  trial report(model, facts, chosen.embeddings, {half, judged.end()}, options.seed + 2);
  swap_report found;
  found.lambda = chosen.lambda;
  double best = -1;
  for (double scale : options.scales) {
    std::vector<swap_outcome> chooses, reports;
    for (int r = 0; r < facts.relations(); ++r)
      chooses.push_back(choice(scale, r)), reports.push_back(report(scale, r));
    found.sweep.push_back(detail::mean_of(reports));
    const auto mean = detail::mean_of(chooses);
    if (const double worse = (std::min)(mean.efficacy, mean.specificity); worse > best)
      best = worse, found.chosen = found.sweep.size() - 1, found.relations = std::move(reports);
  }
  return found;
}

}  // namespace geofact::probe
