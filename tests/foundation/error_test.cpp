#include "geofact/foundation/error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace error_test {

using namespace geofact;

TEST_CASE("a failure is the concatenation of its parts, whatever can be written to a stream") {
  const std::string name = "a name";
  const char letters[] = "letters";
  char changeable[] = "changed";
  changeable[0] = 'C';
  const std::string expected = "a name has 3 parts, 0.5, letters, Changed, x and the view";
  CHECK_THROWS_WITH_AS(require(name.empty(), name, " has ", 3, " parts, ", 0.5, ", ", letters, ", ", changeable, ", ",
                               'x', " and ", std::string_view("the view of it").substr(0, 8)),
                       expected.c_str(), error);
}

TEST_CASE("what holds writes nothing and throws nothing, at compile time too") {
  static_assert((require(true, "never said"), true));
  CHECK_NOTHROW(require(true, "never said"));
}

}  // namespace error_test
