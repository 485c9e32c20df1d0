// Groups of lower cost from groups of any origin: the same k, less loss.
//
// Tables of up to `small_table` records are one state. Larger ones are cut into blocks of
// neighbouring groups (median-like splits of the groups' centres), each block is searched on its
// own state, and the cut is moved from round to round so that what was a border lies inside a block
// next time. A block's chance is drawn from the seed, the round and the block's number: the labels
// do not depend on the number of threads.
//
// The cost never rises above the start's; every group keeps k records and what the rules ask.
// Without rules, groups of more than `most` are split first, which never raises a sum of squares;
// with rules, groups that are not allowed exchange records or are merged first, which does.
// O(perturbations) time with a cost a trial that does not depend on n; beyond the data and the
// labels, memory is one state a thread. Throws Interrupted, and then the labels are whole all the
// same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/group/group_blocks.hpp"
#include "tokumei/group/labels.hpp"
#include "tokumei/group/members.hpp"
#include "tokumei/group/split_groups.hpp"
#include "tokumei/refine/annealing.hpp"
#include "tokumei/refine/group_rules.hpp"
#include "tokumei/refine/near_records.hpp"
#include "tokumei/refine/repair.hpp"
#include "tokumei/refine/search_state.hpp"
#include "tokumei/refine/state_records.hpp"
#include "tokumei/runtime/cancellation_token.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"

namespace tokumei::refine {

// What is asked of a refinement.
struct RefineOptions {
  std::size_t k = 1;
  std::size_t most =
      1;  // records a group, at least 2k-1; with rules a repaired group may have more
  AnnealingSchedule schedule{};
  std::uint64_t seed = 0;
  Column<double> weights{};  // of the records, all positive; none where all weigh 1
  const GroupRules* rules = nullptr;
};

inline constexpr std::size_t small_table = 8192;

// Records a block: large ones lose less at their borders, many keep all threads busy.
inline std::size_t block_records(std::size_t rows, std::size_t k) {
  return std::max({std::size_t{8192}, std::min<std::size_t>(32768, rows / 8), 40 * k});
}
inline constexpr std::size_t leaf_records = 512;

// One state; its rows' new groups, numbered from 0, go to `labels`. Returns their number. An
// interrupted search still leaves whole groups there.
template <class Cost, class Neighbours>
std::size_t refine_state(const Records& x, OutColumn<std::int64_t> labels, const Members& members,
                         const std::size_t* groups, std::size_t count, const RefineOptions& options,
                         std::size_t stretch, InstructionSet isa, CancellationToken& token,
                         Neighbours&& neighbours) {
  SearchState<Cost> state(records_of(x, options.weights, members, groups, count), count, options.k,
                          options.most, options.rules, isa);
  auto arranged = arrangement(state);
  try {
    const auto nearest = neighbours(state);
    anneal(state, nearest, options.schedule, options.seed, stretch, arranged,
           [&](double share) { token.pause(share); });
  } catch (const Interrupted&) {
    // The token is open; what has been found so far is kept.
  }
  for (std::size_t i = 0; i < state.rows; ++i)
    labels[state.table_rows()[i]] = static_cast<std::int64_t>(arranged[i]);
  token.finish_one();
  return std::size_t{*std::max_element(arranged.begin(), arranged.end())} + 1;
}

template <class Cost>
void refine_small(const Records& x, OutColumn<std::int64_t> labels, std::size_t groups,
                  const RefineOptions& options, CancellationToken& token, InstructionSet isa) {
  const auto members = members_of(labels, groups);
  std::vector<std::size_t> all(groups);
  for (std::size_t group = 0; group < groups; ++group) all[group] = group;
  const std::size_t count = std::max<std::size_t>(40, std::min<std::size_t>(6 * options.k, 256));
  refine_state<Cost>(x, labels, members, all.data(), groups, options, x.rows(), isa, token,
                     [&](const SearchState<Cost>& state) {
                       return nearest_records(state, count, [&] { token.pause(0.0); });
                     });
}

// One round over all blocks; returns the new number of groups.
template <class Cost>
std::size_t refine_blocks(const Records& x, OutColumn<std::int64_t> labels, std::size_t groups,
                          const RefineOptions& options, std::size_t round, CancellationToken& token,
                          ThreadTeam& team, InstructionSet isa) {
  const auto members = members_of(labels, groups);
  const GroupBlocks blocks(
      x, members, block_records(x.rows(), options.k), round, team, [&] { token.pause(0.0); },
      leaf_records);
  token.expect(blocks.count());
  std::vector<std::size_t> formed(blocks.count());
  const std::size_t breadth = options.schedule.perturbations > 0 ? Cost::Codes::breadth : 1;
  const std::size_t reach = breadth * (4 + 30 / options.k);
  team.each_block(blocks.count(), [&](std::size_t block) {
    const auto neighbours = [&](const SearchState<Cost>& state) {
      return nearest_in_groups(state, blocks.leaves(block), reach,
                               std::max<std::size_t>(12, options.k + options.k / 2),
                               [&] { token.pause(0.0); });
    };
    RefineOptions here = options;
    here.seed = mix(mix(options.seed) + block);
    formed[block] = refine_state<Cost>(x, labels, members, blocks.groups(block), blocks.size(block),
                                       here, 2 * leaf_records, isa, token, neighbours);
  });
  std::vector<std::size_t> first(blocks.count());
  groups = 0;
  for (std::size_t block = 0; block < blocks.count(); ++block) {
    first[block] = groups;
    groups += formed[block];
  }
  team.each_block(blocks.count(), [&](std::size_t block) {
    for (std::size_t i = 0; i < blocks.size(block); ++i) {
      const std::size_t group = blocks.groups(block)[i];
      for (std::size_t m = members.starts[group]; m < members.starts[group + 1]; ++m)
        labels[members.rows[m]] += static_cast<std::int64_t>(first[block]);
    }
  });
  return groups;
}

// Rounds of blocks; the temperature falls from round to round.
template <class Cost>
void refine_large(const Records& x, OutColumn<std::int64_t> labels, std::size_t groups,
                  const RefineOptions& options, Run& run) {
  const AnnealingSchedule& schedule = options.schedule;
  // Every round cuts and looks for neighbours anew, which after so many changes little.
  constexpr std::size_t most_rounds = 64;
  const auto rounds =
      std::clamp<std::size_t>(static_cast<std::size_t>(2 * schedule.perturbations), 2, most_rounds);
  const double cooling =
      schedule.start_temperature > 0 ? schedule.end_temperature / schedule.start_temperature : 0.0;
  ThreadTeam team(run.n_threads);
  for (std::size_t round = 0; round < rounds; ++round) {
    // Between start_temperature and end_temperature in equal ratios would need a root of any
    // degree; a straight way will do.
    const double left = static_cast<double>(rounds - 1 - round) / static_cast<double>(rounds);
    const double temperature = schedule.start_temperature * (cooling + (1 - cooling) * left * left);
    RefineOptions part = options;
    part.schedule = {schedule.perturbations / static_cast<double>(rounds), temperature,
                     temperature};
    part.seed = mix(options.seed + round);
    CancellationToken token(run.monitor, static_cast<double>(round) / static_cast<double>(rounds),
                            rounds);
    groups = refine_blocks<Cost>(x, labels, groups, part, round, token, team, run.isa);
    if (token.leaving()) throw Interrupted();
  }
}

// Groups as the search wants them; tells in `options` how large they may be and how much to
// perturbation.
inline std::size_t prepare(const Records& x, OutColumn<std::int64_t> labels, std::size_t groups,
                           RefineOptions& options, const Run& run) {
  if (options.rules == nullptr)
    return split_groups(x, labels, groups, options.k, options.most, run);
  try {
    groups = repair(x, labels, groups, *options.rules, options.k,
                    block_records(x.rows(), options.k), run);
  } catch (const Interrupted&) {
    std::fill_n(labels.data(), labels.size(), 0);  // all records as one group: always allowed
    throw;
  }
  const auto sizes = group_sizes(labels, groups);
  const std::size_t largest = *std::max_element(sizes.begin(), sizes.end());
  options.most = std::max(options.most, std::min(largest, 6 * options.k));
  // A perturbation compares the members of a group with those of others: in larger groups fewer are
  // made.
  double squares = 0;
  for (const std::size_t size : sizes)
    squares += static_cast<double>(size) * static_cast<double>(size);
  const double usual = squares / static_cast<double>(x.rows());
  const double share = std::min(1.0, 2 * static_cast<double>(options.k) / usual);
  options.schedule.perturbations *= share * share;
  return groups;
}

// Labels 0..groups-1 of groups of at least k records, rewritten in canonical form. Where
// Interrupted is thrown they are whole, canonical and cost no more than before.
template <class Cost>
void refine(const Records& x, OutColumn<std::int64_t> labels, std::size_t groups,
            RefineOptions options, Run run) {
  try {
    groups = prepare(x, labels, groups, options, run);
    if (groups > 1 && x.rows() > small_table) {
      refine_large<Cost>(x, labels, groups, options, run);
    } else if (groups > 1) {
      CancellationToken token(run.monitor, 0.0, 1);
      refine_small<Cost>(x, labels, groups, options, token, run.isa);
      if (token.leaving()) throw Interrupted();
    }
  } catch (const Interrupted&) {
    renumber(labels);
    throw;
  }
  renumber(labels);
}

}  // namespace tokumei::refine
