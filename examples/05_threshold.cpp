// Claim: with trained embeddings the width that memorises all facts grows with log N, with frozen random ones (an
// associative memory) with a power of N. Searched: the least width that recalls 99 % of random bijections, two seeds.
#include <geofact/geofact.hpp>
#include <iomanip>
#include <iostream>

int main() {
  geofact::threshold_rule rule;
  rule.settings = geofact::fast(1);  // its width is what is searched
  geofact::trial_log log;            // in memory; given a file, a search goes on from where it was

  std::cout << "R = 2: the least width that recalls 99 % of the facts\n\n"
            << "   N | E and U trained | neither\n";
  std::vector<geofact::threshold_point> trained, frozen;
  for (const int n : {64, 128, 256}) {
    const auto width = [&](geofact::variant which) {
      return geofact::find_threshold({n, 2, which}, rule, log, 1, [](const geofact::trial&) {}).passes;
    };
    trained.push_back({n, 2, static_cast<double>(width(geofact::variant::eu))});
    frozen.push_back({n, 2, static_cast<double>(width(geofact::variant::feu))});
    std::cout << std::setw(4) << n << " | " << std::setw(15) << trained.back().width << " | " << std::setw(7)
              << frozen.back().width << '\n';
  }
  const auto slow = geofact::fit_power(trained), quick = geofact::fit_power(frozen);
  std::cout << "\nAs powers of N: " << std::fixed << std::setprecision(2) << "N^" << slow.entities << " trained, N^"
            << quick.entities << " frozen (" << log.all().size() << " runs)\n";
  return slow.entities < quick.entities ? 0 : 1;
}
