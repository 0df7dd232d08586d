// Whether an output is an array or a value of the runtime is as lowering leaves it:
// the graph, which lowering begins with, may still find out how large it is.

// RUN: nacre compile %s -o %t.so
// RUN: FileCheck %s < %t.h
// CHECK: int64_t *y;

func.func @main(%x: tensor<?x16xf32> {nacre.name = "x", nacre.dims = ["N", ""]}) -> (tensor<?xi64> {nacre.name = "y"}) {
  %zero = IE.Constant dense<0> : tensor<i64>
  %one = IE.Constant dense<1> : tensor<i64>
  %start = IE.Constant dense<1> : tensor<1xi64>
  %end = IE.Constant dense<2> : tensor<1xi64>
  %axes = IE.Constant dense<0> : tensor<1xi64>
  %shape = IE.Shape %x : tensor<?x16xf32> -> tensor<2xi64>
  %columns = IE.Slice %shape, %start, %end : tensor<2xi64>, tensor<1xi64>, tensor<1xi64> -> tensor<1xi64>
  %limit = IE.Squeeze %columns axes(%axes : tensor<1xi64>) : tensor<1xi64> -> tensor<i64>
  %0 = IE.Range %zero, %limit, %one : tensor<i64>, tensor<i64>, tensor<i64> -> tensor<?xi64>
  return %0 : tensor<?xi64>
}
