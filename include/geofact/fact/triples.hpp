#pragma once
#include <array>
#include <string>
#include <string_view>

#include "geofact/fact/knowledge.hpp"
#include "geofact/fact/text.hpp"

namespace geofact {

namespace detail {
/// The rows of `text`, at the first of them; throws where there is none.
inline row_reader first_row(std::string_view text, const std::string& source) {
  row_reader row(text, source);
  require(row.next(), source, ": no facts");
  return row;
}

/// Whether the row is the line "head relation tail" or "subject relation object", in any case.
inline bool is_triple_header(const row_reader& row) {
  const auto is = [&](int column, std::string_view word) { return ascii_lower(row[column]) == word; };
  return row.size() == 3 && is(1, "relation") &&
         ((is(0, "head") && is(2, "tail")) || (is(0, "subject") && is(2, "object")));
}

inline knowledge parse_triples(row_reader row, read_options options) {
  constexpr std::array part{"subject", "relation", "answer"};
  statements said;
  for (bool more = !is_triple_header(row) || row.next(); more; more = row.next()) {
    row.check(row.size() == 3, "expected 3 columns, found ", row.size());
    for (int i = 0; i < 3; ++i) row.check(!row[i].empty(), "the ", part[static_cast<std::size_t>(i)], " is empty");
    said.all.push_back(
        {said.subjects.intern(row[0]), said.relations.intern(row[1]), said.answers.intern(row[2]), row.line()});
  }
  return settle(said, row.source(), options);
}
}  // namespace detail

/// The facts of a text with one `head <tab or comma> relation <tab or comma> tail` a line (row_reader), with or without
/// the line `head relation tail` or `subject relation object` before them. The subjects are all heads.
///
/// Throws for a text that row_reader refuses, a line without three names, a conflict or repeated line unless `options`
/// settle it, and a table that exceeds this machine's memory. `source` is what errors call the text.
inline knowledge parse_triples(std::string_view text, const std::string& source, read_options options = {}) {
  return detail::parse_triples(detail::first_row(text, source), options);
}

/// parse_triples() of a file; also throws what read_file() throws.
inline knowledge read_triples(const std::string& path, read_options options = {}) {
  return parse_triples(read_file(path), path, options);
}

}  // namespace geofact
