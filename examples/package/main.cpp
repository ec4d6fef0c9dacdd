#include <geofact/geofact.hpp>
#include <iostream>

int main() {
  const auto facts = geofact::random_bijections<4>(64, {.seed = 1});  // 64 subjects, 4 relations
  const auto theorem = geofact::tree{geofact::binary_code{facts.attributes()}, facts.relations()};
  const auto model = geofact::realize<int>(theorem, facts);
  const auto found = geofact::verify(model, facts);
  std::cout << "width " << model.width() << ", hidden " << model.hidden() << ": " << found << '\n';
  return found.exact() && found.recalled == facts.known() ? 0 : 1;
}
