// Memory in whole cache lines, for what wide loads walk through.
//
// AlignedVector<T> is a std::vector whose first element starts a cache line, so no wide load
// touches two. From 4 MB on it starts a large page and, where the system has them for the asking,
// asks for large pages: a million records are read in no order, and with pages of 4 kB the
// translation of addresses costs a third of the time.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>

#include "tokumei/rooms.hpp"
#endif

namespace tokumei::numeric {

template <class T>
class AlignedAllocator {
 public:
  using value_type = T;

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    void* memory = ::operator new(bytes, alignment(n));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // A wish: where it is not granted, the memory is as good as any.
    if (bytes >= large) static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
#endif
    return static_cast<T*>(memory);
  }

  void deallocate(T* memory, std::size_t n) { ::operator delete(memory, alignment(n)); }

  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }

 private:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t page = std::size_t{1} << 21;
  static constexpr std::size_t large = std::size_t{1} << 22;

  static std::align_val_t alignment(std::size_t n) {
    return std::align_val_t{n * sizeof(T) >= large ? page : line};
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace tokumei::numeric
