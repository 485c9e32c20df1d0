// Classes of records that agree in all columns so far, and their refinement by one column more.
//
// A member is 2 * row, plus 1 where the row stands for several equal records, which no column tells
// apart. Only classes in which someone could still become unique are kept: those of two members or
// more, one of them a single record. Refining keeps the order of members: O(members) time, and no
// sorting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/pairs/code_columns.hpp"

namespace tokumei::pairs {

inline bool is_single(std::size_t member) { return (member & 1) == 0; }
inline std::size_t row_of(std::size_t member) { return member >> 1; }

// Members of class c are members[starts[c]..starts[c + 1]).
struct Classes {
  std::vector<std::size_t> members, starts{0};

  void clear() {
    members.clear();
    starts.assign(1, 0);
  }
};

// What is counted of each code within one class; all zero between classes.
class Refinement {
 public:
  explicit Refinement(const CodeColumns& columns) : columns_(columns) {
    std::size_t most = 0;
    for (std::size_t j = 0; j < columns.columns(); ++j) most = std::max(most, columns.size(j));
    tallies_.resize(most);
    present_.assign(columns.columns(), 0);
    std::vector<std::uint8_t> seen;
    for (std::size_t j = 0; j < columns.columns(); ++j) {
      seen.assign(columns.size(j), 0);
      columns.with(j, [&](const auto* codes) {
        for (std::size_t row = 0; row < columns.rows(); ++row) seen[codes[row]] = 1;
      });
      for (std::size_t code = 1; code < seen.size(); ++code) present_[j] += seen[code];
    }
  }

  // Calls unique(row) for each single record that column j parts from all others of its class, and
  // writes the classes that remain, unless they are not asked for (nullptr). Calls pause() now and
  // then.
  template <class Unique, class Pause>
  void refine(const Classes& from, std::size_t j, Classes* to, Unique&& unique, Pause&& pause) {
    if (to != nullptr) to->clear();
    std::size_t looked_at = 0;
    columns_.with(j, [&](const auto* codes) {
      for (std::size_t c = 0; c + 1 < from.starts.size(); ++c) {
        const std::size_t begin = from.starts[c], end = from.starts[c + 1];
        looked_at += end - begin;
        if (looked_at > stretch) {
          pause();
          looked_at = 0;
        }
        const std::size_t* members = from.members.data() + begin;
        if (end - begin == 2)
          refine_two(members, codes, to, unique);
        else
          refine_many(members, end - begin, codes, present_[j], to, unique);
      }
    });
  }

 private:
  static constexpr std::size_t stretch = std::size_t{1} << 18;

  struct Tally {
    std::size_t place = 0;
    std::uint8_t records = 0;  // 2 stands for more
    bool has_single = false;
  };

  template <class Code, class Unique>
  static void refine_two(const std::size_t* members, const Code* codes, Classes* to,
                         Unique&& unique) {
    const Code a = codes[row_of(members[0])], b = codes[row_of(members[1])];
    if (a == b) {
      if (a == 0 || to == nullptr) return;
      to->members.insert(to->members.end(), members, members + 2);
      to->starts.push_back(to->members.size());
      return;
    }
    if (a != 0 && is_single(members[0])) unique(row_of(members[0]));
    if (b != 0 && is_single(members[1])) unique(row_of(members[1]));
  }

  template <class Code, class Unique>
  void refine_many(const std::size_t* members, std::size_t size, const Code* codes,
                   std::size_t present, Classes* to, Unique&& unique) {
    // Once all codes that there are were seen twice, nobody can be unique: the rest is only copied.
    std::size_t often = 0, looked_at = 0;
    touched_.clear();
    here_.resize(size);
    for (; looked_at < size && (to != nullptr || often < present); ++looked_at) {
      const Code code = codes[row_of(members[looked_at])];
      here_[looked_at] = code;
      if (code == 0) continue;
      auto& tally = tallies_[code];
      if (tally.records == 0) touched_.push_back(code);
      const std::uint8_t before = tally.records;
      if (before < 2) tally.records = is_single(members[looked_at]) && before == 0 ? 1 : 2;
      tally.has_single |= is_single(members[looked_at]);
      often += before < 2 && tally.records >= 2;
      ++tally.place;
    }
    if (often < touched_.size())
      for (std::size_t i = 0; i < looked_at; ++i)
        if (here_[i] != 0 && tallies_[here_[i]].records == 1) unique(row_of(members[i]));
    if (to != nullptr) part(members, size, *to);
    for (const auto code : touched_) tallies_[code] = {};
  }

  // The members of each code that several records of the class share.
  void part(const std::size_t* members, std::size_t size, Classes& to) {
    std::size_t place = to.members.size();
    for (const auto code : touched_) {
      auto& tally = tallies_[code];
      if (tally.place < 2 || !tally.has_single) {
        tally.records = 0;  // left behind
        continue;
      }
      const std::size_t begin = place;
      place += tally.place;
      tally.place = begin;
      to.starts.push_back(place);
    }
    to.members.resize(place);
    for (std::size_t i = 0; i < size; ++i) {
      if (here_[i] == 0) continue;
      auto& tally = tallies_[here_[i]];
      if (tally.records != 0) to.members[tally.place++] = members[i];
    }
  }

  const CodeColumns& columns_;
  std::vector<Tally> tallies_;
  std::vector<std::size_t> present_, touched_, here_;
};

// All records in one class.
inline Classes all_in_one(Column<std::uint8_t> several) {
  Classes one;
  one.members.resize(several.size());
  for (std::size_t row = 0; row < several.size(); ++row)
    one.members[row] = 2 * row + (several[row] != 0);
  one.starts.push_back(several.size());
  return one;
}

}  // namespace tokumei::pairs
