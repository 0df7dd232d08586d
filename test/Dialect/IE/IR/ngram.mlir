// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @tf_idf_vectorizer_has_an_element_for_each_index
func.func @tf_idf_vectorizer_has_an_element_for_each_index(%x: tensor<2x6xi32>) -> tensor<2x4xf32> {
  // CHECK: IE.TfIdfVectorizer %{{.*}} {max_gram_length = 2 : i64, {{.*}}} : tensor<2x6xi32> -> tensor<2x4xf32>
  %0 = IE.TfIdfVectorizer %x {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 1>, ngram_indexes = array<i64: 0, 3>, pool_int64s = array<i64: 5, 5, 6>} : tensor<2x6xi32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @pool_of_half_an_ngram_is_an_error(%x: tensor<6xi32>) {
  // expected-error @+1 {{expected 'ngram_counts' to divide the pool of 2 tokens into n-grams, found those of 2 from 1 to 2}}
  %0 = IE.TfIdfVectorizer %x {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 1>, ngram_indexes = array<i64: 0, 1>, pool_int64s = array<i64: 5, 5>} : tensor<6xi32> -> tensor<2xf32>
  return
}

// -----

func.func @fewer_indices_than_ngrams_are_an_error(%x: tensor<6xi32>) {
  // expected-error @+1 {{expected an index for each of 2 n-grams, found 1}}
  %0 = IE.TfIdfVectorizer %x {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0>, pool_int64s = array<i64: 5, 6>} : tensor<6xi32> -> tensor<1xf32>
  return
}

// -----

func.func @lengths_without_counts_are_an_error(%x: tensor<6xi32>) {
  // expected-error @+1 {{expected 'ngram_counts' for each length up to 2, found 1}}
  %0 = IE.TfIdfVectorizer %x {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0>, pool_int64s = array<i64: 5>} : tensor<6xi32> -> tensor<1xf32>
  return
}

// -----

func.func @fewer_weights_than_ngrams_are_an_error(%x: tensor<6xi32>) {
  // expected-error @+1 {{expected a weight for each of 2 n-grams, found 1}}
  %0 = IE.TfIdfVectorizer %x {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "IDF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0, 1>, pool_int64s = array<i64: 5, 6>, weights = array<f32: 1.0>} : tensor<6xi32> -> tensor<2xf32>
  return
}

// -----

func.func @pool_of_strings_is_an_error(%x: tensor<6xi32>) {
  // expected-error @+1 {{expected 'pool_int64s'}}
  %0 = IE.TfIdfVectorizer %x {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0>} : tensor<6xi32> -> tensor<1xf32>
  return
}
