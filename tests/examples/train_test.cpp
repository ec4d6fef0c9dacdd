#include <doctest/doctest.h>

#include "../temporary_files.hpp"
#include "program.hpp"

namespace train_test {

using nlohmann::json;

namespace {

json train(const std::string& arguments) { return report_of("train", arguments); }

void refuses(const std::string& arguments, const std::string& words) { check_refusal("train", arguments, words); }

}  // namespace

TEST_CASE("train recalls all random facts and reports what the run was") {
  const json report = train("--entities 128 --relations 4 --width 14 --seed 3");
  CHECK(report.at("recall") == 1);
  CHECK(report.at("facts") == 512);
  CHECK(report.at("hidden") == 56);
  CHECK(report.at("steps") == report.at("steps_to_100"));
  CHECK(report.at("steps_to_50") < report.at("steps_to_99"));
  CHECK(report.at("loss") > 0);
  CHECK(report.at("seconds") > 0);
  CHECK(report.at("gflops") > 0);
  CHECK(report.at("settings").at("seed") == 3);
}

TEST_CASE("train learns the facts of a file, and a chain of thought") {
  CHECK(train(data("countries.tsv") + " --width 40").at("recall") == 1);
  const json chain = train("--entities 32 --relations 2 --width 16 --hops 2 --mode cot-latest");
  CHECK(chain.at("free_running_recall") == 1);
  CHECK(chain.at("steps_to_100") != nullptr);
  const json none = train("--entities 64 --width 4 --variant fEU --set steps=5");
  CHECK(none.at("steps_to_100") == nullptr);
}

TEST_CASE("train goes on from a checkpoint to the same bytes, also when it was killed") {
  const std::string what = "--entities 200 --width 12 --variant fU --set steps=150 --set batch=128 ";
  const scratch_file whole("", "whole"), part("", "part");
  train(what + "--save " + whole.path());
  // A kill at some moment of a run that writes after each step.
  run("train " + what + "--save-every 0 --save " + part.path() + " & sleep 0.3; kill -9 $!; wait", "");
  if (!files::contents(part.path()).empty())
    train(what + "--save " + part.path() + " --resume " + part.path());
  else
    train(what + "--save " + part.path());
  const json one = train(what + "--resume " + whole.path()), two = train(what + "--resume " + part.path());
  CHECK(one.at("loss") == two.at("loss"));
  CHECK(one.at("recall") == two.at("recall"));
  refuses(what + "--set learning_rate=0.5 --resume " + whole.path(),
          "was left by a run with learning_rate 0.03, not 0.5");
  refuses("--entities 200 --width 13 --resume " + whole.path(), "was left by a run with");
}

TEST_CASE("train refuses what cannot be, in one sentence") {
  refuses("--width 0", "--width");
  refuses("--variant UE", "--variant");
  refuses("--set width", "takes NAME=VALUE");
  refuses("--set depth=3", "there is no setting \"depth\"; there are width, hidden");
  refuses("--set steps=many", "takes a number in range");
  refuses("--set schedule=square", "takes cosine, linear or constant");
  refuses("--set entity.frozen=1", "takes true or false");
  refuses("--set steps=0", "at least one step");
  refuses("--set learning_rate=1e30", "not finite at step");
  refuses("--entities 1000000 --width 100000", "memory");
  refuses("--entities 3 --graph matchings", "even number");
  refuses("nowhere.tsv", "nowhere.tsv");
  refuses("--resume nowhere", "nowhere: no such file");
  refuses("--resume " + data("countries.tsv"), "countries.tsv");
  refuses("--save /nowhere/model", "/nowhere/model");
  refuses("--device gpu", "--device");
}

}  // namespace train_test
