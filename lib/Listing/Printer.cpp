//===- Printer.cpp - The text of a listing --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines in columns: remarks behind what they are about, as far as that is no
// longer than a line of a screen.
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "nacre/Listing/Listing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace nacre;
using namespace nacre::listing;
using llvm::StringRef;

std::string listing::quoteName(StringRef name) {
  if (!name.empty() && llvm::all_of(name, isNameCharacter)) {
    return name.str();
  }
  std::string quoted;
  llvm::raw_string_ostream os(quoted);
  os << '"';
  llvm::printEscapedString(name, os);
  os << '"';
  return quoted;
}

namespace {

/// A line, and the remark behind it.
struct Line {
  std::string text;
  std::string remark;
};

class Printer {
public:
  explicit Printer(const Function &function) : function(function) {}

  void print(llvm::raw_ostream &os);

private:
  std::string getName(size_t region) const {
    return "%" + quoteName(function.regions[region].name);
  }
  std::string describe(const Region &region) const;
  void addRegions();
  void addBody(const Body &body, unsigned indent);
  void addInstruction(const Item &item, unsigned indent);
  void flush(llvm::raw_ostream &os);

  const Function &function;
  llvm::SmallVector<Line> lines;
};

} // namespace

/// Remarks are in one column, unless few lines are much longer than the others.
void Printer::flush(llvm::raw_ostream &os) {
  constexpr size_t kWidest = 80;
  size_t column = 0;
  for (const Line &line : lines) {
    if (!line.remark.empty() && line.text.size() <= kWidest) {
      column = std::max(column, line.text.size());
    }
  }
  for (const Line &line : lines) {
    os << line.text;
    if (!line.remark.empty()) {
      os.indent(column > line.text.size() ? column - line.text.size() : 0)
          << "  ; ";
      for (char c : line.remark) {
        os << (static_cast<unsigned char>(c) < ' ' ? ' ' : c);
      }
    }
    os << "\n";
  }
  lines.clear();
}

static std::string getTypeText(const Region &region) {
  return region.quantization.empty()
             ? region.type
             : region.type + "[" + region.quantization + "]";
}

/// Bytes, place, and users.
std::string Printer::describe(const Region &region) const {
  std::string text = toString(region.bytes) + " bytes";
  if (region.offset) {
    text += " at " + std::to_string(*region.offset);
    for (const Copies &copies : region.copies) {
      text += " times " + std::to_string(copies.count) + " by " +
              std::to_string(copies.pitch);
    }
  }
  text += ", users: ";
  llvm::ListSeparator separator;
  for (const Use &use : region.uses) {
    text += separator;
    text += ("@" + toString(use.access) + " " + std::to_string(use.instruction))
                .str();
  }
  return region.uses.empty() ? text + "none" : text;
}

void Printer::addRegions() {
  constexpr size_t kWidestName = 32, kWidestType = 24;
  size_t nameWidth = 0, typeWidth = 0;
  auto isShown = [](const Region &region) {
    return region.kind != Storage::Activation;
  };
  for (const Region &region : function.regions) {
    if (isShown(region)) {
      size_t name = quoteName(region.name).size();
      size_t type = getTypeText(region).size();
      nameWidth = std::max(nameWidth, name <= kWidestName ? name : 0);
      typeWidth = std::max(typeWidth, type <= kWidestType ? type : 0);
    }
  }
  for (const Region &region : function.regions) {
    if (isShown(region)) {
      std::string line;
      llvm::raw_string_ostream(line)
          << "  %" << llvm::left_justify(quoteName(region.name), nameWidth)
          << " = WeightVar "
          << llvm::left_justify(getTypeText(region), typeWidth)
          << (region.kind == Storage::Constant ? " const  " : " mutable");
      lines.push_back({line, describe(region)});
    }
  }
}

void Printer::addInstruction(const Item &item, unsigned indent) {
  std::string line(indent, ' ');
  llvm::raw_string_ostream os(line);
  os << item.number << " " << quoteName(item.mnemonic);
  llvm::StringRef separator = " ";
  for (const Operand &operand : item.operands) {
    os << separator << "@" << toString(operand.access) << " "
       << getName(operand.region);
    separator = ", ";
  }
  if (!item.attributes.empty()) {
    os << " [" << item.attributes << "]";
  }
  if (!item.bodies.empty()) {
    os << " {";
  }
  lines.push_back({line, item.comment});
  for (auto [i, body] : llvm::enumerate(item.bodies)) {
    if (i > 0) {
      lines.push_back({std::string(indent, ' ') + "} else {", ""});
    }
    addBody(body, indent + 2);
  }
  if (!item.bodies.empty()) {
    lines.push_back({std::string(indent, ' ') + "}", ""});
  }
}

void Printer::addBody(const Body &body, unsigned indent) {
  for (const Item &item : body) {
    const std::string margin(indent, ' ');
    switch (item.kind) {
    case Item::Alloc: {
      const Region &region = function.regions[item.region];
      lines.push_back(
          {margin + getName(item.region) + " = alloc " + getTypeText(region),
           describe(region)});
      break;
    }
    case Item::Dealloc:
      lines.push_back({margin + "dealloc " + getName(item.region), ""});
      break;
    case Item::Instruction:
      addInstruction(item, indent);
      break;
    }
  }
}

void Printer::print(llvm::raw_ostream &os) {
  lines.push_back({"function " + quoteName(function.name),
                   function.target + ", level " + function.level});
  flush(os);
  os << "declare {\n";
  addRegions();
  flush(os);
  os << "\n  ; size = " << toString(function.size) << " bytes\n"
     << "  ; constants " << toString(function.constants) << ", placeholders "
     << toString(function.placeholders) << ", activations "
     << toString(function.activations) << " (largest live set "
     << toString(function.liveSet) << ")\n"
     << "}\ncode {\n";
  addBody(function.code, 2);
  flush(os);
  os << "}\n";
}

void listing::print(const Function &function, llvm::raw_ostream &os) {
  Printer(function).print(os);
}
