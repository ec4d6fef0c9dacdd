// Claim: the r-part of an embedding is what the model answers under relation r. Exchange it, and the model gives the
// other subject's answer under r and its own under every other relation; remove the units that serve r, and the facts
// of r are lost alone.
#include <geofact/geofact.hpp>
#include <iostream>

int main() {
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
  std::cout << "ablation of the units that serve a relation most\n" << probe::ablate_units(model, facts) << '\n';

  std::cout
      << "interchange of units between two subjects that are asked the same: share that gives the donor's answer\n"
      << "relation | units | its units | all others | as many random units\n";
  for (const auto& one : probe::interchange_units(model, facts))
    std::cout << "       " << one.relation << " |   " << one.units << " |     " << one.own_units << " |      "
              << one.other_units << " | " << one.random_units << '\n';
  return swapped.best().efficacy > 0.95 && swapped.best().specificity > 0.95 ? 0 : 1;
}
