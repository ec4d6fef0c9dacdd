#pragma once
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "geofact/fact/fact_table.hpp"
#include "geofact/foundation/matrix.hpp"
#include "geofact/foundation/random.hpp"

namespace geofact::probe {

/// One split of 0..n-1: what is fitted and what is held out.
struct fold {
  std::vector<int> fitted, held_out;
};

/// Splits of 0..n-1 at random, each number held out once. Throws for fewer numbers than folds.
inline std::vector<fold> split(int n, int folds, std::uint64_t seed) {
  require(folds >= 2, "held-out subjects need at least 2 folds, not ", folds);
  require(n > folds, folds, " folds need more than ", n, " subjects");
  const auto order = random_permutation(n, random_stream(seed, 0x666f6c64));
  std::vector<fold> all(static_cast<std::size_t>(folds));
  for (int k = 0; k < folds; ++k)
    for (int i = 0; i < n; ++i)
      (i % folds == k ? all[static_cast<std::size_t>(k)].held_out : all[static_cast<std::size_t>(k)].fitted)
          .push_back(order[static_cast<std::size_t>(i)]);
  return all;
}

/// The items of `all` at these places.
template <class T>
std::vector<T> pick(const std::vector<T>& all, const std::vector<int>& places) {
  std::vector<T> some;
  for (int i : places) some.push_back(all[static_cast<std::size_t>(i)]);
  return some;
}

/// `answers` in a random order: the same answers as often, but of other subjects.
inline std::vector<int> shuffled(const std::vector<int>& answers, const random_stream& random) {
  return pick(answers, random_permutation(static_cast<int>(answers.size()), random));
}

/// The subjects that have an answer to relation r.
template <int R>
std::vector<int> known_subjects(const fact_table<R>& facts, int r) {
  std::vector<int> known;
  for (int s = 0; s < facts.subjects(); ++s)
    if (facts(s, r) != unknown) known.push_back(s);
  return known;
}

/// The facts with the known answers of each relation dealt out anew.
template <int R>
fact_table<R> shuffled_facts(const fact_table<R>& facts, std::uint64_t seed) {
  fact_table<R> other = facts;
  for (int r = 0; r < facts.relations(); ++r) {
    const auto subjects = known_subjects(facts, r);
    std::vector<int> answers;
    for (int s : subjects) answers.push_back(facts(s, r));
    answers = shuffled(answers, random_stream(seed, static_cast<std::uint64_t>(r)));
    for (std::size_t i = 0; i < subjects.size(); ++i) other.set(subjects[i], r, answers[i]);
  }
  return other;
}

/// Mean and standard deviation of a figure over repetitions.
struct spread {
  double mean = 0, deviation = 0;
  spread() = default;
  explicit spread(const std::vector<double>& figures) {
    const auto n = static_cast<double>(figures.size());
    for (double x : figures) mean += x / n;
    for (double x : figures) deviation += n > 1 ? (x - mean) * (x - mean) / (n - 1) : 0;
    deviation = std::sqrt(deviation);
  }
};

/// The states of some subjects, as a function of which.
template <class Scalar>
auto states_of(const matrix<Scalar>& states) {
  return [&states](const std::vector<int>& subjects) -> matrix<Scalar> { return states(Eigen::all, subjects); };
}

/// Random states in their place: independent normal numbers, those of a subject whichever others are asked for.
template <class Scalar>
class random_states {
 public:
  random_states(index_t width, std::uint64_t seed) : width_(width), random_(seed, 0x72616e64) {}

  matrix<Scalar> operator()(const std::vector<int>& subjects) const {  // (width, subjects)
    matrix<Scalar> numbers(width_, std::ssize(subjects));
    for (index_t s = 0; s < numbers.cols(); ++s)
      for (index_t i = 0; i < width_; ++i)
        numbers(i, s) = static_cast<Scalar>(
            random_.normal(static_cast<std::uint64_t>(subjects[static_cast<std::size_t>(s)] * width_ + i)));
    return numbers;
  }

 private:
  index_t width_;
  random_stream random_;
};

/// Random numbers of the same shape.
template <class Scalar>
matrix<Scalar> random_like(const matrix<Scalar>& states, std::uint64_t seed) {
  std::vector<int> all(static_cast<std::size_t>(states.cols()));
  std::iota(all.begin(), all.end(), 0);
  return random_states<Scalar>(states.rows(), seed)(all);
}

}  // namespace geofact::probe
