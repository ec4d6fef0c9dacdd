#pragma once
#include <algorithm>
#include <vector>

#include "geofact/gpu/block.hpp"
#include "geofact/model/questions.hpp"
#include "geofact/model/shape.hpp"

namespace geofact::gpu {

/// Part of the integers of a plan.
struct ints_at {
  index_t first = 0;
  int size = 0;
};

/// Consecutive questions that go through the model together. Their embedding is X = T S, T the table of all tokens and
/// positions, S a sparse matrix of ones; its adjoint dT += dX S' is summed in two steps, so that a relation that every
/// question names is no long chain: columns of dX to pieces of at most `most_in_piece`, pieces to columns of T.
struct tile_plan {
  static constexpr int most_in_piece = 64;
  int first = 0, questions = 0, length = 0;  ///< of the batch; tokens of each
  ints_at targets;                           ///< attribute of each question
  ints_at starts, tokens;                    ///< of the columns of X: where their tokens start, and all of them
  ints_at piece_starts, piece_order;
  ints_at column_starts, columns;  ///< of the pieces; and the columns of T that they belong to
};

/// What a batch of questions looks like on the device: all lists one after the other.
struct plan {
  std::vector<int> ints;
  std::vector<tile_plan> tiles;
  int questions = 0, most_pieces = 0;
};

namespace detail {

inline ints_at append(std::vector<int>& all, const std::vector<int>& part) {
  const auto first = std::ssize(all);
  all.insert(all.end(), part.begin(), part.end());
  return {first, to_extent(std::ssize(part))};
}

/// The columns of T under the columns of X, one list a column. Uniform attention: X has a column for each question,
/// with all of its tokens. Learned attention: a column for each place and question.
inline void embed(const sizes<>& n, const questions& asked, index_t first, int count, std::vector<int>& starts,
                  std::vector<int>& tokens) {
  const bool attends = n.heads > 0;
  starts.assign(1, 0);
  tokens.clear();
  const auto add = [&](int q, int place) {
    tokens.push_back(asked.token(first + q, place));
    if (n.positions > 0) tokens.push_back(n.entities + n.relations + place);
  };
  const auto close = [&] { starts.push_back(to_extent(std::ssize(tokens))); };
  if (attends)
    for (int place = 0; place < asked.length; ++place)
      for (int q = 0; q < count; ++q) add(q, place), close();
  else
    for (int q = 0; q < count; ++q) {
      for (int place = 0; place < asked.length; ++place) add(q, place);
      close();
    }
}

/// S', its rows cut in pieces.
inline void transpose(int table_columns, const std::vector<int>& starts, const std::vector<int>& tokens, plan& all,
                      tile_plan& tile) {
  std::vector<int> begins(static_cast<std::size_t>(table_columns) + 1, 0), order(tokens.size());
  for (int t : tokens) ++begins[static_cast<std::size_t>(t) + 1];
  for (std::size_t t = 1; t < begins.size(); ++t) begins[t] += begins[t - 1];
  std::vector<int> next(begins.begin(), begins.end() - 1);
  for (std::size_t column = 0; column + 1 < starts.size(); ++column)
    for (int e = starts[column]; e < starts[column + 1]; ++e)
      order[static_cast<std::size_t>(next[static_cast<std::size_t>(tokens[static_cast<std::size_t>(e)])]++)] =
          static_cast<int>(column);
  std::vector<int> piece_starts{0}, column_starts{0}, columns;
  for (int t = 0; t < table_columns; ++t) {
    const int end = begins[static_cast<std::size_t>(t) + 1];
    if (begins[static_cast<std::size_t>(t)] == end) continue;
    while (piece_starts.back() < end)
      piece_starts.push_back((std::min)(end, piece_starts.back() + tile_plan::most_in_piece));
    columns.push_back(t);
    column_starts.push_back(static_cast<int>(piece_starts.size()) - 1);
  }
  all.most_pieces = (std::max)(all.most_pieces, column_starts.back());
  tile.piece_starts = append(all.ints, piece_starts);
  tile.piece_order = append(all.ints, order);
  tile.column_starts = append(all.ints, column_starts);
  tile.columns = append(all.ints, columns);
}

}  // namespace detail

/// The plan of all questions of some sets, in tiles of `tile`; `trains`: with the lists of the adjoint.
inline plan make_plan(const sizes<>& n, const std::vector<questions>& sets, int tile, bool trains = true) {
  plan all;
  all.questions = to_extent(total(sets));
  int before = 0;
  std::vector<int> starts, tokens;
  for (const questions& asked : sets) {
    const int count = to_extent(asked.size());
    for (int first = 0; first < count; first += tile) {
      tile_plan part;
      part.first = before + first, part.questions = (std::min)(tile, count - first), part.length = asked.length;
      detail::embed(n, asked, first, part.questions, starts, tokens);
      const auto target = asked.targets.begin() + first;
      part.targets = detail::append(all.ints, std::vector<int>(target, target + part.questions));
      part.starts = detail::append(all.ints, starts);
      part.tokens = detail::append(all.ints, tokens);
      if (trains) detail::transpose(n.entities + n.relations + n.positions, starts, tokens, all, part);
      all.tiles.push_back(part);
    }
    before += count;
  }
  return all;
}

/// Tokens of the longest question.
inline int longest(const std::vector<questions>& asked) {
  int length = 0;
  for (const auto& set : asked) length = (std::max)(length, set.length);
  return length;
}

/// As many questions as have room for their activations, numbers of `size` bytes, in a workspace: whole warps, at least
/// one. `trains`: and for their adjoints.
inline index_t questions_in_tile(const sizes<>& n, int length, index_t workspace, index_t size, bool trains) {
  const index_t width = (std::max)(int{n.width}, int{n.output}), layers = n.layers + (trains ? 1 : 0);
  index_t numbers = n.attributes + layers * (n.hidden + width) + 2 * width;
  if (n.heads > 0) {
    const index_t memory = index_t{n.heads + (trains ? 1 : 0)} * (n.key + n.value) * (length + 1);
    numbers += memory + (trains ? 2 : 1) * length * n.width;
  }
  const index_t fitting = workspace / (numbers * size) / warp * warp;
  return (std::max)(fitting, index_t{warp});
}

}  // namespace geofact::gpu
