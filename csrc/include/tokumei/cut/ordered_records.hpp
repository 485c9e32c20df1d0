// The records of a table in a given order, a stretch at a time.
//
//   OrderedRecords records(x, order, reach, team);
//   const double* const* columns = records.from(first);
//
// columns[j][t], t < reach, is attribute j of the record at place first + t; places outside 0..n-1
// read as 0. Stretches must not begin before an earlier one. Records lie anywhere in memory, so
// they are fetched some time before they are read. O(n d) for all stretches together, memory for
// `reach` records and a few thousand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

#if defined(__GNUC__) || defined(__clang__)
#define TOKUMEI_FETCH(address) __builtin_prefetch(address)
#else
#define TOKUMEI_FETCH(address) static_cast<void>(address)
#endif

namespace tokumei::cut {

class OrderedRecords {
 public:
  OrderedRecords(RecordTable<double> x, Column<std::int64_t> order, std::size_t reach,
                 ThreadTeam& team)
      : x_(x), order_(order), team_(team), reach_(reach), room_(reach + std::min(x.rows(), stock)),
        data_(room_ * x.columns()), columns_(x.columns()) {}

  std::size_t attributes() const { return columns_.size(); }

  const double* const* from(std::ptrdiff_t first) {
    const auto reach = static_cast<std::ptrdiff_t>(reach_);
    if (first < begin_ || first + reach > end_) restock(first);
    for (std::size_t j = 0; j < columns_.size(); ++j)
      columns_[j] = data_.data() + j * room_ + (first - begin_);
    return columns_.data();
  }

 private:
  static constexpr std::size_t stock = 8192;
  static constexpr std::size_t block = 1024;
  static constexpr std::size_t lines_ahead = 128;
  static constexpr std::size_t values_in_a_line = 8;

  // Keeps the places from `first` on that are here already and adds those that there is room for,
  // but none after the last record that nobody asks for.
  void restock(std::ptrdiff_t first) {
    const std::ptrdiff_t kept = first < begin_ ? 0 : std::max<std::ptrdiff_t>(0, end_ - first);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      double* column = data_.data() + j * room_;
      std::copy_n(column + (end_ - kept - begin_), kept, column);
    }
    begin_ = first;
    end_ = std::max(first + static_cast<std::ptrdiff_t>(reach_),
                    std::min(first + static_cast<std::ptrdiff_t>(room_),
                             static_cast<std::ptrdiff_t>(x_.rows())));
    const std::ptrdiff_t added = first + kept;
    const auto blocks = (static_cast<std::size_t>(end_ - added) + block - 1) / block;
    team_.each_block(blocks, [&](std::size_t b) {
      const std::ptrdiff_t begin = added + static_cast<std::ptrdiff_t>(b * block);
      read(begin, std::min(begin + static_cast<std::ptrdiff_t>(block), end_));
    });
  }

  void read(std::ptrdiff_t begin, std::ptrdiff_t end) {
    const auto n = static_cast<std::ptrdiff_t>(x_.rows());
    const std::size_t step = x_.column_step();
    // Values of a record that lie side by side are in one cache line or in few.
    const std::size_t in_a_line = std::max<std::size_t>(1, values_in_a_line / step);
    const std::size_t lines = (columns_.size() + in_a_line - 1) / in_a_line;
    const auto ahead = static_cast<std::ptrdiff_t>(1 + lines_ahead / lines);
    for (std::ptrdiff_t place = begin; place < end; ++place) {
      double* out = data_.data() + (place - begin_);
      if (place < 0 || place >= n) {
        for (std::size_t j = 0; j < columns_.size(); ++j) out[j * room_] = 0.0;
        continue;
      }
      if (place + ahead < n) {
        const double* const later = x_.record(row(place + ahead));
        for (std::size_t line = 0; line < lines; ++line)
          TOKUMEI_FETCH(later + line * in_a_line * step);
        TOKUMEI_FETCH(later + (columns_.size() - 1) * step);  // lines begin where they like
      }
      const double* const record = x_.record(row(place));
      for (std::size_t j = 0; j < columns_.size(); ++j) out[j * room_] = record[j * step];
    }
  }

  std::size_t row(std::ptrdiff_t place) const {
    return static_cast<std::size_t>(order_[static_cast<std::size_t>(place)]);
  }

  RecordTable<double> x_;
  Column<std::int64_t> order_;
  ThreadTeam& team_;
  std::size_t reach_;
  std::size_t room_;
  std::vector<double> data_;
  std::vector<const double*> columns_;
  std::ptrdiff_t begin_ = 0;
  std::ptrdiff_t end_ = 0;
};

}  // namespace tokumei::cut
