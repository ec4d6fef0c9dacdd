#include "geofact/io/mapped_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "files.hpp"

namespace mapped_file_test {

using geofact::mapped_file;

TEST_CASE("a mapped file shows the bytes of the file, also after it was moved") {
  const files::temporary_folder folder;
  files::put(folder / "a", std::string("abc\0d", 5));
  mapped_file one(folder / "a");
  const mapped_file two = std::move(one);
  REQUIRE(two.size() == 5);
  CHECK(two.bytes()[4] == std::byte{'d'});
  CHECK(two.path() == folder / "a");
  mapped_file three(folder / "a");
  three = mapped_file(folder / "a");
  CHECK(three.bytes()[0] == std::byte{'a'});
}

TEST_CASE("an empty file is mapped as no bytes") {
  const files::temporary_folder folder;
  files::put(folder / "a", "");
  const mapped_file file(folder / "a");
  CHECK(file.size() == 0);
  CHECK(file.bytes().empty());
}

TEST_CASE("what is no regular file is refused in a sentence, and a pipe without waiting") {
  const files::temporary_folder folder;
  const auto of = [](const std::string& path) { return files::refusal([&] { mapped_file file(path); }); };
  CHECK(of(folder / "none") == folder / "none" + ": no such file");
  CHECK(of(folder / "") == folder / "" + ": not a regular file");
  CHECK(of("/dev/zero") == "/dev/zero: not a regular file");
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(of(folder / "pipe") == folder / "pipe" + ": not a regular file");
  files::put(folder / "a", "");
  CHECK(of(folder / "a/b").starts_with(folder / "a/b" + ": could not be opened: "));
}

TEST_CASE("a version that replaces a mapped file leaves the mapped one as it was") {
  const files::temporary_folder folder;
  files::put(folder / "a", "old");
  files::put(folder / "b", "new and longer");
  const mapped_file file(folder / "a");
  std::filesystem::rename(folder / "b", folder / "a");
  CHECK(file.bytes()[0] == std::byte{'o'});
  CHECK(file.size() == 3);
}

TEST_CASE("released bytes are read again, and bytes of others are not released") {
  const files::temporary_folder folder;
  files::put(folder / "a", std::string(20000, 'x'));
  const mapped_file file(folder / "a");
  CHECK(file.bytes()[9000] == std::byte{'x'});
  file.release(file.bytes());
  file.release(file.bytes().subspan(3, 5));
  CHECK(file.bytes()[9000] == std::byte{'x'});
  const std::vector<std::byte> other(20000, std::byte{1});
  CHECK_THROWS_AS(file.release(other), geofact::error);
  CHECK(other[9000] == std::byte{1});
}

}  // namespace mapped_file_test
