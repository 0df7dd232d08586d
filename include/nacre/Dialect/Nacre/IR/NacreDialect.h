//===- NacreDialect.h - What passes tell each other of a model --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the nacre dialect, its attributes, and how ops, arguments and
// results are asked for them. Nothing else spells their names.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_NACRE_IR_NACREDIALECT_H
#define NACRE_DIALECT_NACRE_IR_NACREDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Location.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "nacre/Dialect/Nacre/IR/NacreBaseEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "nacre/Dialect/Nacre/IR/NacreAttributes.h.inc"

#include "nacre/Dialect/Nacre/IR/NacreBaseDialect.h.inc"

namespace nacre::abi {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

// The attributes as parameters of the functions below. The dialect's reference
// says what each means and where it stands.
using Name = NacreDialect::NameAttrHelper;
using Dims = NacreDialect::DimsAttrHelper;
using Element = NacreDialect::ElementAttrHelper;
using State = NacreDialect::StateAttrHelper;
using Integers = NacreDialect::IntegersAttrHelper;
using Unread = NacreDialect::UnreadAttrHelper;
using ArgumentRole = NacreDialect::RoleAttrHelper;
using Interface = NacreDialect::InterfaceAttrHelper;
using Weights = NacreDialect::WeightsAttrHelper;
using WeightOffsets = NacreDialect::WeightOffsetsAttrHelper;
using ArenaBytes = NacreDialect::ArenaBytesAttrHelper;
using ArenaLowerBound = NacreDialect::ArenaLowerBoundAttrHelper;
using MemoryLimit = NacreDialect::MemoryLimitAttrHelper;
using Steps = NacreDialect::StepsAttrHelper;
using Hooks = NacreDialect::HooksAttrHelper;
using Taps = NacreDialect::TapsAttrHelper;
using Keep = NacreDialect::KeepAttrHelper;
using Options = NacreDialect::OptionsAttrHelper;
using Metadata = NacreDialect::MetadataAttrHelper;
using Repairs = NacreDialect::RepairsAttrHelper;
using Rescaled = NacreDialect::RescaledAttrHelper;
using Implicit = NacreDialect::ImplicitAttrHelper;
using HasSteps = NacreDialect::HasStepsAttrHelper;
using KeepsSizes = NacreDialect::KeepsSizesAttrHelper;
using Independent = NacreDialect::IndependentAttrHelper;
using MostBytes = NacreDialect::MostBytesAttrHelper;

// Keys of the metadata of locations, where names of values stand: of all
// results of an op, and of an argument.
inline constexpr llvm::StringLiteral kValueNames = "nacre.values";
inline constexpr llvm::StringLiteral kArgumentName = "nacre.argument";

/// The class of an attribute's values.
template <typename Attr>
using ValueOf =
    decltype(std::declval<Attr &>().getAttr(std::declval<mlir::Operation *>()));

//===----------------------------------------------------------------------===//
// Attributes of ops, arguments and results; null where there is none
//===----------------------------------------------------------------------===//

template <typename Attr> ValueOf<Attr> get(mlir::Operation *op) {
  return op->getAttrOfType<ValueOf<Attr>>(Attr::getNameStr());
}

template <typename Attr> bool has(mlir::Operation *op) {
  return op->hasAttr(Attr::getNameStr());
}

template <typename Attr> void set(mlir::Operation *op, ValueOf<Attr> value) {
  op->setAttr(Attr::getNameStr(), value);
}

/// Sets an attribute that has no value.
template <typename Attr> void mark(mlir::Operation *op) {
  op->setAttr(Attr::getNameStr(), mlir::UnitAttr::get(op->getContext()));
}

/// Sets a number of 64 bits.
template <typename Attr> void setNumber(mlir::Operation *op, int64_t value) {
  op->setAttr(Attr::getNameStr(),
              mlir::IntegerAttr::get(
                  mlir::IntegerType::get(op->getContext(), 64), value));
}

/// The number, or `otherwise` where the op has none.
template <typename Attr>
int64_t getNumber(mlir::Operation *op, int64_t otherwise = 0) {
  ValueOf<Attr> value = get<Attr>(op);
  return value ? value.getInt() : otherwise;
}

template <typename Attr> void remove(mlir::Operation *op) {
  op->removeAttr(Attr::getNameStr());
}

template <typename Attr>
ValueOf<Attr> getOfArgument(mlir::FunctionOpInterface function,
                            unsigned number) {
  return function.getArgAttrOfType<ValueOf<Attr>>(number, Attr::getNameStr());
}

template <typename Attr>
void setOfArgument(mlir::FunctionOpInterface function, unsigned number,
                   ValueOf<Attr> value) {
  function.setArgAttr(number, Attr::getNameStr(), value);
}

template <typename Attr>
ValueOf<Attr> getOfResult(mlir::FunctionOpInterface function, unsigned number) {
  return function.getResultAttrOfType<ValueOf<Attr>>(number,
                                                     Attr::getNameStr());
}

template <typename Attr>
void setOfResult(mlir::FunctionOpInterface function, unsigned number,
                 ValueOf<Attr> value) {
  function.setResultAttr(number, Attr::getNameStr(), value);
}

/// An attribute of what is still to be made.
template <typename Attr> mlir::NamedAttribute name(ValueOf<Attr> value) {
  return {mlir::StringAttr::get(value.getContext(), Attr::getNameStr()), value};
}

/// An attribute of an argument or result in `nacre.interface`.
template <typename Attr> ValueOf<Attr> get(mlir::DictionaryAttr attributes) {
  return attributes.getAs<ValueOf<Attr>>(Attr::getNameStr());
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// The role of an argument; none where it has none.
std::optional<Role> getRole(mlir::FunctionOpInterface function,
                            unsigned number);

/// The role of a value that is an argument of a function.
std::optional<Role> getRole(mlir::Value value);

/// The attribute of an argument that is to have this role.
mlir::DictionaryAttr buildRole(mlir::MLIRContext *context, Role role);

void setRole(mlir::FunctionOpInterface function, unsigned number, Role role);
void setRoleOfResult(mlir::FunctionOpInterface function, unsigned number,
                     Role role);

/// The first argument of this role; null where there is none.
mlir::BlockArgument findArgument(mlir::FunctionOpInterface function, Role role);

/// True for the arena and the weights as a whole.
bool isStorage(mlir::Value value);

/// Lets modules with the dialect's attributes become LLVM IR, which has no such
/// attributes.
void registerLLVMTranslation(mlir::DialectRegistry &registry);

} // namespace nacre::abi

#endif // NACRE_DIALECT_NACRE_IR_NACREDIALECT_H
