// Claim: the MLP knows no fact, it knows how to read answers off an embedding. So with MLP, relations and unembedding
// frozen, facts that the model has never seen are written into the embeddings by a formula, without any training.
#include <geofact/geofact.hpp>
#include <iostream>

int main() {
  using namespace geofact;
  const auto old_facts = random_bijections(512, {.relations = 4, .seed = 23});
  const auto new_facts = random_bijections(512, {.relations = 4, .seed = 1023});

  // On the construction the formula is the theorem: it works for any facts.
  const auto constructed = realize<float>(tree(binary_code(512), 4), old_facts);
  std::cout << "CONSTRUCTION\n" << probe::freeze_and_swap(constructed, old_facts, new_facts) << '\n';

  // A trained model, c = 3. Its penalty and scale are chosen on the old facts; the new ones are only judged.
  const auto run = train<float>(old_facts, geometric(108));
  const auto found = probe::freeze_and_swap(run.model, old_facts, new_facts);
  std::cout << "TRAINED, E alone (U frozen)\n" << found << '\n';

  // High recall of new facts does not prove that E held the old ones: a model with frozen random E and trained U takes
  // new facts too. Its reconstruction R^2 tells them apart.
  auto frozen = geometric(108).as(variant::fe);
  frozen.entity.scale = 1;
  const auto other = train<float>(old_facts, frozen);
  std::cout << "TRAINED, U alone (E frozen)\n" << probe::freeze_and_swap(other.model, old_facts, new_facts);
  return found.best().recall() > 0.95 ? 0 : 1;
}
