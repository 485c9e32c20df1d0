// Memory for many values, without initial values.
//
//   UninitialisedVector<double> values(n);
//   values[i] = ...;
//
// The first touch of a page of 4 kB costs as much as sorting a hundred numbers into it; where the
// system has pages of 2 MB for the asking, large arrays ask for them. Throws std::bad_alloc.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>

#include "tokumei/rooms.hpp"
#endif

namespace tokumei::numeric {

template <class T>
class UninitialisedVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit UninitialisedVector(std::size_t size) : size_(size), data_(allocate(size)) {}

  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  static constexpr std::size_t page = std::size_t{2} << 20;
  static constexpr std::align_val_t aligned{page};

  struct Release {
    bool large;
    void operator()(T* data) const {
      large ? ::operator delete(data, aligned) : ::operator delete(data);
    }
  };
  using Owner = std::unique_ptr<T[], Release>;

  static Owner allocate(std::size_t size) {
    if (size > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = size * sizeof(T);
    if (bytes < 2 * page) return Owner(static_cast<T*>(::operator new(bytes)), Release{false});
    void* const data = ::operator new(bytes, aligned);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(data, bytes, MADV_HUGEPAGE);  // a hint: what it answers does not matter
#endif
    return Owner(static_cast<T*>(data), Release{true});
  }

  std::size_t size_;
  Owner data_;
};

}  // namespace tokumei::numeric
