//===- Arguments.h - Command lines of the driver ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table per command says which options it has; parsing and --help both
// follow it. llvm::cl is not used: its exit status for a wrong option is fixed.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_ARGUMENTS_H
#define NACRE_LIB_DRIVER_ARGUMENTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace nacre::driver {

struct OptionSpec {
  llvm::StringRef name;  // with dashes, as "--threads" or "-o"
  llvm::StringRef value; // what stands for its value in help; empty for a flag
  llvm::StringRef help;
};

class Arguments {
public:
  /// Parses what follows the command's name. Prints an error and fails on an
  /// unknown option, a missing or unexpected value.
  static mlir::FailureOr<Arguments> parse(llvm::ArrayRef<OptionSpec> specs,
                                          llvm::ArrayRef<const char *> words);

  llvm::ArrayRef<std::string> getPositional() const { return positional; }
  bool has(llvm::StringRef name) const;
  /// The last value given, or `fallback`.
  llvm::StringRef get(llvm::StringRef name,
                      llvm::StringRef fallback = "") const;
  std::vector<llvm::StringRef> getAll(llvm::StringRef name) const;

  /// The same with another option, and without some.
  Arguments with(llvm::StringRef name, llvm::StringRef value) const;
  Arguments without(llvm::ArrayRef<llvm::StringRef> names) const;

  /// What an option that has one of some names stands for, by default the
  /// first. Prints an error and fails for another name.
  template <typename T>
  mlir::FailureOr<T>
  getChoice(llvm::StringRef name,
            llvm::ArrayRef<std::pair<llvm::StringRef, T>> choices) const {
    llvm::SmallVector<llvm::StringRef> names(llvm::make_first_range(choices));
    mlir::FailureOr<size_t> found = findChoice(name, names);
    return failed(found) ? mlir::FailureOr<T>(mlir::failure())
                         : mlir::FailureOr<T>(choices[*found].second);
  }

  /// A number option within [low, high]. Prints an error and fails otherwise.
  mlir::FailureOr<double> getNumber(llvm::StringRef name, double fallback,
                                    double low, double high) const;
  /// A whole number.
  mlir::FailureOr<int64_t> getCount(llvm::StringRef name, int64_t fallback,
                                    int64_t low, int64_t high) const;

private:
  mlir::FailureOr<size_t>
  findChoice(llvm::StringRef name,
             llvm::ArrayRef<llvm::StringRef> choices) const;

  std::vector<std::string> positional;
  std::vector<std::pair<std::string, std::string>> options;
};

/// `, did you mean 'NAME'?` of the name that is spelt most like `given`; empty
/// where none is near.
std::string suggestName(llvm::StringRef given,
                        llvm::ArrayRef<llvm::StringRef> names);

/// `nacre: error: …` on standard error.
llvm::raw_ostream &printError();

/// The stream for warnings, after its prefix.
llvm::raw_ostream &printWarning();

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_ARGUMENTS_H
