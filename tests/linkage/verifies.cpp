#include <doctest/doctest.h>

#include "linkage.hpp"

TEST_CASE("a model that one translation unit realizes is verified in another") {
  const auto facts = geofact::random_bijections<2>(16, {.seed = 1});
  const auto found = geofact::verify(realized(facts), facts);
  CHECK(found.exact());
  CHECK(found.recalled == 32);
}

TEST_CASE("an inline function is one function in all translation units") {
  CHECK(address_of_permutation() == reinterpret_cast<const void*>(&geofact::random_permutation));
}
