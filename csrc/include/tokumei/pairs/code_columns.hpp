// Columns of category codes in as few bytes as they need, so that fetching them stays in the cache.
//
// Codes -1.. are stored as 0.., that is, 0 is a missing cell. Columns stand in ascending order of
// their number of categories (ties by place), so that a search which begins with the last ones
// begins with those that tell most records apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

class CodeColumns {
 public:
  // Reads the table once for each column. O(n d) time, at most 4 bytes a cell.
  explicit CodeColumns(Table<std::int64_t> codes) : rows_(codes.rows()) {
    std::vector<std::size_t> sizes;
    for (std::size_t j = 0; j < codes.columns(); ++j) {
      std::int64_t most = -1;
      for (const auto code : codes.column(j)) most = std::max(most, code);
      sizes.push_back(static_cast<std::size_t>(most + 2));
    }
    sources_.resize(codes.columns());
    std::iota(sources_.begin(), sources_.end(), std::size_t{0});
    std::stable_sort(sources_.begin(), sources_.end(),
                     [&](std::size_t a, std::size_t b) { return sizes[a] < sizes[b]; });
    for (const auto source : sources_) {
      sizes_.push_back(sizes[source]);
      narrow_.emplace_back();
      middle_.emplace_back();
      wide_.emplace_back();
      if (sizes[source] <= std::numeric_limits<std::uint8_t>::max() + std::size_t{1})
        fill(codes.column(source), narrow_.back());
      else if (sizes[source] <= std::numeric_limits<std::uint16_t>::max() + std::size_t{1})
        fill(codes.column(source), middle_.back());
      else
        fill(codes.column(source), wide_.back());
    }
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return sources_.size(); }
  // How many different codes a column may hold, the missing cell among them.
  std::size_t size(std::size_t j) const { return sizes_[j]; }
  // The place of a column in the table it came from.
  std::size_t source(std::size_t j) const { return sources_[j]; }

  // work(codes) with the codes of a column, a pointer to one of three widths.
  template <class Work>
  void with(std::size_t j, Work&& work) const {
    if (!narrow_[j].empty()) return work(narrow_[j].data());
    if (!middle_[j].empty()) return work(middle_[j].data());
    work(wide_[j].data());
  }

 private:
  template <class Code>
  static void fill(Column<std::int64_t> from, std::vector<Code>& to) {
    to.resize(from.size());
    std::transform(from.begin(), from.end(), to.begin(),
                   [](std::int64_t code) { return static_cast<Code>(code + 1); });
  }

  std::size_t rows_;
  std::vector<std::size_t> sources_, sizes_;
  std::vector<std::vector<std::uint8_t>> narrow_;
  std::vector<std::vector<std::uint16_t>> middle_;
  std::vector<std::vector<std::uint32_t>> wide_;
};

}  // namespace tokumei::pairs
