// Claim: without a chain of thought, k hops at once need a width like R^k (the tree) or an MLP linear in the facts (the
// lookup). One construction covers both ends and everything between.
#include <geofact/geofact.hpp>
#include <iomanip>
#include <iostream>

int main() {
  const int subjects = 64, relations = 3, hops = 4;
  const auto facts = geofact::random_bijections(subjects, {.relations = relations, .seed = 1});
  const geofact::binary_code code(facts.attributes());

  std::cout << subjects << " subjects, " << relations << " relations, all questions of " << hops
            << " hops: " << subjects * geofact::ipow(relations, hops) << "\n\n"
            << "hops in the embedding | hops a layer | width | hidden | layers | bits a subject | bits in the MLP | "
               "recalled\n";
  bool exact = true;
  for (int embedded = hops; embedded >= 0; --embedded)
    for (int per_layer = 1; per_layer <= (std::max)(1, hops - embedded); ++per_layer) {
      const geofact::multi_hop theorem(code, relations, hops, embedded, per_layer, subjects);
      const auto found = geofact::verify(geofact::realize<float>(theorem, facts), facts);
      exact = exact && found.exact();
      std::cout << std::setw(21) << embedded << " | " << std::setw(12) << per_layer << " | " << std::setw(5)
                << theorem.width() << " | " << std::setw(6) << theorem.hidden() << " | " << std::setw(6)
                << theorem.layers() << " | " << std::setw(14) << theorem.private_codes() * code.bits() << " | "
                << std::setw(15) << theorem.shared_codes() * code.bits() << " | " << found.recalled
                << (embedded == hops                  ? "  <- tree"
                    : embedded == 0 && per_layer == 1 ? "  <- lookup"
                                                      : "")
                << '\n';
    }
  return exact ? 0 : 1;
}
