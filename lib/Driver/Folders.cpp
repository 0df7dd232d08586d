//===- Folders.cpp - Folders that a command makes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal may come as soon as there is a folder, whose name it then needs: the
// name is told before the folder is made.
//
//===----------------------------------------------------------------------===//

#include "Folders.h"
#include "Arguments.h"
#include "Signals.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

TemporaryFolder::~TemporaryFolder() {
  if (!path.empty()) {
    (void)llvm::sys::fs::remove_directories(path);
    keepFolderOnSignal(path);
  }
}

LogicalResult TemporaryFolder::create() {
  llvm::sys::fs::createUniquePath("nacre-%%%%%%%%", path,
                                  /*MakeAbsolute=*/true);
  removeFolderOnSignal(path);
  if (std::error_code error = llvm::sys::fs::create_directory(
          path, /*IgnoreExisting=*/false, llvm::sys::fs::owner_all)) {
    keepFolderOnSignal(path);
    path.clear();
    printError() << "cannot create a temporary folder, for which TMPDIR names "
                    "the place: "
                 << error.message() << "\n";
    return failure();
  }
  return success();
}

std::string TemporaryFolder::getFile(StringRef name) {
  SmallString<128> file(path);
  llvm::sys::path::append(file, name);
  llvm::sys::RemoveFileOnSignal(file);
  return std::string(file);
}

LogicalResult TemporaryFolder::createInside(StringRef name) {
  SmallString<128> inside(path);
  llvm::sys::path::append(inside, name);
  removeFolderOnSignal(inside);
  if (std::error_code error = llvm::sys::fs::create_directory(inside)) {
    printError() << "cannot create '" << inside << "': " << error.message()
                 << "\n";
    return failure();
  }
  return success();
}

OutputFolder::~OutputFolder() {
  for (const std::string &folder : llvm::reverse(created)) {
    // Does nothing to a folder that is not empty.
    (void)llvm::sys::fs::remove(folder);
    keepFolderOnSignal(folder);
  }
}

LogicalResult OutputFolder::create(StringRef path) {
  auto refuse = [&](std::error_code error) {
    printError() << "cannot create '" << path << "': " << error.message()
                 << "\n";
    return failure();
  };
  SmallVector<StringRef> missing;
  for (StringRef part = path; !part.empty() && !llvm::sys::fs::exists(part);
       part = llvm::sys::path::parent_path(part)) {
    missing.push_back(part);
  }
  for (StringRef part : llvm::reverse(missing)) {
    removeFolderOnSignal(part);
    created.push_back(part.str());
    if (std::error_code error = llvm::sys::fs::create_directory(part)) {
      return refuse(error);
    }
  }
  return llvm::sys::fs::is_directory(path)
             ? success()
             : refuse(std::make_error_code(std::errc::not_a_directory));
}

std::string driver::makeFileName(StringRef name, StringRef extension,
                                 llvm::StringSet<> &used) {
  constexpr size_t kLongest = 200;
  std::string stem;
  for (char c : name.take_front(kLongest)) {
    bool keeps = llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
    stem += keeps ? c : '_';
  }
  std::string file = stem + extension.str();
  for (int i = 2; !used.insert(StringRef(file).lower()).second; ++i) {
    file = stem + "-" + std::to_string(i) + extension.str();
  }
  return file;
}

LogicalResult driver::requireFolderOf(StringRef path) {
  StringRef folder = llvm::sys::path::parent_path(path);
  if (folder.empty() || llvm::sys::fs::is_directory(folder)) {
    return success();
  }
  printError() << "cannot write '" << path << "': no such folder\n";
  return failure();
}

std::vector<std::string>
driver::listFolder(StringRef folder,
                   llvm::function_ref<bool(StringRef)> isWanted) {
  std::vector<std::string> found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error)) {
    if (isWanted(it->path())) {
      found.push_back(it->path());
    }
  }
  llvm::sort(found,
             [](StringRef a, StringRef b) { return a.compare_numeric(b) < 0; });
  return found;
}
