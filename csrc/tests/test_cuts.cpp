// Cuts, the univariate optimum and MIL against every way of cutting, for every instruction set and
// several threads. Group sizes lie on both sides of where the ways of computing change.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/cut/cut.hpp"
#include "tokumei/cut/univariate.hpp"
#include "tokumei/group/mil.hpp"

using namespace tokumei::cut;
using namespace tokumei::group;

namespace {

using Labels = std::vector<std::int64_t>;

// The sum of squares of the records at places begin..end-1 of an order.
long double cost(const Data& data, const Labels& order, std::size_t begin, std::size_t end) {
  long double total = 0.0L;
  for (std::size_t j = 0; j < data.columns; ++j) {
    const auto at = [&](std::size_t place) {
      return static_cast<long double>(data.table()(static_cast<std::size_t>(order[place]), j));
    };
    long double mean = 0.0L;
    for (std::size_t place = begin; place < end; ++place) mean += at(place) - at(begin);
    mean = at(begin) + mean / static_cast<long double>(end - begin);
    for (std::size_t place = begin; place < end; ++place)
      total += (at(place) - mean) * (at(place) - mean);
  }
  return total;
}

// The least cost of any cut into stretches of k or more.
long double least_cut(const Data& data, const Labels& order, std::size_t k) {
  std::vector<long double> least(data.rows + 1, std::numeric_limits<long double>::infinity());
  least[0] = 0.0L;
  for (std::size_t end = k; end <= data.rows; ++end)
    for (std::size_t begin = 0; begin + k <= end; ++begin)
      least[end] = std::min(least[end], least[begin] + cost(data, order, begin, end));
  return least[data.rows];
}

// The cost of groups that must be stretches of the order of k or more; infinite where they are not.
long double cost_of(const Data& data, const Labels& order, const Labels& labels, std::size_t k) {
  long double total = 0.0L;
  std::vector<bool> seen(data.rows);
  for (std::size_t begin = 0, end = 0; begin < data.rows; begin = end) {
    const auto label = labels[static_cast<std::size_t>(order[begin])];
    while (end < data.rows && labels[static_cast<std::size_t>(order[end])] == label) ++end;
    if (end - begin < k || seen[static_cast<std::size_t>(label)])
      return std::numeric_limits<long double>::infinity();
    seen[static_cast<std::size_t>(label)] = true;
    total += cost(data, order, begin, end);
  }
  return total;
}

bool as_low(long double reached, long double least) {
  return reached <= least + least * 1e-11L + 1e-25L;
}

Labels sorted(const Data& data) {
  Labels order(data.rows);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return data.values[static_cast<std::size_t>(a)] < data.values[static_cast<std::size_t>(b)];
  });
  return order;
}

// What `work` writes, which no level and no number of threads may change.
template <class Work>
Labels labels_of(std::size_t rows, Work&& work) {
  Labels first;
  for (const auto isa : levels())
    for (const unsigned threads : {1U, 2U, 3U}) {
      Labels labels(rows, -1);
      work(OutColumn<std::int64_t>(labels.data(), rows), Run{threads, isa, {}});
      if (first.empty()) first = labels;
      CHECK(labels == first);
    }
  return first;
}

Data some_data(Random& random, std::size_t rows, std::size_t columns) {
  constexpr double offsets[] = {0.0, 0.0, 1e6};
  return make_data(random, rows, columns, random.below(3) * 4, offsets[random.below(3)]);
}

// A number of records at or near where something changes.
std::size_t some_rows(Random& random, std::size_t k) {
  const std::size_t near[] = {k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k, 5 * k + random.below(20)};
  return near[random.below(6)];
}

void cuts_are_the_best_there_are(std::size_t k) {
  Random random(k);
  for (int round = 0; round < 12; ++round) {
    const auto data = some_data(random, some_rows(random, k), 1 + random.below(5));
    Labels order(data.rows);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::size_t i = data.rows; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
    const auto labels = labels_of(data.rows, [&](auto out, Run run) {
      cut(data.table(), {order.data(), data.rows}, k, out, run);
    });
    CHECK(as_low(cost_of(data, order, labels, k), least_cut(data, order, k)));
  }
}

void no_partition_of_one_attribute_is_better(std::size_t k) {
  Random random(100 + k);
  for (int round = 0; round < 12; ++round) {
    const auto data = some_data(random, some_rows(random, k), 1);
    const auto order = sorted(data);
    const auto labels = labels_of(data.rows, [&](auto out, Run run) {
      univariate({data.values.data(), data.rows}, k, out, run);
    });
    CHECK(as_low(cost_of(data, order, labels, k), least_cut(data, order, k)));
  }
}

void mil_leaves_no_move_that_helps(std::size_t k) {
  Random random(200 + k);
  for (int round = 0; round < 12; ++round) {
    const auto data = some_data(random, 3 * k + random.below(30), 1);
    const auto order = sorted(data);
    // Stretches of k, then of k+1, ... and what is left with the last.
    Labels before(data.rows);
    std::int64_t group = 0;
    for (std::size_t begin = 0, size = k; begin < data.rows; begin += size++, ++group) {
      if (data.rows - begin < 2 * size + 1) size = data.rows - begin;
      for (std::size_t i = 0; i < size; ++i)
        before[static_cast<std::size_t>(order[begin + i])] = group;
    }
    renumber({before.data(), data.rows});
    const auto after = labels_of(data.rows, [&](auto out, Run run) {
      mil({data.values.data(), data.rows}, {before.data(), data.rows},
          static_cast<std::size_t>(group), k, out, run);
    });
    const auto reached = cost_of(data, order, after, k);
    CHECK(as_low(reached, cost_of(data, order, before, k)));
    for (std::size_t place = 1; place < data.rows; ++place) {
      const auto lower = static_cast<std::size_t>(order[place - 1]);
      const auto upper = static_cast<std::size_t>(order[place]);
      if (after[lower] == after[upper]) continue;
      for (const auto& [from, to] : {std::pair{lower, upper}, std::pair{upper, lower}}) {
        auto moved = after;
        moved[from] = after[to];
        const auto cost_of_move = cost_of(data, order, moved, k);
        CHECK(reached <= cost_of_move + cost_of_move * 1e-11L + 1e-25L);
      }
    }
  }
}

}  // namespace

int main() {
  for (const std::size_t k : {1, 2, 3, 5, 11, 12, 15, 16, 17, 40}) {
    cuts_are_the_best_there_are(k);
    no_partition_of_one_attribute_is_better(k);
    if (k > 1) mil_leaves_no_move_that_helps(k);
  }
  return check::result();
}
