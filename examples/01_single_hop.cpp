// Claim: one layer recalls N x R facts with embeddings of width R (log2 N + 1), because a subject's embedding is the
// superposition of its attributes' codes and the MLP only selects the block of the relation that is asked.
#include <geofact/geofact.hpp>
#include <iostream>

// Where the sizes are static, the theorem's are too: this is checked by the compiler.
static_assert(geofact::single_hop<geofact::binary_code<4096>, 16>().width() == 208);

int main() {
  // 4096 subjects, 16 relations, each a random bijection of the subjects: 65536 facts.
  const auto facts = geofact::random_bijections(4096, {.relations = 16, .seed = 1});

  // The theorem as an object: every weight is a formula. An attribute is written in log2(4096) = 12 signs.
  const geofact::tree theorem(geofact::binary_code(4096), 16);
  std::cout << "the construction: " << geofact::summarize(theorem, facts) << '\n';

  // The formula fills an ordinary one-layer transformer. In integers its forward pass is exact: a proof by exhaustion.
  const auto proof = geofact::verify(geofact::realize<int>(theorem, facts), facts);
  std::cout << "in int:    " << proof << '\n';

  // The blocks are one member of a family: rotate the residual stream and nothing changes but the basis.
  const auto model = geofact::realize<float>(theorem, facts);
  std::cout << "in float:  " << geofact::verify(model, facts) << '\n';
  const auto rotation = geofact::random_isometry<float>(model.width(), model.width());
  std::cout << "rotated:   " << geofact::verify(geofact::change_basis(model, rotation), facts) << "\n\n";

  // With a one-hot code a coordinate stands for one attribute, and the width is linear in N.
  const auto small = geofact::random_bijections(256, {.relations = 4, .seed = 1});
  std::cout << "N = 256, R = 4, one-hot codes: "
            << geofact::summarize(geofact::tree(geofact::one_hot_code(256), 4), small)
            << "\nN = 256, R = 4, binary codes:  "
            << geofact::summarize(geofact::tree(geofact::binary_code(256), 4), small) << '\n';

  // What is not known is not guessed: a missing fact is an empty block, and an empty block is no code.
  const auto partial = geofact::random_functions(1000, 300, {.relations = 5, .missing = 0.25, .seed = 1});
  const auto careful = geofact::realize<int>(geofact::tree(geofact::binary_code(300), 5), partial);
  std::cout << "a quarter of the facts missing: " << geofact::verify(careful, partial) << '\n';

  return proof.exact() ? 0 : 1;
}
