//===- TextTable.cpp - Tables for terminals -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace nacre::driver;
using llvm::StringRef;

void TextTable::print(llvm::raw_ostream &os) const {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const auto &row : rows) {
    for (auto [i, cell] : llvm::enumerate(row)) {
      widths[i] = std::max(widths[i], cell.size());
    }
  }
  for (const auto &row : rows) {
    std::string line;
    for (auto [i, cell] : llvm::enumerate(row)) {
      std::string gap(widths[i] - cell.size(), ' ');
      line += "  " + (i < numNumbers ? gap + cell : cell + gap);
    }
    os << StringRef(line).rtrim() << "\n";
  }
  os << "\n";
}
