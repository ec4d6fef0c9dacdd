#pragma once
#include "geofact/gpu/kernel/number.hpp"

namespace geofact::gpu::kernel {

/// The greatest logit, its attribute (the first one of equals) and the next one.
template <class Scalar>
struct best {
  Scalar top = least<Scalar>, second = least<Scalar>;
  int attribute = -1;

  GEOFACT_HD void add(Scalar x, int a) {
    if (x > top)
      second = top, top = x, attribute = a;
    else if (x > second)
      second = x;
  }
};

struct better {
  template <class Scalar>
  GEOFACT_HD best<Scalar> operator()(const best<Scalar>& a, const best<Scalar>& b) const {
    const bool first =
        a.top > b.top || (a.top == b.top && static_cast<unsigned>(a.attribute) <= static_cast<unsigned>(b.attribute));
    const Scalar lost = first ? b.top : a.top, second = first ? a.second : b.second;
    return {first ? a.top : b.top, lost > second ? lost : second, first ? a.attribute : b.attribute};
  }
};

/// argmax over a tile of logits whose first row is attribute `first`.
template <class Store, class Scalar>
struct find_best {
  int attributes, queries, first;
  const Store* logits;    // (attributes, queries)
  best<Scalar>* answers;  // (queries)

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int q = b.index(); q < queries; q += b.count()) {
      const Store* const column = logits + index_t{q} * attributes;
      best<Scalar> mine;
      b.for_each(attributes, [&](int a) { mine.add(static_cast<Scalar>(column[a]), first + a); });
      const best<Scalar> all = b.reduce(mine, better{});
      b.once([&] { answers[q] = all; });
    }
  }
};

/// The logit of the expected attribute of each query, and the greatest of the others.
template <class Scalar>
struct duel {
  Scalar own = least<Scalar>, rival = least<Scalar>;
};

template <class Store, class Scalar>
struct find_rival {
  int attributes, queries, first;
  const Store* logits;  // (attributes, queries)
  const int* expected;  // (queries); negative: none
  duel<Scalar>* duels;  // (queries)

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int q = b.index(); q < queries; q += b.count()) {
      const Store* const column = logits + index_t{q} * attributes;
      const int own = expected[q] - first;
      Scalar mine = least<Scalar>;
      b.for_each(attributes, [&](int a) {
        const auto x = static_cast<Scalar>(column[a]);
        if (a != own && !(x <= mine)) mine = x;  // a NaN wins, and then loses every comparison
      });
      const Scalar rival = b.reduce(mine, greater{});
      b.once([&] {
        duels[q] = {own >= 0 && expected[q] >= 0 ? static_cast<Scalar>(column[own]) : least<Scalar>, rival};
      });
    }
  }

  struct greater {
    GEOFACT_HD Scalar operator()(Scalar a, Scalar b) const { return a != a || a > b ? a : b; }
  };
};

/// The next token of a chain of thought: the answer where it is one and an entity, else the last one again; and the
/// column of its position where there are any.
template <class Scalar>
struct feed_back {
  int queries, entities;
  Scalar abstain;
  const best<Scalar>* answers;  // (queries)
  int* tokens;                  // (1 or 2, queries)
  int position = -1;            // column of the token table; negative: none

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    constexpr int slice = most_threads;
    const int each = position < 0 ? 1 : 2;
    for (int first = b.index() * slice; first < queries; first += b.count() * slice)
      b.for_each(queries - first < slice ? queries - first : slice, [&](int i) {
        const best<Scalar> a = answers[first + i];
        int* const to = tokens + (first + i) * each;
        if (a.top > abstain && 0 <= a.attribute && a.attribute < entities) to[0] = a.attribute;
        if (position >= 0) to[1] = position;
      });
  }

  int blocks() const { return (queries + most_threads - 1) / most_threads; }
};

}  // namespace geofact::gpu::kernel
