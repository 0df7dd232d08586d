//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is a Python dictionary literal and raw data; only what NumPy
// itself writes is accepted.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Tensor;

static Type parseDescr(Builder &builder, StringRef descr) {
  MLIRContext *context = builder.getContext();
  if (!descr.consume_front("<") && !descr.consume_front("|")) {
    return {};
  }
  char kind = descr.empty() ? 0 : descr.front();
  unsigned bytes;
  if (descr.drop_front().getAsInteger(10, bytes)) {
    return {};
  }
  if (kind == 'b' && bytes == 1) {
    return builder.getI1Type();
  }
  if (kind == 'U') {
    context->getOrLoadDialect<IE::IEDialect>();
    return IE::StringType::get(context);
  }
  if (kind == 'f' && bytes == 2) {
    return builder.getF16Type();
  }
  if (kind == 'f' && bytes == 4) {
    return builder.getF32Type();
  }
  if (kind == 'f' && bytes == 8) {
    return builder.getF64Type();
  }
  if (kind == 'c' && (bytes == 8 || bytes == 16)) {
    return ComplexType::get(bytes == 8 ? Type(builder.getF32Type())
                                       : Type(builder.getF64Type()));
  }
  bool isWidth = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  if (kind == 'i' && isWidth) {
    return IntegerType::get(context, bytes * 8);
  }
  if (kind == 'u' && isWidth) {
    return IntegerType::get(context, bytes * 8, IntegerType::Unsigned);
  }
  return {};
}

/// NumPy's strings: code points of four bytes, filled up with zeros.
static void readStrings(StringRef data, Tensor &tensor) {
  size_t count = std::max<int64_t>(tensor.getNumElements(), 1);
  size_t width = data.size() / count;
  for (interpreter::String &out : tensor.mutableValues<interpreter::String>()) {
    std::string text;
    StringRef element = data.take_front(width);
    data = data.drop_front(width);
    for (; !element.empty(); element = element.drop_front(4)) {
      char bytes[4], *end = bytes;
      uint32_t point = llvm::support::endian::read32le(element.data());
      if (point != 0 && llvm::ConvertCodePointToUTF8(point, end)) {
        text.append(bytes, end);
      }
    }
    out = interpreter::String(tensor.getType().getContext(), text);
  }
}

/// The same, and in `width` how many code points the longest has. A byte that
/// is no UTF-8 becomes the replacement character.
static std::string formatStrings(const Tensor &tensor, size_t &width) {
  std::vector<std::u32string> all;
  width = 1; // NumPy knows no strings without characters
  for (StringRef text : tensor.values<interpreter::String>()) {
    std::u32string &points = all.emplace_back();
    const auto *at = text.bytes_begin();
    while (at != text.bytes_end()) {
      llvm::UTF32 point = 0;
      if (llvm::convertUTF8Sequence(&at, text.bytes_end(), &point,
                                    llvm::strictConversion) !=
          llvm::conversionOK) {
        point = 0xFFFD;
        ++at;
      }
      points += static_cast<char32_t>(point);
    }
    width = std::max(width, points.size());
  }
  std::string data(all.size() * width * 4, '\0');
  for (auto [i, points] : llvm::enumerate(all)) {
    for (auto [j, point] : llvm::enumerate(points)) {
      llvm::support::endian::write32le(&data[(i * width + j) * 4], point);
    }
  }
  return data;
}

FailureOr<Tensor> driver::readNpy(MLIRContext &context, StringRef path) {
  Location loc = FileLineColLoc::get(&context, path, 0, 0);
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    return emitError(loc) << "cannot open the file: "
                          << file.getError().message();
  }
  return parseNpy(loc, (*file)->getBuffer());
}

FailureOr<Tensor> driver::parseNpy(Location loc, StringRef bytes) {
  auto malformed = [&](const Twine &what) {
    return emitError(loc) << "not a usable .npy file: " << what;
  };
  if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY")) {
    return malformed("no NumPy header");
  }
  bool isLong = bytes[6] >= 2;
  size_t headerStart = isLong ? 12 : 10;
  size_t headerSize = isLong
                          ? llvm::support::endian::read32le(bytes.data() + 8)
                          : llvm::support::endian::read16le(bytes.data() + 8);
  if (bytes.size() < headerStart + headerSize) {
    return malformed("truncated header");
  }
  StringRef header = bytes.substr(headerStart, headerSize);
  if (!header.contains("'fortran_order': False")) {
    return malformed("expected C order");
  }
  auto valueOf = [&](StringRef key, char open, char close) {
    StringRef rest = header.substr(header.find(key)).drop_front(key.size());
    rest = rest.substr(rest.find(open)).drop_front(1);
    return rest.substr(0, rest.find(close));
  };
  if (!header.contains("'descr':") || !header.contains("'shape':")) {
    return malformed("incomplete header");
  }
  Builder builder(loc.getContext());
  StringRef descr = valueOf("'descr':", '\'', '\'');
  Type element = parseDescr(builder, descr);
  if (!element) {
    return malformed("unsupported type '" + descr + "'");
  }
  SmallVector<int64_t> shape;
  SmallVector<StringRef> parts;
  valueOf("'shape':", '(', ')').split(parts, ',', -1, /*KeepEmpty=*/false);
  int64_t size = interpreter::getElementBytes(element);
  bool hasStrings = isa<IE::StringType>(element);
  if (hasStrings && (descr.drop_front(2).getAsInteger(10, size) ||
                     llvm::MulOverflow<int64_t>(size, 4, size))) {
    return malformed("unsupported type '" + descr + "'");
  }
  for (StringRef part : parts) {
    int64_t dim;
    if (part.trim().empty()) {
      continue;
    }
    if (part.trim().getAsInteger(10, dim) || dim < 0 ||
        llvm::MulOverflow(size, dim, size)) {
      return malformed("shape");
    }
    shape.push_back(dim);
  }
  StringRef data = bytes.drop_front(headerStart + headerSize);
  if (static_cast<int64_t>(data.size()) != size) {
    return malformed("expected " + Twine(size) + " bytes of data, found " +
                     Twine(data.size()));
  }
  Tensor tensor(RankedTensorType::get(shape, element));
  if (hasStrings) {
    readStrings(data, tensor);
    return tensor;
  }
  llvm::copy(data, tensor.getMutableBytes().begin());
  return tensor;
}

std::string driver::formatNpy(const Tensor &tensor) {
  Type element = tensor.getElementType();
  int64_t bytes = interpreter::getElementBytes(element);
  std::string descr, strings;
  if (tensor.hasStrings()) {
    size_t width;
    strings = formatStrings(tensor, width);
    descr = "<U" + std::to_string(width);
  } else if (element.isInteger(1)) {
    descr = "|b1";
  } else {
    // Of small floats NumPy gets the codes.
    bool isUnsigned = element.isUnsignedInteger() || element.isBF16() ||
                      (isa<FloatType>(element) && bytes == 1);
    char kind = isUnsigned                  ? 'u'
                : isa<FloatType>(element)   ? 'f'
                : isa<ComplexType>(element) ? 'c'
                                            : 'i';
    descr = std::string(bytes == 1 ? "|" : "<") + kind + std::to_string(bytes);
  }
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : tensor.getShape()) {
    header += std::to_string(dim) + ",";
  }
  header += "), }";
  // The data starts at a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string result("\x93NUMPY\x01\x00", 8);
  result += static_cast<char>(header.size() & 0xff);
  result += static_cast<char>(header.size() >> 8);
  result += header;
  if (tensor.hasStrings()) {
    return result + strings;
  }
  if (element.isSignlessInteger() && IE::isPacked(element)) {
    for (char code : tensor.getBytes()) {
      result += static_cast<char>(IE::decodeSmallNumber(element, code));
    }
    return result;
  }
  result.append(tensor.getBytes().data(), tensor.getBytes().size());
  return result;
}
