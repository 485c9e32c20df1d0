// Views say where a value stands, and copy nothing.
#include "tokumei/runtime/views.hpp"

#include <numeric>
#include <vector>

#include "check.hpp"

using namespace tokumei::runtime;

namespace {

TEST(a_table_stands_column_after_column) {
  std::vector<int> values(6);
  std::iota(values.begin(), values.end(), 0);
  const Table<int> table(values.data(), 3, 2);
  CHECK(table.rows() == 3 && table.columns() == 2);
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t row = 0; row < 3; ++row) {
      CHECK(&table(row, j) == &values[j * 3 + row]);
      CHECK(&table.column(j)[row] == &table(row, j));
    }
  CHECK(table.column(1).size() == 3);
}

TEST(records_are_found_whichever_way_they_stand) {
  std::vector<int> values(6);
  std::iota(values.begin(), values.end(), 0);
  const RecordTable<int> by_rows(values.data(), 3, 2, true);
  const RecordTable<int> by_columns(Table<int>(values.data(), 3, 2));
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t j = 0; j < 2; ++j) {
      CHECK(by_rows.record(row)[j * by_rows.column_step()] == static_cast<int>(row * 2 + j));
      CHECK(by_columns.record(row)[j * by_columns.column_step()] == static_cast<int>(j * 3 + row));
    }
  CHECK(by_rows.rows() == 3 && by_rows.columns() == 2);
}

TEST(what_is_written_through_a_view_is_in_the_data) {
  std::vector<int> values(6);
  const OutTable<int> table(values.data(), 3, 2);
  const OutColumn<int> column = table.column(1);
  CHECK(table.rows() == 3 && table.columns() == 2 && column.size() == 3);
  for (std::size_t row = 0; row < 3; ++row) column[row] = 7 + static_cast<int>(row);
  CHECK((values == std::vector<int>{0, 0, 0, 7, 8, 9}));
  const Column<int> read = column;
  CHECK(read.data() == column.data() && std::accumulate(read.begin(), read.end(), 0) == 24);
}

TEST(a_view_of_nothing_is_empty) {
  CHECK(Column<double>().size() == 0 && Column<double>().begin() == Column<double>().end());
  CHECK(Table<double>().rows() == 0 && Table<double>().columns() == 0);
  CHECK(OutColumn<double>().size() == 0 && OutTable<double>().columns() == 0);
}

}  // namespace
