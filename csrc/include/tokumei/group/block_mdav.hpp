// MDAV inside blocks of neighbouring records: a start for searches where MDAV of the whole would
// take too long, and the partition for those who are in a hurry.
//
// mdav.hpp in the blocks of in_blocks.hpp, whose needs and memory it has. O(n (block/k + log n) d)
// time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/group/in_blocks.hpp"
#include "tokumei/group/mdav.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"

namespace tokumei::group {

inline void block_mdav(const Records& x, std::size_t k, std::size_t block,
                       OutColumn<std::int64_t> labels, Run run) {
  partition_blocks(x, k, block, labels, run,
                   [k](const Records& some, OutColumn<std::int64_t> part, Run inside) {
                     mdav(some, k, part, inside);
                   });
}

}  // namespace tokumei::group
