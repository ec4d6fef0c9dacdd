// Claim: what gradient descent finds has the geometry of the construction. The embedding of a subject is, nearly, a sum
// of linear images of its answers, one for each relation; and each answer can be read off it by a linear map.
#include <geofact/geofact.hpp>
#include <iostream>

int main() {
  using namespace geofact;
  const auto facts = random_bijections(512, {.relations = 4, .seed = 21});

  // The construction: e_s holds the code of f_r(s) in block r. The probes find exactly that.
  const auto constructed = realize<float>(tree(binary_code(512), 4), facts);
  std::cout << "CONSTRUCTION, width " << constructed.width() << '\n'
            << probe::superposition(constructed, facts) << '\n';

  // The trained model: c = d / (R log2 N) = 2. No block structure is given; U is frozen and random, so the answers can
  // only be superposed in E.
  const auto run = train<float>(facts, geometric(72));
  std::cout << "TRAINED, width 72, recall " << run.recall() << '\n'
            << probe::superposition(run.model, facts) << '\n'
            << "readout of each answer from e_s, for held-out subjects\n"
            << probe::readout(run.model, facts) << '\n';

  // The associative memory: E frozen at random. It cannot be a superposition of answers, and is not. What it recalls,
  // it recalls by its MLP.
  const auto memory = train<float>(facts, geometric(72).as(variant::feu));
  std::cout << "ASSOCIATIVE MEMORY, width 72, recall " << memory.recall() << '\n'
            << probe::superposition(memory.model, facts);

  const auto found = probe::superposition(run.model, facts);
  return found.r2 > 0.8 && found.shuffled.mean < 0.05 ? 0 : 1;
}
