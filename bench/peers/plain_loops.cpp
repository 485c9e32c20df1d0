// What a programmer writes at first: the cut of an order over prefix sums, and MDAV, row after row.
// Compiled with -O2 by plain_cpp.py.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace {

double apart(const double* a, const double* b, std::size_t d) {
  double sum = 0;
  for (std::size_t j = 0; j < d; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

}  // namespace

// The least sum of squares of stretches of k to 2k-1 rows, in the order of the rows.
extern "C" double cut(const double* x, std::size_t n, std::size_t d, std::size_t k) {
  std::vector<double> sums((n + 1) * d), squares(n + 1), best(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    squares[i + 1] = squares[i];
    for (std::size_t j = 0; j < d; ++j) {
      sums[(i + 1) * d + j] = sums[i * d + j] + x[i * d + j];
      squares[i + 1] += x[i * d + j] * x[i * d + j];
    }
  }
  for (std::size_t i = 1; i <= n; ++i) {
    best[i] = std::numeric_limits<double>::infinity();
    for (std::size_t size = k; size < 2 * k && size <= i; ++size) {
      const double* a = &sums[(i - size) * d];
      const double loss =
          squares[i] - squares[i - size] - apart(&sums[i * d], a, d) / static_cast<double>(size);
      best[i] = std::min(best[i], best[i - size] + loss);
    }
  }
  return best[n];
}

extern "C" void mdav(const double* x, std::size_t n, std::size_t d, std::size_t k,
                     std::int64_t* labels) {
  std::vector<std::size_t> left(n);
  std::iota(left.begin(), left.end(), std::size_t{0});
  std::vector<double> distances(n), mean(d);
  std::int64_t group = 0;
  const auto measure = [&](const double* from) {
    for (const auto row : left) distances[row] = apart(x + row * d, from, d);
  };
  const auto farthest = [&] {
    return *std::max_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
      return distances[a] < distances[b];
    });
  };
  const auto take = [&](std::size_t seed) {
    measure(x + seed * d);
    std::nth_element(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(k) - 1, left.end(),
                     [&](std::size_t a, std::size_t b) {
                       return distances[a] < distances[b] ||
                              (distances[a] == distances[b] && a < b);
                     });
    for (std::size_t i = 0; i < k; ++i) labels[left[i]] = group;
    left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(k));
    ++group;
  };
  const auto centre = [&] {
    std::fill(mean.begin(), mean.end(), 0.0);
    for (const auto row : left)
      for (std::size_t j = 0; j < d; ++j) mean[j] += x[row * d + j];
    for (auto& value : mean) value /= static_cast<double>(left.size());
    measure(mean.data());
    return farthest();
  };
  while (left.size() >= 3 * k) {
    const std::size_t seed = centre();
    take(seed);
    measure(x + seed * d);
    take(farthest());
  }
  if (left.size() >= 2 * k) take(centre());
  for (const auto row : left) labels[row] = group;
}
