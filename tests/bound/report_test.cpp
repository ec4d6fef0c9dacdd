#include "geofact/bound/report.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace report_test {

namespace bound = geofact::bound;
using bound::graph;

TEST_CASE("a fact table names its own problem, and the report says what it assumes") {
  geofact::fact_table<> facts(16, 2, 16);
  const auto r = bound::make_report(bound::problem_of(facts, graph::permutation, 2), 1);
  std::ostringstream out;
  out << r;
  CHECK(out.str().find("private: coordinates read only when their subject is asked") != std::string::npos);
  CHECK(r.own.parameters <= 16);
  CHECK(r.own.roots == 1);
}

}  // namespace report_test
