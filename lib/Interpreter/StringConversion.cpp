//===- StringConversion.cpp - Numbers as text -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's notation: as few digits as tell a float from its neighbours, and an
// exponent only where the number is very small or very large.
//
//===----------------------------------------------------------------------===//

#include "StringConversion.h"

#include "ElementwiseKernels.h"

#include "llvm/ADT/StringExtras.h"

#include <charconv>

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// The fewest significant digits that give back the same number of type T,
/// without a sign, and the power of ten of the first.
template <typename T>
static std::pair<std::string, int> getDigits(T magnitude) {
  char text[64];
  double value = magnitude;
  auto end = text;
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    end = std::to_chars(text, text + sizeof(text), magnitude,
                        std::chars_format::scientific)
              .ptr;
  } else {
    // The standard library knows no narrower types.
    for (int precision = 0;; ++precision) {
      end = std::to_chars(text, text + sizeof(text), value,
                          std::chars_format::scientific, precision)
                .ptr;
      double back = 0;
      std::from_chars(text, end, back);
      if (T(static_cast<float>(back)).bits == magnitude.bits) {
        break;
      }
    }
  }
  auto [mantissa, exponent] = StringRef(text, end - text).split('e');
  std::string digits;
  for (char c : mantissa) {
    if (c != '.') {
      digits += c;
    }
  }
  exponent.consume_front("+");
  int power = 0;
  exponent.getAsInteger(10, power);
  return {digits, power};
}

template <typename T> static std::string writeFloat(T number) {
  double value = number;
  if (std::isnan(value)) {
    return "nan";
  }
  std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) {
    return sign + "inf";
  }
  if (value == 0) {
    return sign + "0.0";
  }
  auto [digits, power] = getDigits(std::signbit(value) ? T(-number) : number);
  int count = static_cast<int>(digits.size());
  // NumPy looks at the number, not at its digits.
  if (std::abs(value) < 1e-4 || std::abs(value) >= 1e16) {
    std::string magnitude = std::to_string(std::abs(power));
    std::string text = sign + digits.substr(0, 1);
    text += count > 1 ? "." + digits.substr(1) : "";
    text += power < 0 ? "e-" : "e+";
    return text + (magnitude.size() < 2 ? "0" : "") + magnitude;
  }
  if (power < 0) {
    return sign + "0." + std::string(-power - 1, '0') + digits;
  }
  if (count <= power + 1) {
    return sign + digits + std::string(power + 1 - count, '0') + ".0";
  }
  return sign + digits.substr(0, power + 1) + "." + digits.substr(power + 1);
}

void interpreter::writeNumbers(const Tensor &numbers, Tensor &texts) {
  MLIRContext *context = texts.getType().getContext();
  dispatch(numbers.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    for (auto [number, text] :
         llvm::zip_equal(numbers.values<T>(), texts.mutableValues<String>())) {
      if constexpr (std::is_same_v<T, bool>) {
        text = String(context, number ? "True" : "False");
      } else if constexpr (std::is_integral_v<T>) {
        text = String(context, std::to_string(number));
      } else {
        text = String(context, writeFloat(number));
      }
    }
  });
}

/// The number that a whole text says, which may be surrounded by white space.
static std::optional<double> readFloat(StringRef text) {
  text = text.trim();
  bool isNegative = text.consume_front("-");
  if (!isNegative) {
    text.consume_front("+");
  }
  double value = 0;
  if (text.equals_insensitive("nan")) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (text.equals_insensitive("inf") ||
             text.equals_insensitive("infinity")) {
    value = std::numeric_limits<double>::infinity();
  } else {
    if (text.empty() || !(llvm::isDigit(text[0]) || text[0] == '.')) {
      return std::nullopt;
    }
    auto [end, error] = std::from_chars(text.begin(), text.end(), value);
    if (end != text.end() || error == std::errc::invalid_argument) {
      return std::nullopt;
    }
    if (error == std::errc::result_out_of_range) {
      // Too large or too small: the sign of the exponent tells.
      size_t exponent = text.find_insensitive("e");
      bool isSmall = text.substr(exponent).contains('-') ||
                     text.starts_with("0") || text.starts_with(".");
      value = isSmall ? 0 : std::numeric_limits<double>::infinity();
    }
  }
  return isNegative ? -value : value;
}

/// The same as an integer, which is not rounded to a float on its way.
template <typename T> static std::optional<T> readInteger(StringRef text) {
  text = text.trim();
  T value;
  text.consume_front("+");
  if (text.getAsInteger(10, value)) {
    return std::nullopt;
  }
  return value;
}

LogicalResult interpreter::readNumbers(Operation *op, const Tensor &texts,
                                       Tensor &numbers) {
  Type element = numbers.getElementType();
  return dispatch(element, [&](auto tag) -> LogicalResult {
    using T = decltype(tag);
    for (auto [text, number] :
         llvm::zip_equal(texts.values<String>(), numbers.mutableValues<T>())) {
      bool isRead = false;
      if constexpr (std::is_same_v<T, float>) {
        // Rounded once: from_chars would round a double's digits twice.
        float exact = 0;
        StringRef plain = StringRef(text).trim();
        auto [end, error] = std::from_chars(plain.begin(), plain.end(), exact);
        isRead = end == plain.end() && error == std::errc();
        number = exact;
      } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        if (std::optional<T> value = readInteger<T>(text)) {
          number = *value;
          isRead = true;
        }
      }
      if (isRead) {
        continue;
      }
      std::optional<double> value = readFloat(text);
      if (!value) {
        return op->emitError("expected a number of type ")
               << element << ", found the string '" << StringRef(text) << "'";
      }
      if constexpr (std::is_integral_v<T>) {
        number = convertElement<T>(*value);
      } else {
        number = T(static_cast<float>(*value));
        if constexpr (std::is_same_v<T, double>) {
          number = *value;
        }
      }
    }
    return success();
  });
}
