// Claim: the r-part of an embedding is what the model answers under relation r. Exchange it, and the model gives the
// other subject's answer under r and its own under every other relation; remove the units that serve r, and the facts
// of r are lost alone.
#include <geofact/geofact.hpp>
#include <iostream>

#include "heat_map.hpp"

// Relations by hidden units: how much of each unit's information serves each relation. The units of a relation stand
// together, those that serve it alone first.
heat_map picture(const geofact::matrix<float>& scores) {
  std::vector<geofact::index_t> order(static_cast<std::size_t>(scores.cols()));
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&](geofact::index_t unit) {
    geofact::index_t relation = 0;
    const float share = scores.col(unit).maxCoeff(&relation);
    return std::pair{relation, -share};
  };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return place(a) < place(b); });
  heat_map map{"Share of a hidden unit's information that serves a relation", "unit", {}, {}, {}, 3};
  for (geofact::index_t r = 0; r < scores.rows(); ++r) {
    map.rows.push_back("relation " + std::to_string(r));
    map.values.emplace_back();
    for (const auto unit : order) map.values.back().push_back(scores(r, unit));
  }
  return map;
}

// Given a file name, it draws the units into it as SVG.
int main(int argc, char** argv) {
  using namespace geofact;
  const auto facts = random_bijections(512, {.relations = 2, .seed = 22});
  const auto run = train<float>(facts, geometric(72));  // c = 4
  const auto& model = run.model;

  // e_s += a M_r (u_{f_r(s')} - u_{f_r(s)}), at growing scales a. Beside it an edit of the same size in a random
  // direction: what it does is what any edit does.
  const auto swapped = probe::swap_answers(model, facts);
  std::cout << "swap of one answer, N = 512, R = 2, d = 72\n" << swapped << '\n';

  // Units: which relation does each serve? The share of the variance that it brings to the output.
  const auto scores = probe::unit_scores(model, facts, probe::unit_score::information);
  std::cout << "units by the share of their information that serves relation 0: ";
  for (int tenth = 0; tenth < 10; ++tenth)
    std::cout << (scores.row(0).array() >= 0.1F * static_cast<float>(tenth) &&
                  scores.row(0).array() < 0.1F * static_cast<float>(tenth + 1) + (tenth == 9 ? 1e-3F : 0.F))
                     .count()
              << (tenth < 9 ? ", " : "\n\n");
  if (argc > 1) write_svg(argv[1], {picture(scores)});
  std::cout << "ablation of the units that serve a relation most\n" << probe::ablate_units(model, facts) << '\n';

  std::cout
      << "interchange of units between two subjects that are asked the same: share that gives the donor's answer\n"
      << "relation | units | its units | all others | as many random units\n";
  for (const auto& one : probe::interchange_units(model, facts))
    std::cout << "       " << one.relation << " |   " << one.units << " |     " << one.own_units << " |      "
              << one.other_units << " | " << one.random_units << '\n';
  return swapped.best().efficacy > 0.95 && swapped.best().specificity > 0.95 ? 0 : 1;
}
