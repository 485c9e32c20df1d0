// Records with codes in the store against looking at every record; what stands behind it, by
// itself.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/spatial/category_anchor.hpp"
#include "tokumei/spatial/category_blocks.hpp"
#include "tokumei/spatial/category_counts.hpp"
#include "tokumei/spatial/category_leaves.hpp"
#include "tokumei/spatial/category_question.hpp"
#include "tokumei/spatial/category_sets.hpp"
#include "tokumei/spatial/category_terms.hpp"
#include "tokumei/spatial/record_store.hpp"

using namespace tokumei::spatial;

namespace {

double plain_term(std::int32_t a, std::int32_t b, double weight) {
  return a == b ? 0.0 : a < 0 || b < 0 ? weight : 2.0 * weight;
}

double between(const Records& x, std::size_t a, std::size_t b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < x.numbers.columns(); ++j) {
    const double by = x.numbers(a, j) - x.numbers(b, j);
    sum += by * by;
  }
  for (std::size_t j = 0; j < x.codes.columns(); ++j)
    sum += plain_term(x.codes(a, j), x.codes(b, j), x.weights[j]);
  return sum;
}

// Plain counts of some rows, and the squared distance of a row to their mean.
struct Counts {
  Counts(const Records& records, const std::vector<std::size_t>& rows)
      : x(records), n(static_cast<double>(rows.size())), of_code(records.codes.columns()) {
    for (std::size_t j = 0; j < of_code.size(); ++j) {
      for (const auto row : rows) of_code[j][x.codes(row, j)] += 1.0;
      squares.push_back(0.0);
      for (const auto& [code, count] : of_code[j]) squares[j] += code < 0 ? 0.0 : count * count;
    }
  }

  double from_mean(std::size_t row, const std::vector<double>& mean) {
    double sum = 0.0;
    for (std::size_t j = 0; j < mean.size(); ++j) {
      const double by = x.numbers(row, j) - mean[j];
      sum += by * by;
    }
    for (std::size_t j = 0; j < of_code.size(); ++j) {
      const auto code = x.codes(row, j);
      const double share = code < 0 ? 1.0 : 2.0 * of_code[j][code] / n;
      sum += x.weights[j] * ((1.0 + squares[j] / (n * n)) - share);
    }
    return sum;
  }

  const Records& x;
  double n;
  std::vector<std::map<std::int32_t, double>> of_code;
  std::vector<double> squares;
};

// Takes records out by searches of all kinds until nothing is left.
void exercise(Random& random, const Records& x, InstructionSet isa, std::size_t searches,
              Equals equals) {
  Run run{1, isa, {}};
  RecordStore store(x, searches, run, equals);
  CategoryCounts counts(x);
  std::vector<double> mean(x.numbers.columns());
  while (store.size() > 0) {
    auto rows = store.remaining();
    std::sort(rows.begin(), rows.end());
    for (auto& value : mean) value = random.uniform();
    const std::size_t far = store.farthest_from_centre(mean.data(), &counts);
    Counts plain(x, rows);
    std::pair<double, std::size_t> best{-1.0, 0};
    for (const auto row : rows) {
      const double away = plain.from_mean(row, mean);
      if (away > best.first) best = {away, row};
    }
    CHECK(store.row(far) == best.second);
    const OwnPoint here = store.point(far);
    const std::size_t opposite = store.farthest(here.view());
    best = {-1.0, 0};
    for (const auto row : rows)
      if (between(x, row, store.row(far)) > best.first)
        best = {between(x, row, store.row(far)), row};
    CHECK(store.row(opposite) == best.second);
    CHECK(store.distance(opposite, here.view()) == best.first);
    std::vector<std::pair<double, std::size_t>> near;
    for (const auto row : rows) near.push_back({between(x, row, store.row(far)), row});
    std::sort(near.begin(), near.end());
    near.resize(std::min<std::size_t>(near.size(), 1 + random.below(5)));
    std::vector<std::size_t> found;
    const auto places = store.nearest(here.view(), near.size());
    std::map<std::size_t, std::size_t> next;  // of a place where several are
    for (const auto place : places) {
      found.push_back(next.try_emplace(place, store.row(place)).first->second);
      next[place] = store.next(found.back());
    }
    std::sort(found.begin(), found.end());
    std::vector<std::size_t> expected;
    for (const auto& [distance, row] : near) expected.push_back(row);
    std::sort(expected.begin(), expected.end());
    CHECK(found == expected);
    for (const auto place : places) counts.remove(store.slots(place));
    store.remove(places);
  }
}

}  // namespace

TEST(the_store_finds_records_with_codes_as_looking_at_every_one_does) {
  Random random(5);
  for (const auto isa : levels())
    for (const std::size_t ties : {0, 2})
      for (const auto equals : {Equals::have_places, Equals::share_places}) {
        for (int round = 0; round < 4; ++round) {
          const auto data = make_mixed(random, 1 + random.below(50), 1 + random.below(7), ties);
          exercise(random, data.records(), isa, 1000 * random.below(2), equals);
        }
        const auto data = make_mixed(random, 600, 4, ties);
        exercise(random, data.records(), isa, 1000, equals);
        const auto equal = make_mixed(random, 600, 2, ties);
        exercise(random, equal.records(), isa, 1000, equals);
      }
}

TEST(counts_follow_the_records_taken_out) {
  Random random(6);
  const auto data = make_mixed(random, 60, 5, 0);
  const Records x = data.records();
  CategoryCounts counts(x);
  counts.remember();
  std::vector<CategorySlot> slots(x.codes.columns());
  for (std::size_t row = 0; row < 30; ++row) {
    for (std::size_t j = 0; j < slots.size(); ++j) slots[j] = slot_of(x.codes(row, j));
    counts.remove(slots.data());
  }
  CHECK(counts.size() == 30.0);
  std::vector<std::size_t> rest;
  for (std::size_t row = 30; row < 60; ++row) rest.push_back(row);
  for (std::size_t j = 0; j < x.codes.columns(); ++j) {
    double apart = 0.0;
    for (CategorySlot slot = 1; static_cast<std::size_t>(slot) < counts.slots(j); ++slot) {
      double all = 0.0, left = 0.0;
      for (std::size_t row = 0; row < 60; ++row) {
        all += slot_of(x.codes(row, j)) == slot ? 1.0 : 0.0;
        left += row >= 30 && slot_of(x.codes(row, j)) == slot ? 1.0 : 0.0;
      }
      CHECK(counts.share_of(j, slot) == left / 30.0);
      CHECK(left == 0.0 || counts.share(j, slot) >= counts.least_share(j) ||
            counts.least_share(j) == 1.0);
      apart += (all / 60.0 - left / 30.0) * (all / 60.0 - left / 30.0);
    }
    CHECK(std::abs(counts.apart(j) - apart) < 1e-12);
  }
}

TEST(sets_of_codes_are_fitted_up_to_the_root) {
  CategorySets sets(300, 1);
  for (std::size_t block = 0; block < 300; ++block)
    sets.set_block(block, 0, set_of(static_cast<CategorySlot>(block % 40)));
  sets.settle();
  CHECK(sets.sets(2, 0)[0] == (NodeSet{1} << 40) - 1);
  CHECK(sets.sets(0, 2)[3] == NodeSet{1} << 35);
  CHECK(sets.sets(0, 18)[15] == 0);
  sets.set(35, 0, 0);
  CHECK((sets.sets(1, 0)[2] & NodeSet{1} << 35) == 0);
  CHECK(sets.sets(2, 0)[0] == (NodeSet{1} << 40) - 1);
}

TEST(a_slot_whose_bit_is_not_set_is_not_there) {
  CHECK(set_of(0) == 1);
  for (CategorySlot slot = 1; slot < 200; ++slot) {
    CHECK(set_of(slot) > 1 && set_of(slot) == set_of(slot + 63));
    if (slot < 63) CHECK(set_of(slot) == NodeSet{1} << slot);
  }
}

TEST(leaves_are_known_by_the_slots_they_hold) {
  constexpr std::size_t blocks = 19;
  CategoryLeaves leaves({3, 2000});
  leaves.resize(blocks);
  const auto holds = [&](std::size_t leaf, std::size_t j, CategorySlot slot) {
    return (leaves.holding(j, slot)[leaf / sixteen] >> leaf % sixteen & 1) == 1;
  };
  leaves.hold(17, 0, 2);
  leaves.hold(303, 1, 1999);
  for (std::size_t leaf = 0; leaf < blocks * sixteen; ++leaf) {
    CHECK(holds(leaf, 0, 2) == (leaf == 17) && !holds(leaf, 0, 0) && !holds(leaf, 0, 1));
    CHECK(holds(leaf, 1, 1999) == (leaf == 303) && !holds(leaf, 1, 1998) && !holds(leaf, 1, 0));
  }
  CHECK(holds(303, 1, 1999 - 511));  // shares its words
  leaves.forget(303, 1, 1999);
  CHECK(!holds(303, 1, 1999) && holds(17, 0, 2));
  leaves.resize(blocks);
  CHECK(!holds(17, 0, 2));
}

template <std::size_t bytes>
struct Without {
  TOKUMEI_HOT static bool run(LeafBits bits) {
    const LeafBits words[sixteen] = {0, 1, 0, 2, 0x8000};
    const auto blocks = bits_of(blocks_without<Sixteen<double, bytes>>(words));
    const auto leaves = bits_of(leaves_without<Sixteen<float, bytes>>(bits));
    return blocks == (all_sixteen & ~0b11010U) && leaves == (all_sixteen & ~unsigned{bits});
  }
};

TEST(blocks_and_leaves_without_a_slot_are_those_whose_bits_are_not_set) {
  for (const auto isa : levels())
    for (const LeafBits bits : {LeafBits{0}, LeafBits{1}, LeafBits{0x8421}, LeafBits{0xffff}})
      CHECK(dispatch_lanes<Without>(isa, bits));
}

TEST(terms_of_many_slots_are_those_of_one) {
  Random random(7);
  for (const auto isa : levels())
    for (const double here : {0.0, 1.0, 2.0}) {
      std::vector<double> column(21), sums(21, 0.5);
      for (auto& slot : column) slot = static_cast<double>(random.below(4));
      dispatch_lanes<AddTerms>(isa, static_cast<const double*>(column.data()), column.size(), here,
                               0.75, sums.data());
      for (std::size_t i = 0; i < column.size(); ++i)
        CHECK(sums[i] == 0.5 + plain_term(static_cast<std::int32_t>(column[i]) - 1,
                                          static_cast<std::int32_t>(here) - 1, 0.75));
    }
}

TEST(no_record_is_nearer_to_what_lies_opposite_than_the_anchor_says) {
  Random random(8);
  for (int round = 0; round < 50; ++round) {
    auto data = make_mixed(random, 30, 3, 0);
    for (auto& code : data.codes) code = std::max(code, 0);
    const Records x = data.records();
    const CategoryCounts counts(x);
    CategoryAnchor anchor;
    anchor.set(counts, x.weights);
    const std::size_t p = random.below(30);
    std::vector<CategorySlot> slots;
    for (std::size_t j = 0; j < 3; ++j) slots.push_back(slot_of(x.codes(p, j)));
    const auto gap = anchor.opposite(slots.data());
    const double t = 3 * random.uniform();
    for (std::size_t row = 0; row < 30; ++row) {
      double exact = 0.0;
      for (std::size_t j = 0; j < 3; ++j)
        for (CategorySlot slot = 1; static_cast<std::size_t>(slot) < counts.slots(j); ++slot) {
          const double share = counts.share_of(j, slot);
          const double opposite = share - t * ((slot == slots[j] ? 1.0 : 0.0) - share);
          const double by = (slot_of(x.codes(row, j)) == slot ? 1.0 : 0.0) - opposite;
          exact += x.weights[j] * by * by;
        }
      CHECK(gap.constant + t * (gap.linear + t * gap.square) <= exact);
    }
  }
}
