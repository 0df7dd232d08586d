// Images of unknown size: whether their rows are tiles of a group.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies="decide=groups min-cycles=1000" --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=2" --vpu-choose-strategies="decide=groups min-cycles=1000" --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=4" --vpu-choose-strategies="decide=groups min-cycles=1000" --split-input-file | FileCheck %s

#points = affine_map<(n, c, h, w) -> (n, c, h, w)>
#pixels = affine_map<(n, c, h, w) -> (n, h, w)>
#one = affine_map<(n, h, w) -> (n, h, w)>

// Alone, the rows of an image of unknown size are one loop. Tiles would save
// only a mean of each pixel, and be as short as a row.
// CHECK-LABEL: @mean_over_channels_of_an_image_of_unknown_size
// CHECK-NOT: group =
func.func @mean_over_channels_of_an_image_of_unknown_size(%x: tensor<?x96x?x?xf32>, %n: index, %h: index, %w: index) -> tensor<?x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 96.0 : f32
  %e = tensor.empty(%n, %h, %w) : tensor<?x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %sum = linalg.generic {indexing_maps = [#points, #pixels], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%x : tensor<?x96x?x?xf32>) outs(%f : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.divf %a, %count : f32
    linalg.yield %q : f32
  } -> tensor<?x?x?xf32>
  return %mean : tensor<?x?x?xf32>
}

// -----

#points = affine_map<(n, c, h, w) -> (n, c, h, w)>
#pixels = affine_map<(n, c, h, w) -> (n, h, w)>
#one = affine_map<(n, h, w) -> (n, h, w)>

// Nor would tiles save more where rows are of known length, of which they had
// pieces: alone, a channel's rows follow each other.
// CHECK-LABEL: @mean_over_channels_of_an_image_of_known_width
// CHECK-NOT: group =
func.func @mean_over_channels_of_an_image_of_known_width(%x: tensor<?x96x?x64xf32>, %n: index, %h: index) -> tensor<?x?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 96.0 : f32
  %e = tensor.empty(%n, %h) : tensor<?x?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %sum = linalg.generic {indexing_maps = [#points, #pixels], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%x : tensor<?x96x?x64xf32>) outs(%f : tensor<?x?x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x?x64xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<?x?x64xf32>) outs(%e : tensor<?x?x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.divf %a, %count : f32
    linalg.yield %q : f32
  } -> tensor<?x?x64xf32>
  return %mean : tensor<?x?x64xf32>
}

// -----

#points = affine_map<(n, c, h, w) -> (n, c, h, w)>
#pixels = affine_map<(n, c, h, w) -> (n, h, w)>
#one = affine_map<(n, h, w) -> (n, h, w)>

// A tile that has all of a small image cuts no rows, and its sums stay in
// memory of their own.
// CHECK-LABEL: @mean_over_channels_of_small_images
// CHECK: linalg.generic {{.*}}group = 1
// CHECK: linalg.generic {{.*}}group = 1
func.func @mean_over_channels_of_small_images(%x: tensor<?x256x5x5xf32>, %n: index) -> tensor<?x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 256.0 : f32
  %e = tensor.empty(%n) : tensor<?x5x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x5x5xf32>) -> tensor<?x5x5xf32>
  %sum = linalg.generic {indexing_maps = [#points, #pixels], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%x : tensor<?x256x5x5xf32>) outs(%f : tensor<?x5x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x5x5xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<?x5x5xf32>) outs(%e : tensor<?x5x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.divf %a, %count : f32
    linalg.yield %q : f32
  } -> tensor<?x5x5xf32>
  return %mean : tensor<?x5x5xf32>
}

// -----

#points = affine_map<(r, c) -> (r, c)>
#columns = affine_map<(r, c) -> (c)>
#one = affine_map<(c) -> (c)>

// So it is with columns of a matrix of known size.
// CHECK-LABEL: @mean_of_columns
// CHECK-NOT: group =
func.func @mean_of_columns(%x: tensor<4096x1024xf32>) -> tensor<1024xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 4096.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %sum = linalg.generic {indexing_maps = [#points, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x1024xf32>) outs(%f : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<1024xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%sum : tensor<1024xf32>) outs(%e : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.divf %a, %count : f32
    linalg.yield %q : f32
  } -> tensor<1024xf32>
  return %mean : tensor<1024xf32>
}

// -----

#points = affine_map<(r, c) -> (r, c)>
#columns = affine_map<(r, c) -> (c)>

// What several members read stays in the cache for the second of them.
// CHECK-LABEL: @columns_less_their_sum
// CHECK: linalg.generic {{.*}}group = 1
// CHECK: linalg.generic {{.*}}group = 1
func.func @columns_less_their_sum(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %all = tensor.empty() : tensor<4096x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %sum = linalg.generic {indexing_maps = [#points, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x1024xf32>) outs(%f : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<1024xf32>
  %y = linalg.generic {indexing_maps = [#points, #columns, #points], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<4096x1024xf32>, tensor<1024xf32>) outs(%all : tensor<4096x1024xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32):
    %q = arith.subf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4096x1024xf32>
  return %y : tensor<4096x1024xf32>
}

// -----

#points = affine_map<(n, c, h, w) -> (n, c, h, w)>
#pixels = affine_map<(n, c, h, w) -> (n, h, w)>

// What tiles hand on is as much as they read.
// CHECK-LABEL: @exponentials_over_channels_of_an_image_of_unknown_size
// CHECK: linalg.generic {{.*}}group = 1
// CHECK: linalg.generic {{.*}}group = 1
// CHECK: linalg.generic {{.*}}group = 1
func.func @exponentials_over_channels_of_an_image_of_unknown_size(%x: tensor<?x96x?x?xf32>, %n: index, %h: index, %w: index) -> tensor<?x96x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n, %h, %w) : tensor<?x?x?xf32>
  %all = tensor.empty(%n, %h, %w) : tensor<?x96x?x?xf32>
  %exp = linalg.generic {indexing_maps = [#points, #points], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<?x96x?x?xf32>) outs(%all : tensor<?x96x?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  } -> tensor<?x96x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %sum = linalg.generic {indexing_maps = [#points, #pixels], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%exp : tensor<?x96x?x?xf32>) outs(%f : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?xf32>
  %y = linalg.generic {indexing_maps = [#points, #pixels, #points], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<?x96x?x?xf32>, tensor<?x?x?xf32>) outs(%all : tensor<?x96x?x?xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<?x96x?x?xf32>
  return %y : tensor<?x96x?x?xf32>
}

// -----

// A known number of channels, each of unknown size: as many as fit a block are
// computed one after the other, whether clusters share them or not.
// CHECK-LABEL: @normalised_channels_of_known_number
// CHECK: linalg.generic {{.*}}group = 1
// CHECK: linalg.generic {{.*}}group = 1, block = [0, ?, 0, 0]
#points = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (n, c)>
func.func @normalised_channels_of_known_number(%x: tensor<1x32x?x?xf32>, %h: index, %w: index) -> tensor<1x32x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32xf32>
  %all = tensor.empty(%h, %w) : tensor<1x32x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32xf32>) -> tensor<1x32xf32>
  %sum = linalg.generic {indexing_maps = [#points, #channel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x : tensor<1x32x?x?xf32>) outs(%f : tensor<1x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x32xf32>
  %y = linalg.generic {indexing_maps = [#points, #channel, #points], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %sum : tensor<1x32x?x?xf32>, tensor<1x32xf32>) outs(%all : tensor<1x32x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<1x32x?x?xf32>
  return %y : tensor<1x32x?x?xf32>
}

// -----

// Groups of channels are normalised as rows. What scales the image, whose rows end
// elsewhere, would be computed in their loop element by element: it stays outside.
// CHECK-LABEL: @groups_of_channels
// CHECK: linalg.generic {{.*}}group = 1
// CHECK: linalg.generic {{.*}}group = 1
// CHECK: tensor.expand_shape
// CHECK-NOT: group =
// CHECK: return
#points = affine_map<(n, g, i) -> (n, g, i)>
#group = affine_map<(n, g, i) -> (n, g)>
#image = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func @groups_of_channels(%x: tensor<?x8x?xf32>, %n: index, %h: index, %w: index) -> tensor<?x32x?x?xf32> {
  %four = arith.constant 4 : index
  %rows_of_all = arith.muli %four, %h : index
  %i = arith.muli %rows_of_all, %w : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %rows = tensor.empty(%n, %i) : tensor<?x8x?xf32>
  %all = tensor.empty(%n, %h, %w) : tensor<?x32x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %sum = linalg.generic {indexing_maps = [#points, #group], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<?x8x?xf32>) outs(%f : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  %d = linalg.generic {indexing_maps = [#points, #group, #points], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %sum : tensor<?x8x?xf32>, tensor<?x8xf32>) outs(%rows : tensor<?x8x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x8x?xf32>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<?x8x?xf32> into tensor<?x?xf32>
  %back = tensor.expand_shape %flat [[0], [1, 2, 3]] output_shape [%n, 32, %h, %w] : tensor<?x?xf32> into tensor<?x32x?x?xf32>
  %y = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%back : tensor<?x32x?x?xf32>) outs(%all : tensor<?x32x?x?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x32x?x?xf32>
  return %y : tensor<?x32x?x?xf32>
}
