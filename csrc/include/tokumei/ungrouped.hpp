// The records that are in no group yet, packed for scanning while they become fewer.
//
// Attributes lie one after the other, each in chunks of 256 places. A chunk is packed from its
// front and chunks follow the order of the rows: a scan runs over dense columns, and the first of
// equals it meets is the lowest row. Taking a record out closes the gap within its chunk, O(256 d);
// once an eighth of the places is empty all chunks are packed anew, O(n d). Every record carries
// one number of the caller's, its note, which moves with it.
//
// Memory: one copy of the data and three numbers a record.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/team.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

class Ungrouped {
 public:
  static constexpr std::size_t chunk_places = 256;

  Ungrouped(Table<double> x, Team& team)
      : size_(x.rows()), count_((x.rows() + chunk_places - 1) / chunk_places),
        rows_(count_.size() * chunk_places), home_(x.rows()),
        data_(x.columns() + 1, std::vector<double>(rows_.size())) {
    for (std::size_t row = 0; row < x.rows(); ++row) rows_[row] = row;
    team.each_block(x.columns(), [&](std::size_t j) {
      const auto column = x.column(j);
      std::copy(column.begin(), column.end(), data_[j].begin());
    });
    for (const auto& column : data_) columns_.push_back(column.data());
    settle();
  }

  std::size_t size() const { return size_; }
  std::size_t attributes() const { return data_.size() - 1; }
  std::size_t chunks() const { return count_.size(); }

  // A chunk's records are at the places begin(chunk) .. begin(chunk) + count(chunk) - 1. The other
  // places of a chunk may be read: they hold finite numbers of no meaning.
  std::size_t begin(std::size_t chunk) const { return chunk * chunk_places; }
  std::size_t count(std::size_t chunk) const { return count_[chunk]; }
  std::size_t row(std::size_t place) const { return rows_[place]; }
  const double* const* columns() const { return columns_.data(); }
  double* notes() { return data_.back().data(); }

  // Takes a record out. All places may change.
  void take(std::size_t row) {
    const std::size_t chunk = home_[row];
    const std::size_t end = begin(chunk) + count_[chunk];
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(begin(chunk));
    const auto last = rows_.begin() + static_cast<std::ptrdiff_t>(end);
    const auto found = std::lower_bound(first, last, row);
    const auto place = static_cast<std::size_t>(found - rows_.begin());
    std::copy(found + 1, last, found);
    for (auto& column : data_)
      std::copy(column.data() + place + 1, column.data() + end, column.data() + place);
    --count_[chunk];
    --size_;
    const std::size_t places = chunks() * chunk_places;
    if (size_ < places - places / 8 && size_ + chunk_places <= places) pack();
  }

 private:
  void pack() {
    std::size_t target = 0;
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
      const std::size_t from = begin(chunk);
      const std::size_t to = from + count_[chunk];
      for (auto& column : data_)
        std::copy(column.data() + from, column.data() + to, column.data() + target);
      std::copy(rows_.data() + from, rows_.data() + to, rows_.data() + target);
      target += count_[chunk];
    }
    count_.resize((size_ + chunk_places - 1) / chunk_places);
    settle();
  }

  // Records lie without gaps: counts them by chunk and notes where each is.
  void settle() {
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
      count_[chunk] = std::min(chunk_places, size_ - begin(chunk));
      for (std::size_t i = 0; i < count_[chunk]; ++i) home_[rows_[begin(chunk) + i]] = chunk;
    }
  }

  std::size_t size_;
  std::vector<std::size_t> count_;
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> home_;
  std::vector<std::vector<double>> data_;
  std::vector<const double*> columns_;
};

// visit(chunk) for every chunk, on the team's threads in blocks of fixed borders.
template <class Visit>
void each_chunk(Team& team, std::size_t chunks, Visit&& visit) {
  constexpr std::size_t block = 16;
  team.each_block((chunks + block - 1) / block, [&](std::size_t b) {
    for (std::size_t chunk = b * block; chunk < std::min(chunks, (b + 1) * block); ++chunk)
      visit(chunk);
  });
}

}  // namespace tokumei
