#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "geofact/fact/triples.hpp"

namespace geofact {

namespace detail {
inline knowledge parse_wide_table(row_reader row, read_options options) {
  const int columns = row.size();
  statements said;
  row.check(columns >= 2, "no relations: expected a column of subjects and at least one relation, found ", columns,
            " column");
  for (int c = 1; c < columns; ++c) {
    row.check(!row[c].empty(), "the relation of column ", c + 1, " has no name");
    const int r = said.relations.intern(row[c]);
    row.check(r == c - 1, "columns ", r + 2, " and ", c + 1, " are both the relation ", in_quotes(row[c]));
  }
  std::vector<index_t> lines;  // [subject]
  while (row.next()) {
    row.check(row.size() == columns, "expected ", columns, " columns, found ", row.size());
    row.check(!row[0].empty(), "the subject is empty");
    const int s = said.subjects.intern(row[0]);
    if (s == std::ssize(lines))
      lines.push_back(row.line());
    else if (options.conflict == on_conflict::error)
      row.check(false, "a second row for the subject ", in_quotes(row[0]), ", after line ",
                lines[static_cast<std::size_t>(s)]);
    for (int c = 1; c < columns; ++c)
      if (!row[c].empty()) said.all.push_back({s, c - 1, said.answers.intern(row[c]), row.line()});
  }
  return settle(said, row.source(), options);
}
}  // namespace detail

/// The facts of a table with a row for each subject and a column for each relation (row_reader). The first row names
/// the relations, from its second column on; the first column names the subjects; an empty cell is an unknown fact.
///
/// Throws for a text that row_reader refuses, a row of another length than the first, a missing name, a relation that
/// is named twice or has no fact, a subject that has two rows unless `options` settle it, and a table that exceeds this
/// machine's memory. `source` is what errors call the text.
inline knowledge parse_wide_table(std::string_view text, const std::string& source, read_options options = {}) {
  return detail::parse_wide_table(detail::first_row(text, source), options);
}

/// parse_wide_table() of a file; also throws what read_file() throws.
inline knowledge read_wide_table(const std::string& path, read_options options = {}) {
  return parse_wide_table(read_file(path), path, options);
}

/// The facts of either form: a first row of three columns announces triples, any other a wide table. (A wide table with
/// two relations has to be read by its own name.)
inline knowledge parse_facts(std::string_view text, const std::string& source, read_options options = {}) {
  const auto row = detail::first_row(text, source);
  return row.size() == 3 ? detail::parse_triples(row, options) : detail::parse_wide_table(row, options);
}

/// parse_facts() of a file; also throws what read_file() throws.
inline knowledge read_facts(const std::string& path, read_options options = {}) {
  return parse_facts(read_file(path), path, options);
}

}  // namespace geofact
