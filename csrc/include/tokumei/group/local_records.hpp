// A copy of some records whose codes are numbered anew where they are far more than the records: in
// their order, so that what counts them takes no longer than the records are many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/runtime/records.hpp"

namespace tokumei::group {

class LocalRecords {
 public:
  LocalRecords(const Records& x, const std::size_t* rows, std::size_t count)
      : records_(x, rows, count) {
    const Records some = records_.view();
    for (std::size_t j = 0; j < some.codes.columns(); ++j) {
      const auto codes = some.codes.column(j);
      codes_.insert(codes_.end(), codes.begin(), codes.end());
      number_anew(codes_.data() + j * count, count);
    }
  }

  Records view() const {
    const Records some = records_.view();
    return {some.numbers, {codes_.data(), some.rows(), some.codes.columns()}, some.weights};
  }

 private:
  static void number_anew(std::int32_t* codes, std::size_t count) {
    const std::int32_t most = count == 0 ? 0 : *std::max_element(codes, codes + count);
    if (most < 0 || static_cast<std::size_t>(most) < 4 * count) return;
    std::vector<std::int32_t> known(codes, codes + count);
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    const auto first = std::lower_bound(known.begin(), known.end(), 0);
    for (std::size_t i = 0; i < count; ++i)
      if (codes[i] >= 0)
        codes[i] =
            static_cast<std::int32_t>(std::lower_bound(first, known.end(), codes[i]) - first);
  }

  SomeRecords records_;
  std::vector<std::int32_t> codes_;
};

}  // namespace tokumei::group
