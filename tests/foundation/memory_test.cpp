#include "geofact/foundation/memory.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <type_traits>

#include "geofact/foundation/matrix.hpp"

namespace memory_test {

TEST_CASE("physical memory is what the kernel reports") {
  std::ifstream info("/proc/meminfo");
  std::string word;
  geofact::index_t kilobytes = 0;
  if (info >> word >> kilobytes) CHECK(geofact::physical_memory() / 1024 == kilobytes);
}

TEST_CASE("a buffer larger than the memory is refused in a sentence with its size") {
  const geofact::index_t limit = geofact::physical_memory();
  CHECK_NOTHROW(geofact::require_memory(limit / 8, 8, "this buffer"));
  CHECK_NOTHROW(geofact::require_memory(0, 8, "this buffer"));
  const std::string machine = " but this machine has " + std::to_string(limit / 1024 / 1024) + " MiB of memory";
  CHECK_THROWS_WITH_AS(geofact::require_memory(geofact::index_t{1} << 50, 4, "this buffer"),
                       ("this buffer would take 4503599627370496 bytes (4294967296 MiB)" + machine).c_str(),
                       geofact::error);
  CHECK_THROWS_AS(geofact::require_memory(limit / 8 + 1, 8, "this buffer"), geofact::error);
  CHECK_THROWS_WITH_AS(geofact::require_memory(geofact::index_t{1} << 62, 4, "this buffer"),
                       "the size 4611686018427387904 x 4 overflows", geofact::error);
}

TEST_CASE("matrices are column-major, static or dynamic, and views share memory") {
  using geofact::dynamic;
  static_assert(std::is_same_v<geofact::matrix<float>, Eigen::MatrixXf>);
  static_assert(std::is_same_v<geofact::matrix<double, 2, 3>, Eigen::Matrix<double, 2, 3>>);
  static_assert(std::is_same_v<geofact::vector<int>, Eigen::VectorXi>);
  static_assert(std::is_same_v<geofact::row_vector<int>, Eigen::RowVectorXi>);
  static_assert(dynamic == Eigen::Dynamic && std::is_same_v<geofact::index_t, Eigen::Index>);
  int numbers[] = {1, 2, 3, 4, 5, 6};
  geofact::matrix_view<int> view(numbers, 2, 3);
  CHECK(view(1, 0) == 2);
  CHECK(view(0, 2) == 5);
  view(0, 1) = 9;
  CHECK(numbers[2] == 9);
  const geofact::const_matrix_view<int, 3, 2> reading(numbers);
  CHECK(reading(2, 0) == 9);
}

}  // namespace memory_test
