// Which of the records left is nearest to a group that grows.
//
// Distances are squared, of equals the lowest row is nearest. Every member of the group remembers
// its own nearest record. It is looked for only where it may be the nearest of all, and then only
// among those nearer than what other members have: O(1) searches of record_store.hpp for each new
// member of most groups, one for each member at worst. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/spatial/record_store.hpp"

namespace tokumei::group {

struct Neighbour {
  double distance = infinite;
  std::size_t row = no_row;
  std::size_t place = 0;
  bool operator<(const Neighbour& other) const {
    return distance < other.distance || (distance == other.distance && row < other.row);
  }
};

class Neighbourhood {
 public:
  // Borrows the store and the monitor.
  Neighbourhood(RecordStore& store, const Records& x, ProgressMonitor& monitor)
      : store_(store), monitor_(monitor), attributes_(x.numbers.columns()),
        columns_(x.codes.columns()) {}

  // The group has no members.
  void clear() {
    members_.clear();
    numbers_.clear();
    slots_.clear();
  }

  // Adds a member, which must not be among the records left, and its nearest record if known.
  void add(const Point& point) { add(point, {}, false); }
  void add(const Point& point, Neighbour nearest) { add(point, nearest, true); }

  // A record is taken out.
  void forget(std::size_t row) {
    for (Member& member : members_)
      if (member.nearest.row == row) member.known = false;
  }
  // Records have other places than before.
  void forget_places() {
    for (Member& member : members_) member.known = false;
  }

  // The record nearest to any member. There must be a record and a member.
  Neighbour nearest() {
    Neighbour best;
    for (const Member& member : members_)
      if (member.known) best = std::min(best, member.nearest);
    for (std::size_t at = 0; at < members_.size(); ++at) {
      Member& member = members_[at];
      if (member.known || !(member.nearest < best)) continue;
      monitor_.tick(0.0);
      const Point point{numbers_.data() + at * attributes_, slots_.data() + at * columns_};
      const auto found = store_.nearest(point, 1, best.distance, best.row);
      member.known = !found.empty();
      member.nearest = found.empty() ? best : measured(point, found.front());
      best = member.nearest;
    }
    return best;
  }

  // The nearest of the other records to one that is among them.
  Neighbour nearest_to(std::size_t place) {
    const std::size_t equal = store_.next(store_.row(place));
    if (equal != no_row) return {0.0, equal, place};
    Neighbour best;
    for (const std::size_t other : store_.nearest(store_.at(place), 2))
      if (other != place) best = std::min(best, measured(store_.at(place), other));
    return best;
  }

  Neighbour measured(const Point& point, std::size_t place) const {
    return {store_.distance(place, point), store_.row(place), place};
  }

 private:
  struct Member {
    Neighbour nearest;  // where it is not known: no record is nearer
    bool known = false;
  };

  void add(const Point& point, Neighbour nearest, bool known) {
    numbers_.insert(numbers_.end(), point.numbers, point.numbers + attributes_);
    slots_.insert(slots_.end(), point.slots, point.slots + columns_);
    members_.push_back({known ? nearest : Neighbour{0.0, 0, 0}, known});
  }

  RecordStore& store_;
  ProgressMonitor& monitor_;
  std::size_t attributes_, columns_;
  std::vector<Member> members_;
  std::vector<double> numbers_;  // of the members
  std::vector<CategorySlot> slots_;
};

}  // namespace tokumei::group
