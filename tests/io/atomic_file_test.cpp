#include "geofact/io/atomic_file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <set>

#include "files.hpp"
#include "geofact/foundation/random.hpp"

namespace atomic_file_test {

using geofact::atomic_file;

namespace {

void write(const std::string& path, std::string_view text) {
  atomic_file file(path);
  file.write(text);
  file.commit();
}

/// Version `n` of a file: its length and every byte depend on n.
std::string version(int n) {
  const auto length = static_cast<std::size_t>(20000 + 7777 * (n % 23));
  std::string text = std::to_string(n) + '\n';
  for (std::size_t i = 0; text.size() < length; ++i)
    text += static_cast<char>('a' + (i + static_cast<std::size_t>(n)) % 26);
  return text;
}

}  // namespace

TEST_CASE("a written file is there only after commit, and nothing is left beside it") {
  const files::temporary_folder folder;
  {
    atomic_file file(folder / "a");
    file.write("one, ");
    CHECK_FALSE(std::filesystem::exists(folder / "a"));
    file.write("two");
    file.commit();
  }
  CHECK(files::contents(folder / "a") == "one, two");
  write(folder / "a", "new");
  CHECK(files::contents(folder / "a") == "new");
  CHECK(folder.size() == 1);
}

TEST_CASE("a write that is given up leaves the old file and no temporary") {
  const files::temporary_folder folder;
  write(folder / "a", "old");
  {
    atomic_file file(folder / "a");
    file.write("half of the ne");
  }
  CHECK(files::contents(folder / "a") == "old");
  CHECK(folder.size() == 1);
}

TEST_CASE("a disk that takes no more bytes leaves the old file and no temporary") {
  const files::temporary_folder folder;
  write(folder / "a", "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{5000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto sentence = files::refusal([&] { write(folder / "a", std::string(100000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(sentence == folder / "a" + ": could not be written: File too large");
  CHECK(files::contents(folder / "a") == "old");
  CHECK(folder.size() == 1);
}

TEST_CASE("a target that became a folder in the meantime is refused at commit, and no temporary stays") {
  const files::temporary_folder folder;
  const auto sentence = files::refusal([&] {
    atomic_file file(folder / "a");
    std::filesystem::create_directory(folder / "a");
    file.write("x");
    file.commit();
  });
  CHECK(sentence.starts_with(folder / "a" + ": could not be replaced: "));
  CHECK(folder.size() == 1);
}

TEST_CASE("targets that are no regular file, or in no folder, are refused") {
  const files::temporary_folder folder;
  const auto of = [](const std::string& path) { return files::refusal([&] { write(path, "x"); }); };
  CHECK(of("/dev/null") == "/dev/null: not a regular file");
  std::filesystem::create_directory(folder / "d");
  CHECK(of(folder / "d") == folder / "d" + ": not a regular file");
  CHECK(of(folder / "none/a").starts_with(folder / "none/a" + ": "));
  CHECK(of(folder / "none/a").ends_with(" could not be opened: No such file or directory"));
  CHECK(folder.size() == 1);
}

TEST_CASE("permissions stay, and a symbolic link goes on pointing at the file") {
  const files::temporary_folder folder;
  write(folder / "a", "old");
  std::filesystem::permissions(folder / "a", std::filesystem::perms{0640});
  std::filesystem::create_symlink(folder / "a", folder / "link");
  write(folder / "link", "new");
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(files::contents(folder / "a") == "new");
  CHECK(std::filesystem::status(folder / "a").permissions() == std::filesystem::perms{0640});
}

TEST_CASE("a second writer of the same file is refused until the first has ended") {
  const files::temporary_folder folder;
  {
    atomic_file first(folder / "a");
    CHECK(files::refusal([&] { write(folder / "a", "x"); }) == folder / "a" + ": is being written by somebody else");
    first.write("first");
    first.commit();
  }
  write(folder / "a", "second");
  CHECK(files::contents(folder / "a") == "second");
}

TEST_CASE("a temporary that a killed program left is taken over, however long it was") {
  const files::temporary_folder folder;
  files::put(folder / "a.geofact-tmp", std::string(100000, 'x'));
  write(folder / "a", "short");
  CHECK(files::contents(folder / "a") == "short");
  CHECK(folder.size() == 1);
}

TEST_CASE("a program killed at any time while it rewrites a file leaves a whole version of it") {
  const files::temporary_folder folder;
  const std::string path = folder / "a";
  write(path, version(0));
  std::set<int> seen;
  int broken = 0, interrupted = 0;
  const geofact::random_stream random(3);
  for (std::uint64_t round = 0; round < 40; ++round) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      try {
        for (int n = static_cast<int>(1000 * round);; ++n) {
          atomic_file file(path);
          const auto text = version(n);
          for (std::size_t at = 0; at < text.size(); at += 4096) file.write(std::string_view(text).substr(at, 4096));
          file.commit();
        }
      } catch (...) {
        _exit(1);
      }
    }
    usleep(static_cast<useconds_t>(200 + random.below(20000, round)));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    interrupted += std::filesystem::exists(path + ".geofact-tmp");
    const auto text = files::contents(path);
    const int n = std::atoi(text.c_str());
    broken += text != version(n);
    seen.insert(n);
  }
  CHECK(broken == 0);
  CHECK(interrupted > 0);  // some kills fell into a write
  CHECK(seen.size() > 1);
  write(path, "last");
  CHECK(files::contents(path) == "last");
  CHECK(folder.size() == 1);
}

}  // namespace atomic_file_test
