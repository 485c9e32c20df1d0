// The element that would stand at a place if all were sorted, with lower ones before it: as
// std::nth_element, without a branch for each comparison, which a processor guesses wrong half of
// the time.
//
//   select(first, middle, last, room, before)
//
// of elements that all differ. `before` is their order <, told as 0 or 1 without a branch. A pivot
// is the element of a sample that stands in it as the place does among all, and each element is
// written to both sides, of which one moves on. O(n) expected time, `room` for as many elements.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tokumei::numeric {

// Those before the pivot, then all others, each in the order they had; returns the first of these.
template <class T, class Before>
T* part_by(const T& pivot, T* first, T* last, T* room, const Before& before) {
  T *lower = first, *others = room;
  for (const T* at = first; at != last; ++at) {
    const T element = *at;
    const std::size_t goes_before = before(element, pivot);
    *lower = element;
    *others = element;
    lower += goes_before;
    others += 1 - goes_before;
  }
  std::copy(room, others, lower);
  return lower;
}

// The element of a sorted sample that stands in it as `middle` does among all.
template <class T>
T pivot_near(const T* first, const T* middle, const T* last) {
  constexpr std::size_t most = 31;
  T sample[most];
  const auto n = static_cast<std::size_t>(last - first);
  const std::size_t size = n > 1024 ? most : n > 128 ? 15 : 7, step = n / size;
  for (std::size_t i = 0; i < size; ++i) {
    const T element = first[i * step + step / 2];
    std::size_t at = i;
    for (; at > 0 && element < sample[at - 1]; --at) sample[at] = sample[at - 1];
    sample[at] = element;
  }
  return sample[static_cast<std::size_t>(middle - first) * size / n];
}

template <class T, class Before>
void select(T* first, T* middle, T* last, T* room, const Before& before) {
  constexpr std::ptrdiff_t few = 16;
  while (last - first > few && first < middle && middle < last) {
    T* cut = part_by(pivot_near(first, middle, last), first, last, room, before);
    if (cut == first) break;  // the pivot is the first of all
    if (cut <= middle)
      first = cut;
    else
      last = cut;
  }
  std::nth_element(first, middle, last);
}

}  // namespace tokumei::numeric
