// Borrowed data. A view never owns, never allocates and never checks: it is two numbers and a
// pointer.
//
// Tables are column-major (one attribute after the other), because kernels run their inner loops
// over the records of one attribute: such loops vectorise without changing the order of a single
// sum.
#pragma once

#include <cstddef>

#include "tokumei/rooms.hpp"

namespace tokumei::runtime {

// n values to read.
template <class T>
class Column {
 public:
  Column() = default;
  Column(const T* data, std::size_t size) : data_(data), size_(size) {}
  std::size_t size() const { return size_; }
  const T* data() const { return data_; }
  const T& operator[](std::size_t row) const { return data_[row]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

// rows x columns values to read, column after column.
template <class T>
class Table {
 public:
  Table() = default;
  Table(const T* data, std::size_t rows, std::size_t columns)
      : data_(data), rows_(rows), columns_(columns) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  Column<T> column(std::size_t j) const { return {data_ + j * rows_, rows_}; }
  const T& operator()(std::size_t row, std::size_t j) const { return data_[j * rows_ + row]; }

 private:
  const T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

// rows x columns values to read, column after column or row after row: for kernels that fetch
// records one by one, in any order.
template <class T>
class RecordTable {
 public:
  RecordTable(Table<T> x) : RecordTable(x.column(0).data(), x.rows(), x.columns(), false) {}
  RecordTable(const T* data, std::size_t rows, std::size_t columns, bool row_after_row)
      : data_(data), rows_(rows), columns_(columns), row_step_(row_after_row ? columns : 1),
        column_step_(row_after_row ? 1 : rows) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  // The record's first value; the next one lies column_step() further on.
  const T* record(std::size_t row) const { return data_ + row * row_step_; }
  std::size_t column_step() const { return column_step_; }

 private:
  const T* data_;
  std::size_t rows_;
  std::size_t columns_;
  std::size_t row_step_;
  std::size_t column_step_;
};

// n values to write.
template <class T>
class OutColumn {
 public:
  OutColumn() = default;
  OutColumn(T* data, std::size_t size) : data_(data), size_(size) {}
  std::size_t size() const { return size_; }
  T* data() const { return data_; }
  T& operator[](std::size_t row) const { return data_[row]; }
  operator Column<T>() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// rows x columns values to write, column after column.
template <class T>
class OutTable {
 public:
  OutTable() = default;
  OutTable(T* data, std::size_t rows, std::size_t columns)
      : data_(data), rows_(rows), columns_(columns) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  OutColumn<T> column(std::size_t j) const { return {data_ + j * rows_, rows_}; }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

}  // namespace tokumei::runtime
