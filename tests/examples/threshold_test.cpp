#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "../temporary_files.hpp"
#include "program.hpp"

namespace threshold_test {

namespace {

const std::string what = "--entities 32,48,64 --relations 1,2 --variants EU,fEU --steps 100 ";

using files::contents;

/// The trials of a log without the seconds they took, sorted.
std::vector<std::string> trials(const std::string& path) {
  std::istringstream lines(contents(path));
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line.substr(0, line.find("\"seconds\"")));
  std::sort(all.begin(), all.end());
  return all;
}

bool has_mpi() { return std::filesystem::exists(std::string(GEOFACT_PROGRAMS) + "/threshold_mpi"); }

/// threshold_mpi with these arguments by as many processes, each of which runs `first` in its shell beforehand.
outcome run_ranks(int ranks, const std::string& arguments, const std::string& first = ":") {
  return shell("mpirun --allow-run-as-root --oversubscribe -n " + std::to_string(ranks) + " sh -c '" + first +
               "; exec " GEOFACT_PROGRAMS "/threshold_mpi " + arguments + "' 2>&1");
}

}  // namespace

TEST_CASE("threshold finds a width for each problem, writes every trial and goes on without running one again") {
  const files::temporary_folder folder;
  const std::string log = folder / "log", csv = folder / "csv";
  const outcome first = run("threshold " + what + "--log " + log + " --csv " + csv);
  CHECK(first.code == 0);
  const std::string table = contents(csv);
  CHECK(std::count(table.begin(), table.end(), '\n') == 1 + 12);
  CHECK(first.text.find("EU direct: d* ~ ") != std::string::npos);
  const auto whole = trials(log);
  // A kill in the middle of a line.
  std::filesystem::resize_file(log, std::filesystem::file_size(log) / 2);
  CHECK(run("threshold " + what + "--log " + log + " --csv " + csv).text == first.text);
  CHECK(contents(csv) == table);
  CHECK(trials(log) == whole);
  CHECK(folder.size() == 2);
}

TEST_CASE("threshold refuses a log of other settings and bad options, in one sentence") {
  const files::temporary_folder folder;
  const std::string log = folder / "log";
  REQUIRE(run("threshold --entities 16 --relations 1 --variants EU --steps 20 --log " + log).code == 0);
  const auto refuses = [](const std::string& arguments, const std::string& words) {
    check_refusal("threshold", arguments, words);
  };
  refuses("--entities 16 --steps 21 --log " + log, "its trials were run with");
  refuses("--entities 0", "--entities");
  refuses("--variants EU,X", "--variants");
  refuses("--target 2", "--target");
  refuses("--log /nowhere/log", "/nowhere");
}

TEST_CASE("2 and 3 processes share a sweep and find what one finds") {
  if (!has_mpi()) {
    MESSAGE("skipped: threshold_mpi is not built where MPI is missing");
    return;
  }
  const files::temporary_folder folder;
  const std::string alone = folder / "alone", shared = folder / "shared";
  const outcome one = run("threshold " + what + "--log " + alone);
  for (int ranks : {2, 3}) {
    CAPTURE(ranks);
    const outcome many = run_ranks(ranks, what + "--log " + shared);
    CAPTURE(many.text);
    CHECK(many.code == 0);
    CHECK(many.text == one.text);
    CHECK(trials(shared) == trials(alone));
    CHECK(folder.size() == 2);  // the ranks' own files are gone
    std::filesystem::remove(shared);
  }
}

TEST_CASE("a sweep whose rank is killed loses no finished trial when it is started again") {
  if (!has_mpi()) {
    MESSAGE("skipped: threshold_mpi is not built where MPI is missing");
    return;
  }
  const files::temporary_folder folder;
  const std::string alone = folder / "alone", shared = folder / "shared";
  const std::string longer = "--entities 32,64,128 --relations 1,2 --variants EU,fEU --steps 400 ";
  const outcome one = run("threshold " + longer + "--log " + alone);
  // Rank 1 dies as soon as its own file has some trials: a small part of the sweep, so it cannot end before.
  const std::string kill_one = "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then (until [ $(wc -l <" + shared +
                               ".rank1) -ge 3 ] || ! kill -0 $$; do sleep 0.01; done; kill -9 $$) 2>/dev/null & fi";
  const outcome killed = run_ranks(3, longer + "--log " + shared, kill_one);
  CAPTURE(killed.text);
  CHECK(killed.code != 0);
  std::vector<std::string> left;
  for (int rank = 0; rank < 3; ++rank)
    for (const auto& line : trials(shared + ".rank" + std::to_string(rank))) left.push_back(line);
  CHECK(left.size() >= 3);
  const outcome again = run_ranks(2, longer + "--log " + shared);
  CHECK(again.code == 0);
  CHECK(again.text == one.text);
  CHECK(trials(shared) == trials(alone));
}

}  // namespace threshold_test
