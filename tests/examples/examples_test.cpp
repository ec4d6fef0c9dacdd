#include <doctest/doctest.h>

#include "program.hpp"

namespace examples_test {

TEST_CASE("the numbered examples hold their claims") {
  for (const char* name : {"01_single_hop", "02_multi_hop", "03_chain_of_thought", "04_train", "05_threshold"}) {
    CAPTURE(name);
    const outcome done = run(name);
    CAPTURE(done.text);
    CHECK(done.code == 0);
  }
}

}  // namespace examples_test
