// Mondrian: halves a table again and again, each time across its widest attribute (LeFevre, DeWitt
// & Ramakrishnan 2006), until no half would keep k records.
//
// A group's width in an attribute is its range there over the range of the whole table; in a column
// of codes a category is its rank by frequency in the table (frequency_ranks.hpp), and the width is
// the number of its different ranks over that of the table, both less one. The widest attribute is
// cut next to the group's median: the middle one of its values, the lower of two. Strict: all
// records at the median go to the side that makes the halves more equal, to the lower one where
// that makes no difference. If a half would be smaller than k, the next widest attribute is tried;
// if none can be cut, the group is final. Not strict: the first half, rounded up, in the order of
// values and of rows; every group of 2k or more is cut.
//
// Ties between attributes: the first. Sizes: at least k; up to 2k-1 if no values are equal or not
// strict. O(n d log n) time, two copies of the data as memory. Needs 1 <= k <= n and finite data
// whose differences are finite. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "tokumei/group/frequency_ranks.hpp"
#include "tokumei/group/labels.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"

namespace tokumei::group {

// The greatest of n values less the least. n > 0.
struct RangeOfValues {
  TOKUMEI_HOT static double run(const double* x, std::size_t n) {
    constexpr std::size_t lanes = 8;
    double least[lanes], most[lanes];
    for (std::size_t l = 0; l < lanes; ++l) least[l] = most[l] = x[0];
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
      for (std::size_t l = 0; l < lanes; ++l) {
        least[l] = x[i + l] < least[l] ? x[i + l] : least[l];
        most[l] = most[l] < x[i + l] ? x[i + l] : most[l];
      }
    for (; i < n; ++i) {
      least[0] = x[i] < least[0] ? x[i] : least[0];
      most[0] = most[0] < x[i] ? x[i] : most[0];
    }
    for (std::size_t l = 1; l < lanes; ++l) {
      least[0] = least[l] < least[0] ? least[l] : least[0];
      most[0] = most[0] < most[l] ? most[l] : most[0];
    }
    return most[0] - least[0];
  }
};

// How many of n values are less than x, and how many equal it.
struct Rank {
  std::size_t less = 0;
  std::size_t equal = 0;
};

struct RankOf {
  TOKUMEI_HOT static Rank run(const double* values, std::size_t n, double x) {
    Rank rank;
    for (std::size_t i = 0; i < n; ++i) {
      rank.less += values[i] < x ? 1 : 0;
      rank.equal += values[i] == x ? 1 : 0;
    }
    return rank;
  }
};

// Consecutive places that hold the records of one group, lowest row first.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

// The records, kept so that every group is a stretch.
class Halving {
 public:
  Halving(const Records& x, std::size_t k, bool strict, InstructionSet isa, ThreadTeam& team)
      : k_(k), strict_(strict), isa_(isa), numbers_(x.numbers.columns()), ranges_(x.attributes()),
        rows_(x.rows()), spare_rows_(x.rows()), goes_down_(x.rows()),
        data_(x.attributes(), std::vector<double>(x.rows())), spare_(data_) {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    team.each_block(attributes(), [&](std::size_t j) {
      if (j < numbers_) {
        const auto column = x.numbers.column(j);
        std::copy(column.begin(), column.end(), data_[j].begin());
      } else {
        fill_ranks(x.codes.column(j - numbers_), data_[j].data());
      }
      ranges_[j] = width_of(j, {0, x.rows()});
    });
  }

  std::size_t attributes() const { return data_.size(); }
  std::size_t row(std::size_t place) const { return rows_[place]; }

  // Cuts a group in two and returns where the second begins; its end if it cannot be cut.
  // each(n, work) calls work(0) .. work(n-1), in any order.
  template <class Each>
  std::size_t cut(Stretch group, Each&& each) {
    if (group.size() / 2 < k_) return group.end;
    std::vector<double> widths(attributes());
    each(attributes(), [&](std::size_t j) {
      if (ranges_[j] > 0.0) widths[j] = width_of(j, group) / ranges_[j];
    });
    std::vector<std::size_t> widest_first(attributes());
    std::iota(widest_first.begin(), widest_first.end(), std::size_t{0});
    std::sort(widest_first.begin(), widest_first.end(), [&](std::size_t a, std::size_t b) {
      return widths[a] > widths[b] || (widths[a] == widths[b] && a < b);
    });
    for (const std::size_t j : widest_first) {
      const double median = median_of(j, group);
      const Rank rank = dispatch<RankOf>(isa_, values(j, group), group.size(), median);
      const std::size_t down = size_below(rank, group.size());
      if (down < k_ || group.size() - down < k_) continue;
      choose_side(j, group, median, down - rank.less);
      each(attributes() + 1, [&](std::size_t column) {
        if (column < attributes())
          divide(data_[column].data(), spare_[column].data(), group);
        else
          divide(rows_.data(), spare_rows_.data(), group);
      });
      return group.begin + down;
    }
    return group.end;
  }

 private:
  const double* values(std::size_t j, Stretch group) const { return data_[j].data() + group.begin; }

  double width_of(std::size_t j, Stretch group) const {
    return j < numbers_ ? dispatch<RangeOfValues>(isa_, values(j, group), group.size())
                        : different_ranks(values(j, group), group.size()) - 1.0;
  }

  double median_of(std::size_t j, Stretch group) {
    double* copy = spare_[j].data() + group.begin;
    std::copy_n(values(j, group), group.size(), copy);
    double* middle = copy + (group.size() - 1) / 2;
    std::nth_element(copy, middle, copy + group.size());
    return *middle;
  }

  // How many records go down.
  std::size_t size_below(Rank median, std::size_t size) const {
    if (!strict_) return (size + 1) / 2;
    const std::size_t without = median.less;
    const std::size_t with = median.less + median.equal;
    return 2 * with - size <= size - 2 * without ? with : without;
  }

  // Marks the records that go down: those below the median and the first `equals` of those at it.
  void choose_side(std::size_t j, Stretch group, double median, std::size_t equals) {
    for (std::size_t i = group.begin; i < group.end; ++i) {
      const bool chosen = data_[j][i] == median && equals > 0;
      equals -= chosen ? 1 : 0;
      goes_down_[i] = data_[j][i] < median || chosen ? 1 : 0;
    }
  }

  // Brings what goes down to the front; both halves keep their order.
  template <class T>
  void divide(T* data, T* spare, Stretch group) const {
    std::size_t down = group.begin;
    std::size_t up = group.begin;
    for (std::size_t i = group.begin; i < group.end; ++i) {
      const T value = data[i];
      data[down] = value;
      spare[up] = value;
      down += goes_down_[i];
      up += 1U - goes_down_[i];
    }
    std::copy(spare + group.begin, spare + up, data + down);
  }

  std::size_t k_;
  bool strict_;
  InstructionSet isa_;
  std::size_t numbers_;  // columns of them
  std::vector<double> ranges_;
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> spare_rows_;
  std::vector<std::uint8_t> goes_down_;
  std::vector<std::vector<double>> data_;
  std::vector<std::vector<double>> spare_;
};

inline void mondrian(const Records& x, std::size_t k, bool strict, OutColumn<std::int64_t> labels,
                     Run run) {
  ThreadTeam team(run.n_threads);
  Halving halving(x, k, strict, run.isa, team);
  // Cuts a group and pushes the halves, or labels it if it is final.
  const auto settle = [&](std::vector<Stretch>& open, auto&& each) {
    const Stretch group = open.back();
    open.pop_back();
    const std::size_t middle = halving.cut(group, each);
    if (middle < group.end) {
      open.push_back({middle, group.end});
      open.push_back({group.begin, middle});
      return;
    }
    for (std::size_t i = group.begin; i < group.end; ++i)
      labels[halving.row(i)] = static_cast<std::int64_t>(halving.row(group.begin));
  };
  // Large groups are cut one by one, threads sharing the attributes; small ones each by one thread.
  const std::size_t small = std::max<std::size_t>(1, (std::size_t{1} << 16) / x.attributes());
  constexpr std::size_t batch = 16;
  const auto rounds = [&](std::size_t size) {
    return 1.0 + std::log2(static_cast<double>(size) / static_cast<double>(k));
  };
  const double all = static_cast<double>(x.rows()) * rounds(x.rows());
  double done = 0.0;
  std::vector<Stretch> large{{0, x.rows()}};
  std::vector<Stretch> later;
  while (!large.empty()) {
    run.monitor.tick(std::min(1.0, done / all));
    const Stretch group = large.back();
    if (group.size() > small) {
      done += static_cast<double>(group.size());
      settle(large, [&](std::size_t n, auto&& work) { team.each_block(n, work); });
    } else {
      later.push_back(group);
      large.pop_back();
    }
  }
  for (std::size_t begin = 0; begin < later.size(); begin += batch) {
    run.monitor.tick(std::min(1.0, done / all));
    const std::size_t count = std::min(batch, later.size() - begin);
    team.each_block(count, [&](std::size_t i) {
      std::vector<Stretch> open{later[begin + i]};
      while (!open.empty())
        settle(open, [](std::size_t n, auto&& work) {
          for (std::size_t each = 0; each < n; ++each) work(each);
        });
    });
    for (std::size_t i = begin; i < begin + count; ++i)
      done += static_cast<double>(later[i].size()) * rounds(later[i].size());
  }
  renumber(labels);
}

}  // namespace tokumei::group
