//===- Descriptions.cpp - Ops' descriptions in an editor ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptions are those of the generated reference, which the build
// embeds.
//
//===----------------------------------------------------------------------===//

#include "Descriptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <optional>

using namespace nacre;
using llvm::StringRef;

namespace {
struct Description {
  StringRef op;
  StringRef text;
};
} // namespace

static constexpr Description kDescriptions[] = {
#include "Descriptions.inc"
};

/// The text that is shown on hovering, if that is what the message is.
static llvm::json::Value *findHoverText(llvm::json::Value &message) {
  llvm::json::Object *object = message.getAsObject();
  for (StringRef key : {"result", "contents"}) {
    object = object ? object->getObject(key) : nullptr;
  }
  return object ? object->get("value") : nullptr;
}

/// The message with the description of the op whose quoted name is the first
/// line of the text; as it is where it is about something else.
static std::string describe(std::string message) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(message);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return message;
  }
  llvm::json::Value *hover = findHoverText(*parsed);
  std::optional<StringRef> text =
      hover ? hover->getAsString() : std::optional<StringRef>();
  if (!text) {
    return message;
  }
  auto [title, rest] = text->split('\n');
  const Description *found = llvm::find_if(
      kDescriptions, [op = title.trim('"')](const Description &description) {
        return description.op == op;
      });
  if (found == std::end(kDescriptions)) {
    return message;
  }
  *hover = (title + "\n\n" + found->text + "\n\n" + rest.ltrim()).str();
  return llvm::formatv("{0}", *parsed);
}

void nacre::addDescriptions(std::FILE *server, llvm::raw_ostream &os) {
  char line[256];
  while (std::fgets(line, sizeof(line), server)) {
    StringRef header(line);
    size_t size;
    if (!header.consume_front("Content-Length: ") ||
        header.trim().getAsInteger(10, size)) {
      os << line; // No message: what --help prints.
      continue;
    }
    // An empty line ends the header.
    std::string message(size, '\0');
    if (!std::fgets(line, sizeof(line), server) ||
        std::fread(message.data(), 1, size, server) != size) {
      return;
    }
    message = describe(std::move(message));
    os << "Content-Length: " << message.size() << "\r\n\r\n" << message;
    os.flush();
  }
}
