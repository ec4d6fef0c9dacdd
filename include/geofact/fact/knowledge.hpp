#pragma once
#include <string>
#include <utility>
#include <vector>

#include "geofact/fact/names.hpp"
#include "geofact/foundation/memory.hpp"

namespace geofact {

/// What to do where a relation gives one subject two answers.
enum class on_conflict {
  error,         ///< throw; also where a line only repeats another
  first,         ///< keep the answer that stands first
  drop_relation  ///< leave the relation out
};

/// How to take what a text says.
struct read_options {
  on_conflict conflict = on_conflict::error;
  bool disjoint = false;  ///< each relation has attributes of its own; else all share them (fact_table)
};

/// Facts and the names of what they speak about.
struct knowledge {
  fact_table<> facts;
  names subjects, relations;
  std::vector<std::string> attributes;  ///< by id; if shared: the subjects, then the answers that are no subjects
  std::vector<std::string> notes;       ///< one sentence for each relation whose conflicts were settled
};

namespace detail {
struct statement {
  int subject, relation, answer;
  index_t line;
};

/// What a text says, line by line.
struct statements {
  names subjects, relations, answers;
  std::vector<statement> all;
};

/// What was found under one relation.
struct relation_findings {
  index_t facts = 0, conflicts = 0;
  std::string first_conflict;  // a sentence
};

/// At most one statement for each subject and relation.
struct selection {
  std::vector<statement> kept;
  std::vector<relation_findings> relations;
};

/// The first statement for each subject and relation; throws for any other if `conflict` is on_conflict::error.
inline selection first_statements(const statements& said, const std::string& source, on_conflict conflict) {
  const int subjects = said.subjects.size();
  const index_t cells = checked_product(subjects, said.relations.size());
  require_memory(cells, 2 * sizeof(int), (source + ": a table of " + std::to_string(cells) + " facts").c_str());
  selection result{{}, std::vector<relation_findings>(said.relations.all().size())};
  std::vector<int> position(static_cast<std::size_t>(cells), unknown);  // [relation][subject], in `kept`
  for (const statement& now : said.all) {
    relation_findings& found = result.relations[static_cast<std::size_t>(now.relation)];
    int& at = position[static_cast<std::size_t>(index_t{now.relation} * subjects + now.subject)];
    if (at == unknown) {
      at = to_extent(std::ssize(result.kept));
      result.kept.push_back(now);
      ++found.facts;
      continue;
    }
    const statement& before = result.kept[static_cast<std::size_t>(at)];
    const bool repeated = before.answer == now.answer;
    if (conflict != on_conflict::error && (repeated || found.conflicts++ > 0)) continue;
    const auto subject = in_quotes(said.subjects[now.subject]), relation = in_quotes(said.relations[now.relation]);
    const auto first = in_quotes(said.answers[before.answer]), second = in_quotes(said.answers[now.answer]);
    const auto line = std::to_string(before.line), here = std::to_string(now.line);
    found.first_conflict = source + ':' + here + ": ";
    if (repeated)
      found.first_conflict += "repeats line " + line + ": " + subject + ' ' + relation + ' ' + first;
    else
      found.first_conflict += subject + " has two answers under " + relation + ": " + first + " on line " + line +
                              " and " + second + " on line " + here;
    require(conflict != on_conflict::error, found.first_conflict);
  }
  return result;
}

/// The facts that `said` amounts to. Subjects and relations keep their order; attributes are numbered as they come.
inline knowledge settle(const statements& said, const std::string& source, read_options options) {
  require(!said.all.empty(), source, ": no facts");
  auto [kept, findings] = first_statements(said, source, options.conflict);
  const bool drop = options.conflict == on_conflict::drop_relation;
  names relations;
  std::vector<int> renumbered;  // `unknown` for a relation that is dropped
  std::vector<std::string> notes;
  for (const relation_findings& found : findings) {
    const auto& name = said.relations[static_cast<int>(renumbered.size())];
    if (found.facts == 0) fail({source, ": no fact under the relation ", in_quotes(name)});
    renumbered.push_back(drop && found.conflicts > 0 ? unknown : relations.intern(name));
    if (found.conflicts > 0)
      notes.push_back((drop ? "dropped the relation " : "kept the first answers of the relation ") + in_quotes(name) +
                      " (conflicts: " + std::to_string(found.conflicts) + "): " + found.first_conflict);
  }
  require(relations.size() > 0, source, ": no facts are left, as every relation has a conflict");
  const auto new_number = [&](const statement& fact) { return renumbered[static_cast<std::size_t>(fact.relation)]; };
  std::erase_if(kept, [&](const statement& fact) { return new_number(fact) == unknown; });

  // Local ids: shared attributes are one range that begins with the subjects, disjoint ones a range for each relation.
  std::vector<names> ranges(options.disjoint ? relations.all().size() : 1, options.disjoint ? names{} : said.subjects);
  for (statement& fact : kept) {
    fact.relation = new_number(fact);
    fact.answer =
        ranges[options.disjoint ? static_cast<std::size_t>(fact.relation) : 0].intern(said.answers[fact.answer]);
  }
  std::vector<std::string> attributes;
  std::vector<int> sizes;
  for (const names& range : ranges) {
    attributes.insert(attributes.end(), range.all().begin(), range.all().end());
    sizes.push_back(range.size());
  }
  const int subjects = said.subjects.size();
  auto facts =
      options.disjoint ? fact_table<>::disjoint(subjects, sizes) : fact_table<>(subjects, relations.size(), sizes[0]);
  for (const auto& [s, r, a, line] : kept) facts.set(s, r, facts.codomain(r).first + a);
  return {std::move(facts), said.subjects, std::move(relations), std::move(attributes), std::move(notes)};
}
}  // namespace detail

}  // namespace geofact
