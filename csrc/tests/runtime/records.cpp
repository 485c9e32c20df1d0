// Some records, copied in the order asked for.
#include "tokumei/runtime/records.hpp"

#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::runtime;

TEST(some_records_are_those_of_the_rows_asked_for) {
  Random random(1);
  const auto data = make_mixed(random, 20, 3, 0);
  const std::vector<std::size_t> rows{7, 3, 3, 19};
  const SomeRecords some(data.records(), rows.data(), rows.size());
  const Records found = some.view();
  CHECK(found.rows() == rows.size());
  CHECK(found.attributes() == data.records().attributes());
  CHECK(found.has_codes());
  CHECK(found.weights.data() == data.weights.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < found.numbers.columns(); ++j)
      CHECK(found.numbers(i, j) == data.records().numbers(rows[i], j));
    for (std::size_t j = 0; j < found.codes.columns(); ++j)
      CHECK(found.codes(i, j) == data.records().codes(rows[i], j));
  }
}

TEST(a_table_of_numbers_is_records_without_codes) {
  Random random(2);
  const auto data = make_data(random, 5, 2, 0);
  CHECK(!Records(data.table()).has_codes());
}
