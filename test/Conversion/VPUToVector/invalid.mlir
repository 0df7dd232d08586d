// RUN: nacre-opt %s -convert-vpu-to-vector -verify-diagnostics

func.func @half_precision_eltwise_is_an_error(%a: memref<1x16x16xf16>) {
  // expected-error @+1 {{failed to legalize operation 'VPU.NCE.Eltwise'}}
  VPU.NCE.Eltwise ins(%a, %a : memref<1x16x16xf16>, memref<1x16x16xf16>) outs(%a : memref<1x16x16xf16>) {kind = #VPU.eltwise<ADD>}
  return
}
