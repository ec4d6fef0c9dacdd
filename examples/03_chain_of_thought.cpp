// Claim: a chain of thought breaks the bottleneck. One layer of width R log2 N + R + k answers k hops for any k, by
// saying every intermediate entity: attention finds the next relation, the single-hop MLP does the rest.
#include <geofact/geofact.hpp>
#include <iostream>

int main() {
  const auto facts = geofact::random_bijections<4>(1024, {.seed = 1});
  const geofact::binary_code code(facts.attributes());

  std::cout << "hops | width of the tree | width of the chain | attention scale | margin proven | margin measured\n";
  bool exact = true;
  for (int hops : {1, 2, 4, 8, 16, 32}) {
    // The scale of the scores follows from the share of the code's margin that is to survive attention's leakage.
    const auto theorem = geofact::chain_of_thought_with_margin(code, 4, geofact::one_hot_code(hops), 0.99);
    const auto model = geofact::realize<float>(theorem, facts);
    const auto found = geofact::verify(model, facts, {.how = geofact::decoder::argmax, .limit = 1 << 20});
    exact = exact && found.exact();
    std::cout << hops << " | ";
    if (hops <= 8)
      std::cout << geofact::tree(code, 4, hops).width() << " | ";
    else
      std::cout << "4^" << hops << " x 10 | ";
    std::cout << theorem.width() << " | " << theorem.beta() << " | " << theorem.margin_share() * code.margin() << " | "
              << found.margin << (found.sampled() ? " (sampled)" : " (all questions)") << '\n';
  }

  // One chain, step by step. Positions in binary need only log2 k coordinates.
  const auto theorem = geofact::chain_of_thought_with_margin(code, 4, geofact::binary_code(6));
  const auto model = geofact::realize<float>(theorem, facts);
  const std::vector<int> path{2, 0, 1, 3, 3, 0};
  std::cout << "\nsubject 7";
  int entity = 7;
  const auto thoughts = geofact::ask_chain(model, {entity}, path);
  for (std::size_t hop = 0; hop < path.size(); ++hop) {
    entity = facts(entity, path[hop]);
    std::cout << " -" << path[hop] << "-> " << thoughts[hop][0].attribute;
    exact = exact && thoughts[hop][0].attribute == entity;
  }
  std::cout << "  (width " << theorem.width() << ")\n";
  return exact ? 0 : 1;
}
