// Claim: gradient descent finds what the constructions show. With trained embeddings a narrow model memorises every
// fact; with frozen random ones (an associative memory) the same width does not suffice.
#include <geofact/geofact.hpp>
#include <iomanip>
#include <iostream>

int main() {
  const auto facts = geofact::random_bijections(256, {.relations = 4, .seed = 1});  // 1024 facts
  const auto recipe = geofact::fast(16);                                            // d = R log2(N) / 2, hidden 4 d

  std::cout << "N = 256, R = 4, d = 16: share of the facts recalled\n\n"
            << "trained       | at the start | step 10 | step 20 | at the end | first step with all\n";
  const auto row = [&](const char* name, geofact::variant which) {
    const auto run = geofact::train<float>(facts, recipe.as(which));
    const auto at = [&](std::size_t step) { return run.history[(std::min)(step, run.history.size() - 1)].recall; };
    std::cout << std::left << std::setw(13) << name << std::right << std::fixed << std::setprecision(3) << " | "
              << std::setw(12) << at(0) << " | " << std::setw(7) << at(10) << " | " << std::setw(7) << at(20) << " | "
              << std::setw(10) << run.recall() << " | " << std::setw(19);
    if (run.steps_to(1) >= 0)
      std::cout << run.steps_to(1) << '\n';
    else
      std::cout << "none" << '\n';
    return run;
  };
  const auto trained = row("E and U", geofact::variant::eu);
  row("E alone", geofact::variant::fu);
  row("U alone", geofact::variant::fe);
  row("neither", geofact::variant::feu);

  // The trained model is of the same type as a constructed one, and is verified in the same way.
  const auto found = geofact::verify(trained.model, facts);
  std::cout << "\nE and U, verified: " << found << '\n';
  return found.exact() ? 0 : 1;
}
