#include "geofact/training/find_threshold.hpp"

#include <doctest/doctest.h>

#include "../io/files.hpp"
#include "geofact/training/fit.hpp"

namespace find_threshold_test {

using namespace geofact;

namespace {

threshold_rule quick_rule() {
  threshold_rule rule;
  rule.settings = fast(1);
  rule.settings.steps = 120;
  return rule;
}

const auto ignore = [](const trial&) {};

}  // namespace

TEST_CASE("the threshold is a width at which every seed passes and one at which one fails, next to each other") {
  trial_log log;
  int runs = 0;
  const auto found = find_threshold({32, 2}, quick_rule(), log, 1, [&](const trial&) { ++runs; });
  CHECK(found.passes == found.fails + 1);
  CHECK(runs == std::ssize(log.all()));
  int passed = 0, failed = 0;
  for (const trial& t : log.all()) {
    CHECK(t.passed == (t.recall >= 0.99));
    CHECK(t.hidden == 4 * t.width);
    passed += t.width == found.passes && t.passed == 1;
    failed += t.width == found.fails && t.passed == 0;
  }
  CHECK(passed == 2);
  CHECK(failed >= 1);
}

TEST_CASE("a search that goes on from its log runs no trial twice and finds the same") {
  const files::temporary_folder folder;
  const std::string file = folder / "log";
  threshold first;
  {
    trial_log log(file, "s");
    first = find_threshold({32, 2}, quick_rule(), log, 1, ignore);
  }
  // As a kill would leave it: without the last trials and with half a line.
  const std::string whole = files::contents(file);
  files::put(file, std::string_view(whole).substr(0, whole.size() * 2 / 3));
  trial_log log(file, "s");
  const auto known = std::ssize(log.all());
  index_t runs = 0;
  const auto again = find_threshold({32, 2}, quick_rule(), log, 1, [&](const trial&) { ++runs; });
  CHECK(again.passes == first.passes);
  CHECK(again.fails == first.fails);
  CHECK(known + runs == std::ssize(trial_log::read_all(file, "s")));
  CHECK(runs > 0);
  CHECK(known > 0);
}

TEST_CASE("frozen tables need a wider model") {
  trial_log log;
  const auto width = [&](variant which) { return find_threshold({64, 2, which}, quick_rule(), log, 1, ignore).passes; };
  CHECK(width(variant::eu) < width(variant::feu));
}

TEST_CASE("a search that nothing passes says so") {
  trial_log log;
  auto rule = quick_rule();
  rule.widest = 2, rule.settings.steps = 3;
  const auto found = find_threshold({32, 2}, rule, log, 1, ignore);
  CHECK(found.passes == 0);
  CHECK(found.fails == 2);
  rule.seeds.clear();
  CHECK_THROWS_AS(find_threshold({32, 2}, rule, log, 1, ignore), error);
}

TEST_CASE("a run is given up only where twice its late gain does not lead to the target") {
  auto rule = quick_rule();
  rule.settings.steps = 100;
  std::vector<training_step> history;
  for (int step = 0; step <= 50; ++step) history.push_back({step, 0, 0.5, 0, 0, true});
  CHECK(is_hopeless(history, rule));
  rule.patience = 0.6;
  CHECK_FALSE(is_hopeless(history, rule));
  rule.patience = 0.25;
  for (auto& h : history) h.recall = 0.5 + 0.005 * h.step;  // 0.75, and up to 0.5 more
  CHECK_FALSE(is_hopeless(history, rule));
  for (auto& h : history) h.recall = 0.5 + 0.002 * h.step;  // 0.6, and up to 0.2 more
  CHECK(is_hopeless(history, rule));
}

TEST_CASE("a log is refused under other settings, with the line for what is no trial, and keeps the file") {
  const files::temporary_folder folder;
  const std::string file = folder / "log";
  {
    trial_log log(file, "a \"b\"");
    log.add({"EU", "direct", 1, 64, 2, 5, 20, 1, 0.1 + 0.2, 7, 0, 1, 1e-3});
    CHECK_THROWS_WITH_AS(trial_log(file, "a \"b\""), doctest::Contains("somebody else"), error);
  }
  const std::string good = files::contents(file);
  const trial back = trial_log::read_all(file, "a \"b\"").at(0);
  CHECK(back.recall == 0.1 + 0.2);
  CHECK(back.seconds == 1e-3);
  CHECK(back.variant == "EU");
  CHECK_THROWS_WITH_AS(trial_log(file, "c"), (file + ": its trials were run with a \"b\", not with c").c_str(), error);
  const std::string line = good.substr(good.find('\n') + 1);
  const auto refuses = [&](const std::string& from, const std::string& to, const char* sentence) {
    std::string bad = good + line;
    bad.replace(bad.rfind(from), from.size(), to);
    files::put(file, bad);
    CHECK_THROWS_WITH_AS(trial_log(file, "a \"b\""), doctest::Contains(sentence), error);
    CHECK(files::contents(file) == bad);
  };
  refuses("\"width\":5", "\"width\":5.5", "line 3: byte");
  refuses("\"width\":5", "\"width\":5e30", "no whole number in range");
  refuses("\"width\":5,", "", "12 members where one has 13");
  refuses("\"width\":5", "\"breadth\":5", "has no \"breadth\"");
  refuses("}", "", "expected }");
  refuses("{\"variant", "x{\"variant", "expected {");
  files::put(file, "not a log\n");
  CHECK_THROWS_AS(trial_log(file, "a"), error);
  CHECK_THROWS_AS(trial_log(folder / "missing/log", "a"), error);
}

TEST_CASE("fits find the laws that made the points") {
  std::vector<threshold_point> affine, power;
  for (int n : {128, 512, 4096})
    for (int r : {2, 4, 8}) {
      affine.push_back({n, r, 0.2 * r * std::log2(n) + 0.5});
      power.push_back({n, r, 0.7 * std::pow(r, 0.45) * std::pow(n, 0.56)});
    }
  const auto a = fit_affine(affine);
  CHECK(a.slope == doctest::Approx(0.2));
  CHECK(a.offset == doctest::Approx(0.5));
  CHECK(a.rms < 1e-12);
  const auto p = fit_power(power);
  CHECK(p.scale == doctest::Approx(0.7));
  CHECK(p.relations == doctest::Approx(0.45));
  CHECK(p.entities == doctest::Approx(0.56));
  CHECK(p.rms < 1e-12);
  CHECK(fit_power(affine).rms > 0.01);
  const auto one = fit_power({{128, 4, 3}, {512, 4, 6}});  // one R: no exponent of R
  CHECK(one.relations == 0);
  CHECK(one.entities == doctest::Approx(0.5));
  CHECK_THROWS_AS(fit_affine({{128, 2, 3}}), error);
}

}  // namespace find_threshold_test
