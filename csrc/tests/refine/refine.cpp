// The search against plain recomputation: every change looked at costs what it was said to cost,
// the best one is found, what is undone is undone to the bit, rules hold, and tiny tables end at
// their optimum.
#include "tokumei/refine/refine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/refine/absolute_cost.hpp"
#include "tokumei/refine/squares_cost.hpp"

using namespace tokumei::refine;

namespace {

using Rows = std::vector<std::size_t>;

// What a group costs, by its definition.
double plain(const Data& data, const std::vector<double>& weights, const Rows& rows,
             const Squares&) {
  double cost = 0;
  for (std::size_t j = 0; j < data.columns; ++j) {
    double sum = 0, mass = 0;
    for (const auto row : rows) {
      const double weight = weights.empty() ? 1.0 : weights[row];
      sum += weight * data.table()(row, j);
      mass += weight;
    }
    for (const auto row : rows) {
      const double by = data.table()(row, j) - sum / mass;
      cost += (weights.empty() ? 1.0 : weights[row]) * by * by;
    }
  }
  return cost;
}

double plain(const Data& data, const std::vector<double>& weights, const Rows& rows,
             const WeightedSquares&) {
  return plain(data, weights, rows, Squares());
}

double plain(const Data& data, const std::vector<double>&, const Rows& rows,
             const AbsoluteDeviations&) {
  double cost = 0;
  for (std::size_t j = 0; j < data.columns; ++j) {
    std::vector<double> values;
    for (const auto row : rows) values.push_back(data.table()(row, j));
    std::sort(values.begin(), values.end());
    for (const double value : values) cost += std::abs(value - values[values.size() / 2]);
  }
  return cost;
}

Data any_table(Random& random, std::size_t rows, std::size_t columns) {
  const std::size_t kind = random.below(5);
  Data data = make_data(random, rows, columns, kind < 2 ? 0 : 1 + random.below(4));
  if (kind == 1)  // duplicates
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t i = rows / 2; i < rows; ++i)
        data.values[j * rows + i] = data.values[j * rows + i - rows / 2];
  return data;
}

// Groups of k to 2k-1, of records in any order.
std::vector<std::int64_t> any_groups(Random& random, std::size_t rows, std::size_t k) {
  Rows order(rows);
  for (std::size_t i = 0; i < rows; ++i) order[i] = i;
  for (std::size_t i = rows; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
  std::vector<std::int64_t> labels(rows);
  std::int64_t group = 0;
  for (std::size_t at = 0; at < rows; ++group) {
    std::size_t size = k + random.below(k);
    if (rows - at < 2 * k || rows - at < size + k) size = rows - at < 2 * k ? rows - at : k;
    for (; size > 0; --size) labels[order[at++]] = group;
  }
  renumber({labels.data(), rows});
  return labels;
}

std::size_t count_of(const std::vector<std::int64_t>& labels) {
  return static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1;
}

template <class Cost>
struct Setting {
  Data data;
  std::size_t k;
  std::vector<double> weights;
  std::vector<std::int64_t> labels;
  std::vector<Rows> codes;

  Setting(Random& random, std::size_t most_rows)
      : data(any_table(random, 1 + random.below(most_rows), 1 + random.below(11))),
        k(1 + random.below(std::min<std::size_t>(5, data.rows))) {
    if (Cost::weighted)
      for (std::size_t i = 0; i < data.rows; ++i) weights.push_back(0.25 + 4 * random.uniform());
    labels = any_groups(random, data.rows, k);
  }

  SearchState<Cost> board(InstructionSet isa, const GroupRules* rules = nullptr) const {
    const std::size_t groups = count_of(labels);
    const auto members = members_of({labels.data(), data.rows}, groups);
    Rows all(groups);
    for (std::size_t group = 0; group < groups; ++group) all[group] = group;
    return SearchState<Cost>(
        records_of(data.table(), {weights.data(), weights.size()}, members, all.data(), groups),
        groups, k, 2 * k - 1, rules, isa);
  }

  Rows rows_of(const SearchState<Cost>& board, StateIndex group) const {
    Rows rows;
    for (std::size_t m = 0; m < board.size(group); ++m)
      rows.push_back(board.table_rows()[board.members(group)[m]]);
    return rows;
  }

  double cost(const Rows& rows) const {
    return rows.empty() ? 0.0 : plain(data, weights, rows, Cost());
  }

  // What the best move or swap of a record changes, over all groups.
  double least_change(const SearchState<Cost>& board, StateIndex row) const {
    const StateIndex own = board.group_of(row);
    double least = 0;
    for (StateIndex group = 0; group < board.room(); ++group) {
      if (group == own || board.size(group) == 0) continue;
      const auto change = [&](bool move, std::size_t m) {
        Rows a = rows_of(board, own), b = rows_of(board, group);
        const double before = cost(a) + cost(b);
        const std::size_t here = board.table_rows()[row];
        a.erase(std::find(a.begin(), a.end(), here));
        if (!move) {
          a.push_back(b[m]);
          b.erase(b.begin() + static_cast<std::ptrdiff_t>(m));
        }
        b.push_back(here);
        least = std::min(least, cost(a) + cost(b) - before);
      };
      if (board.size(own) > k && board.size(group) < board.most) change(true, 0);
      for (std::size_t m = 0; m < board.size(group); ++m) change(false, m);
    }
    return least;
  }
};

// All there is to a board that a change may change.
template <class Cost>
std::vector<double> picture(const SearchState<Cost>& board) {
  std::vector<double> seen;
  for (StateIndex row = 0; row < board.rows; ++row) seen.push_back(board.group_of(row));
  for (StateIndex group = 0; group < board.room(); ++group) {
    seen.push_back(static_cast<double>(board.size(group)));
    if (board.size(group) == 0) continue;
    seen.push_back(board.cost(group));
    for (std::size_t m = 0; m < board.size(group); ++m) seen.push_back(board.members(group)[m]);
    for (std::size_t j = 0; j < Cost::lines * board.width; ++j)
      seen.push_back(board.centre(group)[j]);
    if (!Cost::tiled) continue;
    for (std::size_t place = 0; place < board.size(group); ++place)
      for (std::size_t j = 0; j <= board.columns; ++j)
        seen.push_back(board.chunk(group, place / 8)[j * 8 + place % 8]);
    for (std::size_t place = board.size(group); place % 8 != 0; ++place)
      seen.push_back(board.chunk(group, place / 8)[board.columns * 8 + place % 8]);
  }
  return seen;
}

template <class Cost>
void check_changes(Random& random, InstructionSet isa) {
  Setting<Cost> setting(random, 30);
  auto board = setting.board(isa);
  const double grain = 1e-11 * (1 + board.total_cost()) * static_cast<double>(board.rows);
  const auto nearest = nearest_records(board, board.rows, [] {});
  LocalSearch search(board, nearest, board.rows);
  const auto costs_are_plain = [&] {
    bool right = true;
    for (StateIndex group = 0; group < board.room(); ++group)
      if (board.size(group) > 0)
        right = right &&
                std::abs(board.cost(group) - setting.cost(setting.rows_of(board, group))) <= grain;
    return right;
  };
  CHECK(costs_are_plain());
  for (StateIndex row = 0; row < board.rows; ++row) {
    const Change change = search.best(row);
    CHECK(std::abs(change.by - setting.least_change(board, row)) <= grain);
    if (change.group == Change::nobody) continue;
    const StateIndex from = board.group_of(row);
    const double before = board.cost(from) + board.cost(change.group);
    search.exchange(row, from, change.group, change.other);
    CHECK(std::abs(board.cost(from) + board.cost(change.group) - before - change.by) <= grain);
    CHECK(costs_are_plain());
  }
}

template <class Cost>
void check_undo(Random& random, InstructionSet isa) {
  Setting<Cost> setting(random, 40);
  auto board = setting.board(isa);
  const auto nearest = nearest_records(board, 12, [] {});
  LocalSearch search(board, nearest, 8);
  Xoshiro256 chance(random.bits());
  Perturbation perturbation(board, nearest, chance);
  for (int trial = 0; trial < 8; ++trial) {
    const auto before = picture(board);
    const double cost = board.total_cost();
    board.begin();
    const bool shaken = perturbation.shake(static_cast<StateIndex>(random.below(board.rows)));
    if (shaken) {
      const auto touched = board.touched();
      for (const auto group : touched) search.look_at_members(group);
      search.run([] {});
      CHECK(std::abs(board.total_cost() - cost - board.change()) <= 1e-9 * (1 + cost));
      std::size_t held = 0;
      for (StateIndex group = 0; group < board.room(); ++group) {
        held += board.size(group);
        CHECK(board.size(group) == 0 || board.size(group) >= setting.k);
        CHECK(board.size(group) <= board.most);
      }
      CHECK(held == board.rows);
    }
    if (shaken && trial % 4 == 3) continue;
    board.undo();
    CHECK(picture(board) == before);
  }
}

// The least cost of all partitions into groups of at least k, over all sets of records.
template <class Cost>
double optimum(const Setting<Cost>& setting) {
  const std::size_t rows = setting.data.rows, sets = std::size_t{1} << rows;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<double> least(sets, infinite), cost(sets, infinite);
  least[0] = 0;
  for (std::size_t set = 1; set < sets; ++set) {
    Rows members;
    for (std::size_t i = 0; i < rows; ++i)
      if (set >> i & 1) members.push_back(i);
    if (members.size() >= setting.k) cost[set] = setting.cost(members);
  }
  for (std::size_t set = 1; set < sets; ++set) {
    const std::size_t first = set & (~set + 1);
    for (std::size_t part = set; part > 0; part = (part - 1) & set)
      if (part & first) least[set] = std::min(least[set], cost[part] + least[set ^ part]);
  }
  return least[sets - 1];
}

template <class Cost>
void check_optimum(Random& random, InstructionSet isa) {
  const Setting<Cost> setting(random, 12);
  auto labels = setting.labels;
  RefineOptions wish;
  wish.k = setting.k;
  wish.most = 2 * setting.k - 1;
  wish.effort = {300, 0.5, 0.01};
  wish.weights = {setting.weights.data(), setting.weights.size()};
  refine<Cost>(setting.data.table(), {labels.data(), labels.size()}, count_of(labels), wish,
               Run{1, isa, {}});
  double reached = 0;
  for (std::size_t group = 0; group < count_of(labels); ++group) {
    Rows rows;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == static_cast<std::int64_t>(group)) rows.push_back(i);
    reached += setting.cost(rows);
  }
  CHECK(reached <= optimum(setting) + 1e-9);
}

// Rules by their definitions.
struct PlainRules {
  std::vector<std::int64_t> sensitive, households;
  std::size_t values, distinct, families;
  double apart;
  bool ordered;

  bool hold(const Rows& rows) const {
    std::set<std::int64_t> seen, homes;
    std::vector<double> here(values), all(values);
    for (const auto row : rows) {
      seen.insert(sensitive[row]);
      homes.insert(households[row]);
      here[static_cast<std::size_t>(sensitive[row])] += 1.0 / static_cast<double>(rows.size());
    }
    for (const auto code : sensitive)
      all[static_cast<std::size_t>(code)] += 1.0 / static_cast<double>(sensitive.size());
    double sum = 0, moved = 0, half = 0;
    for (std::size_t value = 0; value < values; ++value) {
      half += std::abs(here[value] - all[value]) / 2;
      sum += here[value] - all[value];
      moved += std::abs(sum);
    }
    const double far = ordered ? (values > 1 ? moved / static_cast<double>(values - 1) : 0) : half;
    return seen.size() >= distinct && homes.size() >= families && far <= apart + 1e-9;
  }
};

template <class Cost>
void check_rules(Random& random, InstructionSet isa) {
  Setting<Cost> setting(random, 40);
  const std::size_t n = setting.data.rows;
  PlainRules plain_rules{std::vector<std::int64_t>(n),  std::vector<std::int64_t>(n), 0, 0, 0,
                         0.05 + 0.6 * random.uniform(), random.below(2) == 0};
  const std::size_t values = 1 + random.below(std::min<std::size_t>(5, n));
  for (std::size_t i = 0; i < n; ++i) {
    plain_rules.sensitive[i] = static_cast<std::int64_t>(random.below(values));
    plain_rules.households[i] = static_cast<std::int64_t>(random.below(1 + n / 2));
  }
  plain_rules.values = renumber({plain_rules.sensitive.data(), n});
  plain_rules.distinct = 1 + random.below(plain_rules.values);
  plain_rules.families = 1 + random.below(renumber({plain_rules.households.data(), n}));
  GroupRules rules;
  rules.ask_distinct({plain_rules.sensitive.data(), n}, plain_rules.distinct);
  rules.ask_distinct({plain_rules.households.data(), n}, plain_rules.families);
  rules.ask_close({plain_rules.sensitive.data(), n}, plain_rules.values, plain_rules.ordered,
                  plain_rules.apart);
  GroupRules::Room room;
  Rows some;
  for (std::size_t i = 0; i < n; ++i)
    if (random.below(3) == 0) some.push_back(i);
  if (!some.empty()) CHECK(rules.hold(some.data(), some.size(), room) == plain_rules.hold(some));

  auto labels = setting.labels;
  RefineOptions wish;
  wish.k = setting.k;
  wish.most = 2 * setting.k - 1;
  wish.effort = {3, 0.5, 0.01};
  wish.weights = {setting.weights.data(), setting.weights.size()};
  wish.rules = &rules;
  refine<Cost>(setting.data.table(), {labels.data(), n}, count_of(labels), wish, Run{1, isa, {}});
  const auto members = members_of({labels.data(), n}, count_of(labels));
  for (std::size_t group = 0; group < members.groups(); ++group) {
    const Rows rows(members.rows.begin() + static_cast<std::ptrdiff_t>(members.starts[group]),
                    members.rows.begin() + static_cast<std::ptrdiff_t>(members.starts[group + 1]));
    CHECK(rows.size() >= setting.k);
    CHECK(plain_rules.hold(rows));
  }
}

template <class Cost>
void check_all(Random& random, InstructionSet isa, int many) {
  for (int i = 0; i < 6 * many; ++i) check_changes<Cost>(random, isa);
  for (int i = 0; i < 6 * many; ++i) check_undo<Cost>(random, isa);
  for (int i = 0; i < 10 * many; ++i) check_rules<Cost>(random, isa);
  for (int i = 0; i < many; ++i) check_optimum<Cost>(random, isa);
}

// Of leaves and boxes, the same neighbours as without them.
void check_nearest(Random& random, InstructionSet isa) {
  Setting<Squares> setting(random, 300);
  auto board = setting.board(isa);
  const std::size_t groups = count_of(setting.labels);
  std::vector<std::size_t> borders{0};
  while (borders.back() < groups)
    borders.push_back(std::min(groups, borders.back() + 1 + random.below(9)));
  const auto boxed = nearest_in_groups(board, borders, 4, 9, [] {});
  const auto plainly = nearest_in_groups(board, {0, groups}, 4, 9, [] {});
  CHECK(boxed.rows == plainly.rows);
}

}  // namespace

TEST(x) {
  Random random(11);
  for (const auto isa : levels()) {
    check_all<Squares>(random, isa, 70);
    check_all<WeightedSquares>(random, isa, 40);
    check_all<AbsoluteDeviations>(random, isa, 40);
    for (int i = 0; i < 60; ++i) check_nearest(random, isa);
  }
}
