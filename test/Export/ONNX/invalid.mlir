// What has no form in ONNX is told at the node that needs it.

// RUN: nacre-translate --export-onnx --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected a function @main of one block}}
module {
}

// -----

// expected-error @+1 {{expected a function @main of one block}}
module {
  func.func private @main(tensor<2xf32>) -> tensor<2xf32>
}

// -----

func.func @main(%map: !IE.Map<i64, f32>) -> tensor<1x?xf32> {
  // expected-error @+1 {{IE.MapValues is no operator of ONNX and has no form there; nacre compile --emit=ie writes any model}}
  %0 = IE.MapValues(%map) : (!IE.Map<i64, f32>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

// -----

func.func @main(%m: memref<2xf32>) {
  // expected-error @-1 {{ONNX has no type 'memref<2xf32>', that of 'input0'}}
  return
}

// -----

func.func @main(%x: tensor<2xi24>) {
  // expected-error @-1 {{ONNX has no type 'tensor<2xi24>', that of 'input0'}}
  return
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{arith.negf is no operator of ONNX}}
  %0 = arith.negf %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// A label known only at run time is no attribute.
func.func @main(%x: tensor<2x3xf32>, %labels: tensor<3xi64>)
    -> !IE.Sequence<!IE.Map<i64, f32>> {
  // expected-error @+1 {{IE.ZipMap is no operator of ONNX}}
  %1 = IE.ZipMap(%x, %labels)
      : (tensor<2x3xf32>, tensor<3xi64>) -> !IE.Sequence<!IE.Map<i64, f32>>
  return %1 : !IE.Sequence<!IE.Map<i64, f32>>
}

// -----

// expected-error @+1 {{two arguments or results are called 'y'}}
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32> {nacre.name = "y"}, tensor<2xf32> {nacre.name = "y"}) {
  %0 = IE.Abs %x : tensor<2xf32> -> tensor<2xf32>
  return %0, %x : tensor<2xf32>, tensor<2xf32>
}

// -----

// expected-error @+1 {{two arguments or results are called 'x'}}
func.func @main(%x: tensor<2xf32> {nacre.name = "x"}) -> (tensor<2xf32> {nacre.name = "x"}) {
  %0 = IE.Abs %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Inside a body, too.
func.func @main(%c: tensor<i1>, %map: !IE.Map<i64, f32>, %x: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %0 = IE.If %c : (tensor<i1>) -> tensor<1x?xf32> {
    // expected-error @+1 {{IE.MapValues is no operator of ONNX}}
    %1 = IE.MapValues(%map) : (!IE.Map<i64, f32>) -> tensor<1x?xf32>
    IE.Yield %1 : tensor<1x?xf32>
  } else {
    IE.Yield %x : tensor<1x?xf32>
  }
  return %0 : tensor<1x?xf32>
}
