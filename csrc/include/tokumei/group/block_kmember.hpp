// k-member inside blocks of neighbouring records: for tables of which the whole would take too
// long.
//
// kmember.hpp in the blocks of in_blocks.hpp, whose needs and memory it has. Shares of ranges are
// those of the whole table. O(n block d) time at worst, far less where a search has little to look
// at.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/group/in_blocks.hpp"
#include "tokumei/group/kmember.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"

namespace tokumei::group {

inline void block_kmember(const Records& x, std::size_t k, std::size_t block,
                          OutColumn<std::int64_t> labels, Run run) {
  const auto values = unit_ranges(x.numbers, run.n_threads);
  const Records unit({values.data(), x.rows(), x.numbers.columns()}, x.codes, x.weights);
  partition_blocks(unit, k, block, labels, run,
                   [k](const Records& some, OutColumn<std::int64_t> part, Run inside) {
                     kmember_of_unit_ranges(some, k, part, inside);
                   });
}

}  // namespace tokumei::group
