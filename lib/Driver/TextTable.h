//===- TextTable.h - Tables for terminals -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of cells in columns.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_TEXTTABLE_H
#define NACRE_LIB_DRIVER_TEXTTABLE_H

#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace nacre::driver {

/// Lines of cells, printed in columns as wide as they need to be.
class TextTable {
public:
  /// The first columns are numbers, which are set right.
  TextTable(std::vector<std::string> titles, size_t numNumbers)
      : numNumbers(numNumbers) {
    rows.push_back(std::move(titles));
  }

  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  void print(llvm::raw_ostream &os) const;

private:
  size_t numNumbers;
  std::vector<std::vector<std::string>> rows;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_TEXTTABLE_H
