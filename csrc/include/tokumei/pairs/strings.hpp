// Strings as kernels read them, and the sum of the powers of their distances over all pairs.
//
// Many strings are compared with one at a time, each in a lane of a register. Strings are sorted by
// length, so that those of a batch are alike; a batch meets all strings before it, which are not
// longer, and itself. What is counted is how often each distance occurs: whole numbers, so neither
// batches nor threads nor instruction sets change a bit of the sum, which is rounded once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::pairs {

// Strings one after the other: string i is letters[starts[i]] up to letters[starts[i + 1]]. A
// letter is any 32-bit number, such as a code point; `counts` says how many records have the
// string.
struct Strings {
  Column<std::uint32_t> letters;
  Column<std::int64_t> starts;
  Column<std::int64_t> counts;

  std::size_t size() const { return counts.size(); }
  std::size_t length(std::size_t i) const {
    return static_cast<std::size_t>(starts[i + 1] - starts[i]);
  }
  const std::uint32_t* text(std::size_t i) const {
    return letters.data() + static_cast<std::size_t>(starts[i]);
  }
};

// What is summed over pairs: (distance / the longer length, if normalized)^power.
struct StringPower {
  double power;
  bool normalized;

  double of(std::size_t distance, std::size_t longer) const {
    const double whole = static_cast<double>(distance);
    const double d = normalized && longer > 0 ? whole / static_cast<double>(longer) : whole;
    return power == 1.0 ? d : power == 2.0 ? d * d : std::pow(d, power);
  }
};

// The same strings sorted by length, their letters numbered 1, 2, ... as they occur (0 is none).
class SortedStrings {
 public:
  explicit SortedStrings(const Strings& strings) : places_(strings.size()) {
    std::vector<std::size_t> order(strings.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return strings.length(a) < strings.length(b);
    });
    std::vector<std::vector<std::uint32_t>> pages(std::size_t{1} << 16);
    letters_.reserve(strings.letters.size());
    for (const std::size_t i : order) {
      places_[i] = starts_.size();
      starts_.push_back(letters_.size());
      lengths_.push_back(strings.length(i));
      counts_.push_back(static_cast<std::uint64_t>(strings.counts[i]));
      for (std::size_t at = 0; at < lengths_.back(); ++at) {
        const std::uint32_t letter = strings.text(i)[at];
        auto& page = pages[letter >> 16];
        if (page.empty()) page.resize(std::size_t{1} << 16, 0);
        auto& number = page[letter & 0xffffU];
        if (number == 0) number = ++alphabet_;
        letters_.push_back(number);
      }
    }
  }

  std::size_t size() const { return lengths_.size(); }
  // Where string i of those given is now.
  std::size_t place(std::size_t i) const { return places_[i]; }
  // Letters are numbered from 1 to this.
  std::size_t alphabet() const { return alphabet_; }
  std::size_t length(std::size_t i) const { return lengths_[i]; }
  std::uint64_t count(std::size_t i) const { return counts_[i]; }
  const std::uint32_t* text(std::size_t i) const { return letters_.data() + starts_[i]; }

 private:
  std::vector<std::uint32_t> letters_;
  std::vector<std::size_t> starts_, lengths_, places_;
  std::vector<std::uint64_t> counts_;
  std::uint32_t alphabet_ = 0;
};

// Some strings side by side, one a lane, that are compared with the strings first..last-1 and
// count those that come before their own.
struct Batch {
  const SortedStrings* strings;
  std::size_t begin, end, first, last;
  // times[lane * stride + distance]: how many records had that distance.
  std::uint64_t* times;
  std::size_t stride;

  std::size_t size() const { return end - begin; }
  std::size_t longest() const { return strings->length(end - 1); }

  // Takes the distances of string `other` to all lanes.
  template <class Word>
  TOKUMEI_HOT void count(std::size_t other, const Word* distances) const {
    const std::uint64_t records = strings->count(other);
    const std::size_t lanes = size(), step = stride;
    std::size_t lane = other < begin ? 0 : other - begin + 1;
    std::uint64_t* counter = times + lane * step;
    for (; lane < lanes; ++lane, counter += step)
      counter[static_cast<std::size_t>(distances[lane])] += records;
  }
};

// Adds times * value without rounding.
inline void add_times(ExactSum& sum, std::uint64_t times, double value) {
  for (const std::uint64_t part : {times >> 32 << 32, times & 0xffffffffU}) {
    const double factor = static_cast<double>(part);
    const double product = factor * value;
    sum.add(product);
    sum.add(std::fma(factor, value, -product));
  }
}

// What one batch adds to the sum. Strings of one length go together.
inline void add_batch(ExactSum& sum, const Batch& batch, StringPower power) {
  const auto& strings = *batch.strings;
  std::vector<std::uint64_t> together(batch.stride);
  for (std::size_t first = batch.begin; first < batch.end;) {
    const std::size_t length = strings.length(first);
    std::fill(together.begin(), together.end(), 0);
    for (; first < batch.end && strings.length(first) == length; ++first)
      for (std::size_t distance = 0; distance <= length; ++distance)
        together[distance] +=
            strings.count(first) * batch.times[(first - batch.begin) * batch.stride + distance];
    for (std::size_t distance = 1; distance <= length; ++distance)
      if (together[distance] != 0) add_times(sum, together[distance], power.of(distance, length));
  }
}

// sum_i sum_j c_i c_j d(s_i, s_j)^power over all ordered pairs. The kernel gives the distances:
// Kernel::batch_end(level, strings, begin) says where the batch that begins there ends,
// Kernel::meet(level, batch) makes its comparisons, Kernel::work(length) is about the cycles that
// one string takes against a batch. u^2 / 2 comparisons for u strings, memory for the strings and a
// few batches. Throws Interrupted.
template <class Kernel>
double sum_over_strings(const Strings& given, StringPower power, Run run) {
  const SortedStrings strings(given);
  ThreadTeam team(run.n_threads);
  ExactSum total;
  struct Part {
    Batch batch;
    ExactSum sum;
  };
  const double all = static_cast<double>(strings.size());
  std::size_t begin = 0, end = 0, first = 0;
  while (begin < strings.size()) {
    const double share = static_cast<double>(begin) / all;
    run.monitor.tick(share * share);
    // Parts that take about ten milliseconds together.
    std::vector<Part> parts;
    for (double work = 0.0; begin < strings.size() && work < 3e7;) {
      if (first == 0) end = Kernel::batch_end(run.isa, strings, begin);
      const double each = 30.0 + Kernel::work(static_cast<double>(strings.length(end - 1)));
      const auto others = static_cast<std::size_t>(std::max(64.0, 1e6 / each));
      const std::size_t last = std::min(end, first + others);
      parts.push_back({{&strings, begin, end, first, last, nullptr, 0}, {}});
      work += each * static_cast<double>(last - first);
      first = last == end ? 0 : last;
      if (first == 0) begin = end;
    }
    team.each_block(parts.size(), [&](std::size_t number) {
      auto& [batch, sum] = parts[number];
      batch.stride = batch.longest() + 1;
      std::vector<std::uint64_t> times(batch.size() * batch.stride, 0);
      batch.times = times.data();
      Kernel::meet(run.isa, batch);
      add_batch(sum, batch, power);
    });
    for (const auto& part : parts) total.merge(part.sum);
  }
  return 2.0 * total.value();
}

// out[k] = d(s_a[k], s_b[k]) for given pairs, each compared alone. Throws Interrupted.
template <class Kernel>
void distances_of_pairs(const Strings& given, Column<std::int64_t> a, Column<std::int64_t> b,
                        bool normalized, OutColumn<double> out, Run run) {
  const SortedStrings strings(given);
  ThreadTeam team(run.n_threads);
  constexpr std::size_t block = 64, round = 16;
  const std::size_t blocks = (a.size() + block - 1) / block;
  for (std::size_t from = 0; from < blocks; from += round) {
    run.monitor.tick(static_cast<double>(from) / static_cast<double>(blocks));
    team.each_block(std::min(round, blocks - from), [&](std::size_t number) {
      const std::size_t begin = (from + number) * block;
      for (std::size_t k = begin; k < std::min(begin + block, a.size()); ++k) {
        const std::size_t one = strings.place(static_cast<std::size_t>(a[k]));
        const std::size_t other = strings.place(static_cast<std::size_t>(b[k]));
        const std::size_t long_one = std::max(one, other), short_one = std::min(one, other);
        const std::size_t longer = strings.length(long_one);
        std::vector<std::uint64_t> times(longer + 1, 0);
        if (one == other)
          times[0] = 1;
        else
          Kernel::meet(run.isa, {&strings, long_one, long_one + 1, short_one, short_one + 1,
                                 times.data(), longer + 1});
        const auto found = std::find_if(times.begin(), times.end(),
                                        [](std::uint64_t count) { return count != 0; });
        const auto distance = static_cast<std::size_t>(found - times.begin());
        out[k] = StringPower{1.0, normalized}.of(distance, longer);
      }
    });
  }
}

}  // namespace tokumei::pairs
