// RUN: not nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies=decide=groups,colours 2>&1 | FileCheck %s

// CHECK: error: expected decide to be one of "{{.*}}, found "colours"
func.func @decision_of_no_known_name_is_an_error() {
  return
}
