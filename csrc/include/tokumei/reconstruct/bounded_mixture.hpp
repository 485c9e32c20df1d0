// A mixture cut to declared bounds or to whole numbers: values stand in cells.
//
// The normal components are cut to the outermost edges and shared out to cells; records are seen
// through the Laplace noise of the cells' middles (exact for whole numbers; a hundredth of the
// noise's scale changes densities by less than 1e-5 of themselves). Beyond the bounds the density
// falls as e^-distance whatever the components are, so a record there tells what one on the bound
// would: it is moved, and its log density made up for. All in units of the noise's scale; records
// ascend. A step of EM is O(records + components x cells). One thread. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "tokumei/numeric/scalar_product.hpp"
#include "tokumei/reconstruct/laplace_sums.hpp"
#include "tokumei/reconstruct/mixture_components.hpp"
#include "tokumei/reconstruct/normal_cells.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::reconstruct {

// A component of which less than this lies between the bounds is empty and stays where it is.
inline constexpr double least_inside = 1e-200;
// A record of less density than this, 600 scales from all that could have made it, counts as if it
// had this.
inline constexpr double least_density = 1e-280;

class BoundedMixture {
 public:
  // counts: of the records, none for 1 each.
  BoundedMixture(Column<double> y, Column<double> counts, Column<double> edges, Run run)
      : run_(run), cells_(edges.size() - 1), edges_(edges.begin(), edges.end()), y_(y.size()),
        moved_(y.size()), counts_(y.size(), 1.0), ones_(cells_, 1.0), normal_(edges.size()) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      y_[i] = std::clamp(y[i], edges_.front(), edges_.back());
      moved_[i] = std::abs(y[i] - y_[i]);
    }
    std::copy(counts.begin(), counts.end(), counts_.begin());
    for (std::size_t c = 0; c < cells_; ++c) middles_.push_back(0.5 * (edges_[c + 1] + edges_[c]));
  }

  // One step of EM; the log-likelihood before it.
  double operator()(MixtureComponents& mixture) {
    run_.monitor.tick(0.0);
    cut(mixture);
    const std::size_t free = mixture.free, all = mixture.size();
    std::vector<double> weights = mixture.weights;
    std::vector<double> given(cells_, 0.0);
    for (std::size_t k = 0; k < free; ++k) {
      if (!(inside_[k] > least_inside)) weights[k] = 0.0;
      for (std::size_t c = 0; c < cells_; ++c) given[c] += weights[k] * at(cut_, k)[c];
    }
    given.insert(given.end(), weights.begin() + static_cast<std::ptrdiff_t>(free), weights.end());
    if (std::all_of(given.begin(), given.end(), [](double mass) { return mass == 0.0; }))
      return -std::numeric_limits<double>::infinity();
    const LaplaceSums& noise = noise_of(mixture);
    std::vector<double> sorted(given.size()), density(y_.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = given[order_[i]];
    noise.ahead(sorted.data(), density.data());
    const double log_likelihood = explain(density);
    // How many times more records each place is to hold than the mixture gives it.
    std::vector<double> back(given.size());
    noise.back(density.data(), sorted.data());
    for (std::size_t i = 0; i < sorted.size(); ++i) back[order_[i]] = sorted[i];
    // Draws that fell outside the bounds and were drawn again are part of the complete data: for
    // each record 1 / inside - 1 of them, whose t and t^2 are what the cells lack of 0 and of 1.
    std::vector<double> shares(all), shifts(all, 0.0), squares(all, 1.0);
    for (std::size_t k = 0; k < free; ++k) {
      const double held = sum(at(cut_, k), back.data());
      shares[k] = weights[k] * held;
      if (!(inside_[k] > least_inside && held > 0.0)) continue;
      shifts[k] = sum(at(first_, k), back.data()) / held - sum(at(first_, k), ones_.data());
      squares[k] =
          sum(at(second_, k), back.data()) / held + 1.0 - sum(at(second_, k), ones_.data());
    }
    for (std::size_t k = free; k < all; ++k) shares[k] = weights[k] * back[cells_ + (k - free)];
    const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= total;
    mixture.move(shares, shifts, squares);
    return log_likelihood;
  }

  // P(component | record) and the log density of each record. Records that no component reaches are
  // shared out by weight.
  void members(const MixtureComponents& mixture, OutTable<double> members,
               OutColumn<double> log_densities) {
    cut(mixture);
    const LaplaceSums noise({middles_.data(), cells_}, {y_.data(), y_.size()}, run_.isa);
    std::vector<double> total(y_.size(), 0.0);
    for (std::size_t k = 0; k < mixture.size(); ++k) {
      double* joint = members.column(k).data();
      if (k < mixture.free) {
        noise.ahead(at(cut_, k), joint);
      } else {
        for (std::size_t i = 0; i < y_.size(); ++i) joint[i] = -std::abs(y_[i] - mixture.means[k]);
        exponentiate(run_.isa, joint, y_.size());
        for (std::size_t i = 0; i < y_.size(); ++i) joint[i] *= 0.5;
      }
      for (std::size_t i = 0; i < y_.size(); ++i) {
        joint[i] *= mixture.weights[k];
        total[i] += joint[i];
      }
      run_.monitor.tick(0.0);
    }
    for (std::size_t k = 0; k < mixture.size(); ++k) {
      double* share = members.column(k).data();
      for (std::size_t i = 0; i < y_.size(); ++i)
        share[i] = total[i] > least_density ? share[i] / total[i] : mixture.weights[k];
    }
    for (double& density : total) density = std::max(density, least_density);
    take_logarithms(run_.isa, total.data(), total.size());
    for (std::size_t i = 0; i < total.size(); ++i) log_densities[i] = total[i] - moved_[i];
  }

 private:
  // For each normal component: what lies inside the bounds, and of that the masses of the cells;
  // the integrals of t and t^2 over the cells, t = (x - mean) / deviation.
  void cut(const MixtureComponents& mixture) {
    inside_.assign(mixture.free, 0.0);
    for (auto* table : {&cut_, &first_, &second_}) table->resize(mixture.free * cells_);
    for (std::size_t k = 0; k < mixture.free; ++k) {
      double *masses = at(cut_, k), *first = at(first_, k), *second = at(second_, k);
      normal_.find(run_.isa, edges_.data(), mixture.means[k], mixture.deviations[k], masses);
      for (std::size_t c = 0; c < cells_; ++c) {
        first[c] = normal_.density(c) - normal_.density(c + 1);
        second[c] = masses[c] + normal_.weighted(c) - normal_.weighted(c + 1);
      }
      inside_[k] = sum(masses, ones_.data());
      for (std::size_t c = 0; c < cells_; ++c) masses[c] /= std::max(inside_[k], least_inside);
    }
  }

  // The log-likelihood of densities; they become counts / density.
  double explain(std::vector<double>& density) {
    std::vector<double> logs(density.size());
    for (std::size_t i = 0; i < density.size(); ++i)
      logs[i] = density[i] = std::max(density[i], least_density);
    take_logarithms(run_.isa, logs.data(), logs.size());
    for (std::size_t i = 0; i < density.size(); ++i) {
      logs[i] -= moved_[i];
      density[i] = counts_[i] / density[i];
    }
    return scalar_product_by_lanes(run_.isa, counts_.data(), logs.data(), logs.size());
  }

  // The noise between places (cells, then atoms, in ascending order) and records. Atoms stay.
  const LaplaceSums& noise_of(const MixtureComponents& mixture) {
    if (noise_) return *noise_;
    std::vector<double> places = middles_;
    places.insert(places.end(), mixture.means.begin() + static_cast<std::ptrdiff_t>(mixture.free),
                  mixture.means.end());
    order_.resize(places.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
    std::vector<double> sorted;
    for (const std::size_t place : order_) sorted.push_back(places[place]);
    noise_.emplace(Column<double>{sorted.data(), sorted.size()},
                   Column<double>{y_.data(), y_.size()}, run_.isa);
    return *noise_;
  }

  double* at(std::vector<double>& table, std::size_t k) const { return table.data() + k * cells_; }

  double sum(const double* a, const double* b) const {
    return scalar_product_by_lanes(run_.isa, a, b, cells_);
  }

  Run run_;
  std::size_t cells_;
  std::vector<double> edges_, y_, moved_, counts_, ones_, middles_;
  NormalCells normal_;
  std::vector<double> inside_, cut_, first_, second_;
  std::vector<std::size_t> order_;
  std::optional<LaplaceSums> noise_;  // made by the first step
};

}  // namespace tokumei::reconstruct
