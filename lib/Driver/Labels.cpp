//===- Labels.cpp - Names and numbers of classes --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Labels.h"
#include "Arguments.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// The lines of a file without white space around them, and without empty ones
/// at its end.
static FailureOr<std::vector<std::string>> readLines(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file || llvm::sys::fs::is_directory(path)) {
    printError() << "cannot read '" << path << "': "
                 << (file ? "it is a folder" : file.getError().message())
                 << "\n";
    return failure();
  }
  std::vector<std::string> lines;
  SmallVector<StringRef> parts;
  (*file)->getBuffer().rtrim().split(parts, '\n');
  for (StringRef part : parts) {
    lines.push_back(part.trim().str());
  }
  return lines;
}

LogicalResult Labels::read(StringRef path) {
  FailureOr<std::vector<std::string>> lines = readLines(path);
  if (failed(lines)) {
    return failure();
  }
  names = std::move(*lines);
  return success();
}

StringRef Labels::get(int64_t number) const {
  return number >= 0 && number < static_cast<int64_t>(names.size())
             ? StringRef(names[number])
             : StringRef();
}

std::optional<int64_t> Labels::find(StringRef text) const {
  int64_t number;
  if (!text.getAsInteger(10, number)) {
    return number;
  }
  auto found = llvm::find(names, text);
  return found == names.end() ? std::nullopt
                              : std::optional<int64_t>(found - names.begin());
}

LogicalResult ExpectedLabels::read(StringRef path, const Labels &labels) {
  FailureOr<std::vector<std::string>> lines = readLines(path);
  if (failed(lines)) {
    return failure();
  }
  file = path.str();
  for (auto [i, text] : llvm::enumerate(*lines)) {
    StringRef line = text;
    // A class's name may be of several words.
    std::optional<int64_t> alone = labels.find(line);
    size_t gap = line.find_first_of(" \t,");
    StringRef name = alone ? StringRef() : line.take_front(gap);
    std::optional<int64_t> number =
        alone || gap == StringRef::npos
            ? alone
            : labels.find(line.drop_front(gap).ltrim(" \t,"));
    bool isFirst = i == 0;
    hasNames = isFirst ? !name.empty() : hasNames;
    if (!number || hasNames == name.empty()) {
      printError() << path << ":" << i + 1 << ": expected "
                   << (isFirst    ? "a class, or a picture's name and its class"
                       : hasNames ? "a picture's name and its class"
                                  : "a class")
                   << ", found '" << line << "'\n";
      return failure();
    }
    if (hasNames) {
      byName[name] = *number;
    } else {
      inOrder.push_back(*number);
    }
  }
  return success();
}

FailureOr<int64_t> ExpectedLabels::get(size_t index, StringRef path) const {
  if (!hasNames && index < inOrder.size()) {
    return inOrder[index];
  }
  for (StringRef name : {path, llvm::sys::path::filename(path)}) {
    auto it = byName.find(name);
    if (it != byName.end()) {
      return it->second;
    }
  }
  printError() << "'" << file << "' does not say the class of '" << path
               << "'\n";
  return failure();
}
