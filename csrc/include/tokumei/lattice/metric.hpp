// What a generalisation costs: the quality measures of full-domain search, as ARX defines them.
//
// Most give values costs: x_j sums over the records the cost of their value of attribute j at its
// level, a cost of its own where the record is suppressed; and for non-uniform entropy, which may
// fall again, the information in the suppressed labels comes on top. An attribute costs
// v_j = (x_j - shift_j) * scale_j, 0 at least; together they cost the sum of weight_j * v_j, or the
// geometric mean, the product of (1 + v_j)^weight_j, less 1. The others count classes:
//
//   class size       records / classes, all suppressed records being one class
//   discernibility   the sum of squared class sizes, a suppressed record counting as many as all
//   the same, DM*    the sum of squared sizes of all classes, those too small included
//
// Every measure has a bound from below that never falls from a node to those above it: what it
// would be if nothing were suppressed, or all that is cheaper so. Sums are in the order of rows.
//
// After F. Prasser, F. Kohlmayer, R. Lautenschlaeger, K. Kuhn, "ARX - a comprehensive tool for
// anonymizing biomedical data", AMIA Annual Symposium, 2014.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/lattice/classes.hpp"
#include "tokumei/lattice/lattice.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::lattice {

enum class MetricKind : std::int64_t {
  sum = 0,
  geometric_mean = 1,
  class_size = 2,
  discernibility = 3,
  discernibility_of_all = 4,
};

struct Costs {
  MetricKind kind = MetricKind::sum;
  double entropy_factor = 0.0;             // of the information in suppressed labels
  Column<double> generalised, suppressed;  // of each value at each level, in the order of codes
  Column<double> shift, scale, weight;     // of each attribute
};

class Metric {
 public:
  Metric(const Lattice& lattice, const Costs& costs, bool may_suppress)
      : lattice_(lattice), costs_(costs) {
    if (counts_classes()) return;
    constexpr double unknown = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < lattice.attributes(); ++j) {
      sums_.emplace_back();
      least_.emplace_back();
      for (std::size_t level = 0; level <= lattice.top()[j]; ++level) {
        double sum = 0.0, least = 0.0;
        std::vector<double> extra(lattice.labels(j, level), unknown);
        for (std::size_t row = 0; row < lattice.rows(); ++row) {
          const std::size_t place = lattice.place(row, j, level);
          const auto count = static_cast<double>(lattice.count(row));
          const double more = costs.suppressed[place] - costs.generalised[place];
          sum += count * costs.generalised[place];
          least += count * (costs.generalised[place] + (may_suppress ? std::min(0.0, more) : 0.0));
          double& of_label = extra[lattice.label(row, j, level)];
          of_labels_ = of_labels_ && (of_label == more || of_label == unknown);
          of_label = more;
          free_ = free_ && more == 0.0;
        }
        sums_.back().push_back(sum);
        least_.back().push_back(least);
      }
    }
    free_ = free_ && costs.entropy_factor == 0.0;
  }

  bool counts_classes() const { return costs_.kind >= MetricKind::class_size; }

  // Whether classes are enough to say what suppression costs: all rows of a label the same.
  bool of_labels() const { return of_labels_; }

  // Whether no node above one that is allowed costs less than it.
  bool rises(std::int64_t most_suppressed) const {
    if (most_suppressed == 0 || costs_.kind == MetricKind::discernibility_of_all) return true;
    return !counts_classes() && free_;
  }

  // What a node and all above it cost at least, as far as its levels tell; 0 where classes count.
  double bound(const Levels& levels) {
    if (counts_classes()) return 0.0;
    begin(levels, least_);
    return whole();
  }

  // The same, told from its classes.
  double bound(const Levels& levels, const Classes& classes) {
    if (!counts_classes()) return bound(levels);
    const auto records = static_cast<double>(lattice_.records());
    if (costs_.kind == MetricKind::class_size) return records / static_cast<double>(classes.size());
    double squares = 0.0;
    for (const std::int64_t count : classes.count)
      squares += static_cast<double>(count) * static_cast<double>(count);
    return squares;
  }

  // The cost of a node some classes of which are suppressed. Classes may be the rows themselves.
  double cost(const Levels& levels, const Classes& classes, const std::vector<std::uint8_t>& fine) {
    if (counts_classes()) return cost_of_classes(classes, fine);
    begin(levels, sums_);
    lost_.clear();
    double suppressed = 0.0;
    for (std::size_t c = 0; c < classes.size(); ++c)
      if (!fine[c]) {
        lost_.push_back(c);
        suppressed += static_cast<double>(classes.count[c]);
      }
    if (lost_.empty() || free_) return whole();
    for (std::size_t j = 0; j < lattice_.attributes(); ++j) {
      const std::size_t level = levels[j];
      for (const std::size_t c : lost_) {
        const std::size_t place = lattice_.place(classes.row[c], j, level);
        x_[j] += static_cast<double>(classes.count[c]) *
                 (costs_.suppressed[place] - costs_.generalised[place]);
      }
      if (costs_.entropy_factor != 0.0)
        x_[j] += costs_.entropy_factor * information(classes, j, level, suppressed);
    }
    return whole();
  }

 private:
  using Sums = std::vector<std::vector<double>>;

  void begin(const Levels& levels, const Sums& sums) {
    x_.resize(sums.size());
    for (std::size_t j = 0; j < sums.size(); ++j) x_[j] = sums[j][levels[j]];
  }

  double whole() const {
    const bool geometric = costs_.kind == MetricKind::geometric_mean;
    double sum = geometric ? 1.0 : 0.0;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const double v = std::max(0.0, (x_[j] - costs_.shift[j]) * costs_.scale[j]);
      if (geometric)
        sum *= std::pow(1.0 + v, costs_.weight[j]);
      else
        sum += costs_.weight[j] * v;
    }
    return geometric ? sum - 1.0 : sum;
  }

  // The bits that tell the labels of suppressed records apart.
  double information(const Classes& classes, std::size_t j, std::size_t level, double suppressed) {
    together_.assign(lattice_.labels(j, level), 0.0);
    for (const std::size_t c : lost_)
      together_[lattice_.label(classes.row[c], j, level)] += static_cast<double>(classes.count[c]);
    double bits = 0.0;
    for (const double count : together_)
      if (count > 0.0) bits -= count * std::log2(count / suppressed);
    return bits;
  }

  double cost_of_classes(const Classes& classes, const std::vector<std::uint8_t>& fine) const {
    const auto records = static_cast<double>(lattice_.records());
    const bool of_all = costs_.kind == MetricKind::discernibility_of_all;
    double squares = 0.0, kept = 0.0, suppressed = 0.0;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const auto count = static_cast<double>(classes.count[c]);
      squares += count * (fine[c] || of_all ? count : records);
      kept += fine[c] ? 1.0 : 0.0;
      suppressed += fine[c] ? 0.0 : 1.0;
    }
    if (costs_.kind == MetricKind::class_size)
      return records / (kept + (suppressed > 0.0 ? 1.0 : 0.0));
    return squares;
  }

  const Lattice& lattice_;
  Costs costs_;
  bool of_labels_ = true, free_ = true;
  Sums sums_, least_;  // of all costs at a level, and of the lower of the two
  std::vector<double> x_, together_;
  std::vector<std::size_t> lost_;
};

}  // namespace tokumei::lattice
