//===- Datum.h - Values of the interpreter ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a value of IE may hold: a tensor, a map, or a list of data, which stands
// for ONNX's sequences and, with at most one element, its optionals.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_INTERPRETER_DATUM_H
#define NACRE_INTERPRETER_DATUM_H

#include "nacre/Interpreter/Tensor.h"

#include <vector>

namespace nacre::interpreter {

/// A value; copies share tensors' storage.
class Datum {
public:
  Datum() = default;
  Datum(Tensor tensor) : tensor(std::move(tensor)), hasTensor(true) {}
  static Datum list(std::vector<Datum> elements) {
    Datum datum;
    datum.elements = std::move(elements);
    return datum;
  }

  /// A map: a list of its keys and its values, two vectors.
  static Datum map(Tensor keys, Tensor values) {
    Datum datum;
    datum.elements = {Datum(std::move(keys)), Datum(std::move(values))};
    datum.hasKeys = true;
    return datum;
  }

  bool isTensor() const { return hasTensor; }
  bool isMap() const { return hasKeys; }
  const Tensor &getTensor() const {
    assert(hasTensor && "expected a tensor");
    return tensor;
  }
  llvm::ArrayRef<Datum> getElements() const { return elements; }

private:
  Tensor tensor;
  std::vector<Datum> elements;
  bool hasTensor = false;
  bool hasKeys = false;
};

} // namespace nacre::interpreter

#endif // NACRE_INTERPRETER_DATUM_H
