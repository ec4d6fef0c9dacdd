#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "geofact/fact/knowledge.hpp"

namespace geofact {

/// A question in the paper's form, "mother of wife of NAME".
struct question {
  int subject = unknown;
  std::vector<int> path;  ///< relations, first hop first: wife, mother
};

namespace detail {

/// Reads `relation of ... of subject` from the outside in; `stuck` becomes the shortest rest that could not be read.
inline bool read_question(const knowledge& known, std::string_view text, question& read, std::string_view& stuck) {
  if (text.size() < stuck.size()) stuck = text;
  read.subject = known.subjects.find(text);
  if (read.subject != unknown) return true;
  for (int r = 0; r < known.relations.size(); ++r)
    for (const char* article : {"", "the "}) {
      const std::string asked = article + known.relations[r] + " of ";
      if (text.substr(0, asked.size()) != asked) continue;
      if (!read_question(known, text.substr(asked.size()), read, stuck)) continue;
      read.path.push_back(r);
      return true;
    }
  return false;
}

}  // namespace detail

/// Reads a question; names may hold " of " themselves, and "the " may stand before a relation. Throws, with the nearest
/// names, where a relation or the subject is not known.
inline question parse_question(const knowledge& known, std::string_view text) {
  question read;
  std::string_view stuck = text;
  if (!detail::read_question(known, text, read, stuck)) {
    const std::string_view relation = stuck.substr(0, stuck.find(" of "));
    require(relation.size() == stuck.size(), "cannot read \"", text, "\": \"", relation, "\" is no relation",
            known.relations.nearest_part(relation), " and \"", stuck, "\" is no subject",
            known.subjects.nearest_part(stuck));
    require(false, "cannot read \"", text, "\": \"", stuck, "\" is no subject", known.subjects.nearest_part(stuck));
  }
  require(!read.path.empty(), "\"", text, "\" names a subject but asks nothing about it");
  return read;
}

}  // namespace geofact
