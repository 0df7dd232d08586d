//===- DumpTensors.h - The values inside of a model -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --dump-tensors of `nacre run` and `nacre check` writes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_DUMPTENSORS_H
#define NACRE_LIB_DRIVER_DUMPTENSORS_H

#include "Arguments.h"
#include "Folders.h"
#include "Session.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Support/Files.h"
#include "llvm/Support/JSON.h"

namespace nacre::driver {

/// The options of the commands that can dump.
std::vector<OptionSpec> getDumpOptions();

/// Compiles a model again so that its values are results, runs it on the same
/// inputs, and writes what it has seen. Where the values are many, it does so
/// with a part of them at a time.
class TensorDump {
public:
  enum class Format { Npy, Console, Binary, Text, RawBinary, RawText };

  explicit TensorDump(const Arguments &arguments);

  /// Reads the command line, which may ask for no dump. Prints an error and
  /// fails where the model or an option does not allow one.
  mlir::LogicalResult configure(llvm::StringRef model);
  bool isWanted() const { return wanted; }
  /// Of how many runs values are wanted, the last ones.
  size_t getNumLast() const { return numLast; }

  /// The values of a run on the inputs that `read` gives, into the dump's
  /// folder or, where a name is given, into one of that name in it.
  using ReadInputs =
      llvm::function_ref<mlir::FailureOr<llvm::SmallVector<interpreter::Datum>>(
          Session &)>;
  ExitCode dump(llvm::StringRef model, llvm::StringRef dataFolder,
                llvm::StringRef name, ReadInputs read);

  /// Has all files take their places.
  ExitCode keep();

private:
  /// A tensor, and what is said of it.
  struct Entry {
    std::string name, node, op;
    llvm::json::Object description;
    const interpreter::Tensor &tensor;
  };

  ExitCode dumpGroup(llvm::StringRef model, llvm::StringRef dataFolder,
                     int64_t group, int64_t &numGroups, ReadInputs read);
  ExitCode dumpKernels(llvm::StringRef model, llvm::StringRef dataFolder,
                       ReadInputs read);
  mlir::LogicalResult write(Entry entry);
  std::string getFile(llvm::StringRef name) const;

  Arguments arguments;
  bool wanted = false, tapsKernels = false;
  Format format = Format::Npy;
  std::string folder, names;
  int64_t maxBytes = 0;
  size_t numLast = 0;
  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler errors;
  std::vector<std::unique_ptr<OutputFolder>> folders;
  TemporaryFiles files;
  /// Of the run at hand: where it goes, what is there already.
  std::string target;
  llvm::json::Array index;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_DUMPTENSORS_H
