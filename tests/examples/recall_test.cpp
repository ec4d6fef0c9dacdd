#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace recall_test {

using nlohmann::json;

namespace {

json recall(const std::string& arguments) { return report_of("recall", arguments); }

std::string answer(const json& report, std::size_t i = 0) {
  const json& said = report.at("answers").at(i).at("answer");
  return said.is_null() ? "no answer" : said.get<std::string>();
}

void refuses(const std::string& arguments, const std::string& words) { check_refusal("recall", arguments, words); }

const std::string kin = "head\trelation\ttail\nAda\tmother\tBea\nBea\tmother\tCat\nCat\thusband\tDan\nDan\twife\tCat\n";

}  // namespace

TEST_CASE("recall proves every fact of the countries and says what each construction takes") {
  const json tree = recall(data("countries.tsv") + " --hops 1");
  CHECK(tree["subjects"].get<int>() >= 190);
  CHECK(tree["relations"].get<int>() >= 8);
  CHECK(tree["recalled"] == tree["facts"]);
  CHECK(tree["recalled"].get<int>() + tree["unknown"].get<int>() ==
        tree["subjects"].get<int>() * tree["relations"].get<int>());
  CHECK(tree["wrong"] == 0);
  CHECK(tree["ties"] == 0);
  CHECK(tree["margin"] == 2);
  CHECK(tree["decoder"] == "argmax");
  CHECK(tree["layers"] == 1);
  CHECK(tree["hidden"].get<int>() == tree["relations"].get<int>() * tree["code_length"].get<int>());
  CHECK(tree["width"].get<int>() == tree["hidden"].get<int>() + tree["relations"].get<int>());
  for (const char* key : {"parameters", "fact_bits", "seconds"}) CHECK(tree[key].get<double>() > 0);

  const json disjoint = recall(data("countries.tsv") + " --attributes disjoint --ask 'capital of France'");
  CHECK(disjoint["recalled"] == tree["recalled"]);
  CHECK(disjoint["width"] < tree["width"]);
  CHECK(answer(disjoint) == "Paris");
}

TEST_CASE("every construction, code and number type gives the same answers about the royals") {
  const std::string ask =
      data("royals.tsv") +
      " --ask 'mother of wife of Nicholas II of Russia' --ask 'father of mother of Edward IV' --hops 2 ";
  const json direct = recall(ask);
  CHECK(direct["subjects"].get<int>() >= 80);
  CHECK(answer(direct) == "Alice of the United Kingdom");
  CHECK(answer(direct, 1) == "no answer");
  for (const char* options :
       {"--scalar float", "--scalar double", "--code parity", "--code random-sign", "--construction lookup",
        "--construction lookup --per-layer 2", "--construction mixed --embedded 1", "--construction chain-of-thought",
        "--construction chain-of-thought --scalar float",
        "--construction chain-of-thought --positions binary --scalar double", "--sparse",
        "--sparse --construction lookup --scalar float", "--decoder sign", "--threads 1"}) {
    CAPTURE(options);
    const json other = recall(ask + options);
    CHECK(other["recalled"] == direct["recalled"]);
    CHECK(other["unknown"] == direct["unknown"]);
    CHECK(answer(other) == answer(direct));
    CHECK(answer(other, 1) == "no answer");
  }
}

TEST_CASE("three hops by tree and by chain of thought agree, and the chain shows its steps") {
  const std::string ask = data("royals.tsv") + " --ask 'mother of wife of father of Charles III' ";
  const json tree = recall(ask), chain = recall(ask + "--construction chain-of-thought");
  CHECK(answer(tree) == "Elizabeth Bowes-Lyon");
  CHECK(answer(chain) == answer(tree));
  CHECK(chain["answers"][0]["steps"] == json({"Philip, Duke of Edinburgh", "Elizabeth II", "Elizabeth Bowes-Lyon"}));
  CHECK(chain["width"] < tree["width"]);
}

TEST_CASE("questions of different lengths are answered in one call") {
  const scratch_file facts(kin);
  for (const char* construction : {"tree", "lookup", "chain-of-thought"}) {
    const json said = recall(facts.path() + " --construction " + construction +
                             " --ask 'mother of Ada' --ask 'husband of the mother of mother of Ada' --ask 'wife of "
                             "husband of mother of Bea'");
    CHECK(said["hops"] == 3);
    CHECK(answer(said, 0) == "Bea");
    CHECK(answer(said, 1) == "Dan");
    CHECK(answer(said, 2) == "Cat");
  }
}

TEST_CASE("an associative memory that forgets facts says so with exit code 1") {
  const outcome done = run("recall " + data("royals.tsv") + " --construction linear-memory --hops 1");
  CHECK(done.code == 1);
  CHECK(done.text.find("wrong") != std::string::npos);
}

TEST_CASE("recall refuses bad input with one sentence and exit code 2") {
  const scratch_file good(kin);
  refuses("/nowhere/facts.tsv", "/nowhere/facts.tsv");
  refuses("/tmp", "/tmp");
  refuses("", "file");
  refuses(scratch_file("").path(), "no facts");
  refuses(scratch_file("head\trelation\ttail\n").path(), "no facts");
  refuses(scratch_file("a\tr\tb\nb\tr\n").path(), ":2: ");
  refuses(scratch_file("a\tr\tb\na\tr\tc\n").path(), "two answers");
  refuses(scratch_file("a\tr\tb\na\tr\tb\n").path(), "repeats line 1");
  refuses(scratch_file("a\tr\tb\n\tr\tc\n").path(), ":2:");
  refuses(scratch_file("a\tr\tb\nb\tr\xff\tc\n").path(), "UTF-8");
  refuses(scratch_file(std::string("a\tr\tb\0", 6)).path(), ":1:");
  refuses(scratch_file("a,r,\"b\n", "facts.csv").path(), ":1:");
  refuses(good.path() + " --ask 'mothr of Ada'", "nearest: \"mother\"");
  refuses(good.path() + " --ask 'mother of Adda'", "nearest: \"Ada\"");
  refuses(good.path() + " --ask 'Ada'", "asks nothing");
  refuses(good.path() + " --hops 0", "--hops");
  refuses(good.path() + " --hops 1 --ask 'mother of mother of Ada'", "more hops");
  refuses(good.path() + " --construction nonsense", "--construction");
  refuses(good.path() + " --hops 31", "3^31 paths");
  refuses(good.path() + " --hops 13", "memory");
  refuses(good.path() + " --construction mixed --embedded -1", "-1");
  refuses(good.path() + " --construction lookup --per-layer 0", "0");
  refuses(good.path() + " --code circle", "real coordinates");
  refuses(good.path() + " --attributes disjoint --hops 2", "one hop");
  refuses(good.path() + " --decoder sign --code one-hot", "sign decoding");
  refuses(good.path() + " --no-such-option", "--no-such-option");
}

TEST_CASE("conflicts are settled as asked, and the report says so") {
  const scratch_file facts("a\tr\tb\na\tr\tc\na\tq\tb\n");
  const json first = recall(facts.path() + " --on-conflict first --ask 'r of a'");
  CHECK(answer(first) == "b");
  CHECK(first["notes"].size() == 1);
  CHECK(recall(facts.path() + " --on-conflict drop --ask 'q of a'")["relations"] == 1);
}

TEST_CASE("WordNet: 80 000 entities answer 1 to 3 hops") {
  const std::string wordnet = "/usr/share/wordnet/data.noun";
  if (!std::filesystem::exists(wordnet) &&
      std::system("apt-get install -y -q --no-install-recommends wordnet-base >/dev/null 2>&1 </dev/null") != 0) {
    std::puts("skipped: WordNet is not installed and cannot be (Debian's package wordnet-base)");
    return;
  }
  const scratch_file facts("", "wordnet.tsv");
  REQUIRE(std::system(("python3 " + data("make_wordnet.py") + ' ' + wordnet + " > " + facts.path()).c_str()) == 0);
  const std::string poodle = "hypernym of poodle";
  for (const char* construction : {"tree", "chain-of-thought"}) {
    const json said = recall(facts.path() + " --scalar float --construction " + construction + " --ask '" + poodle +
                             "' --ask 'hypernym of " + poodle + "' --ask 'hypernym of hypernym of " + poodle + "'");
    CHECK(said["subjects"].get<int>() > 80000);
    CHECK(said["wrong"] == 0);
    CHECK(said["ties"] == 0);
    CHECK(answer(said, 0).starts_with("dog"));
    CHECK(answer(said, 1).starts_with("canine"));
    CHECK(answer(said, 2).starts_with("carnivore"));
  }
}

}  // namespace recall_test
