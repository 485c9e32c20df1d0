// The classes of equal rows at a node, told from those of a node below it.
//
// A class has a word that its labels make up, each attribute at bits of its own; going up, only the
// bits of attributes that were raised are written anew. Where all attributes together need more
// than 64 bits, classes have no words and are numbered by their codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/lattice/lattice.hpp"
#include "tokumei/lattice/levels.hpp"
#include "tokumei/lattice/row_numbers.hpp"

namespace tokumei::lattice {

// A row of each class, in ascending order, and how many records it has.
struct Classes {
  Levels levels;
  std::vector<std::size_t> row;
  std::vector<std::int64_t> count;
  std::vector<std::uint64_t> word;

  std::size_t size() const { return row.size(); }
};

class Grouping {
 public:
  explicit Grouping(const Lattice& lattice) : lattice_(lattice) {
    unsigned used = 0;
    for (std::size_t j = 0; j < lattice.attributes(); ++j) {
      shift_.push_back(used);
      used += lattice.column(j, 0).bits();
    }
    packed_ = used <= 64;
  }

  // Every row a class of its own: the rows are distinct.
  Classes rows() const {
    Classes all;
    all.count.assign(lattice_.counts().begin(), lattice_.counts().end());
    for (std::size_t row = 0; row < lattice_.rows(); ++row) all.row.push_back(row);
    if (!packed_) return all;
    all.word.assign(lattice_.rows(), 0);
    for (std::size_t j = 0; j < lattice_.attributes(); ++j)
      if (lattice_.column(j, 0).bits() > 0)
        lattice_.column(j, 0).pack(all.row, shift_[j], all.word);
    return all;
  }

  // The classes of a node; `class_of` becomes the one that each of the parts is in.
  void operator()(const Levels& levels, const Classes& parts, Classes& classes,
                  std::vector<std::size_t>& class_of) {
    number(levels, parts, class_of);
    classes.levels = levels;
    classes.row.clear();
    classes.count.clear();
    classes.word.clear();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (class_of[i] == classes.size()) {
        classes.row.push_back(parts.row[i]);
        classes.count.push_back(0);
        if (packed_) classes.word.push_back(words_[i]);
      }
      classes.count[class_of[i]] += parts.count[i];
    }
  }

 private:
  void number(const Levels& levels, const Classes& parts, std::vector<std::size_t>& class_of) {
    if (!packed_) {
      columns_.clear();
      for (std::size_t j = 0; j < lattice_.attributes(); ++j)
        columns_.push_back(lattice_.column(j, levels[j]));
      numbers_.number(columns_, parts.row, class_of);
      return;
    }
    words_ = parts.word;
    for (std::size_t j = 0; j < lattice_.attributes(); ++j) {
      if (levels[j] == parts.levels[j]) continue;
      const unsigned bits = lattice_.column(j, 0).bits();
      if (bits == 0) continue;
      const std::uint64_t others = ~((~std::uint64_t{0} >> (64 - bits)) << shift_[j]);
      for (std::uint64_t& word : words_) word &= others;
      const CodeColumn column = lattice_.column(j, levels[j]);
      if (column.bits() > 0) column.pack(parts.row, shift_[j], words_);
    }
    numbers_.number(words_, class_of);
  }

  const Lattice& lattice_;
  bool packed_ = false;
  std::vector<unsigned> shift_;
  std::vector<std::uint64_t> words_;
  std::vector<CodeColumn> columns_;
  RowNumbers numbers_;
};

}  // namespace tokumei::lattice
