/*===- Tensor.c - Tensors as values ---------------------------------------===*\
|*
|* Tensors whose sizes only a run knows, at the boundary of a model.
|*
\*===----------------------------------------------------------------------===*/

#include "Value.h"

#include <stdio.h>
#include <string.h>

NACRE_PUBLIC int64_t nacre_type_size(int64_t type) {
  switch (type) {
  case NACRE_UINT8:
  case NACRE_INT8:
  case NACRE_BOOL:
  case NACRE_FLOAT8E4M3FN:
  case NACRE_FLOAT8E4M3FNUZ:
  case NACRE_FLOAT8E5M2:
  case NACRE_FLOAT8E5M2FNUZ:
    return 1;
  case NACRE_UINT16:
  case NACRE_INT16:
  case NACRE_FLOAT16:
  case NACRE_BFLOAT16:
    return 2;
  case NACRE_FLOAT32:
  case NACRE_INT32:
  case NACRE_UINT32:
    return 4;
  case NACRE_INT64:
  case NACRE_UINT64:
  case NACRE_FLOAT64:
  case NACRE_COMPLEX64:
    return 8;
  case NACRE_COMPLEX128:
    return 16;
  case NACRE_STRING:
    return sizeof(const char *);
  default:
    return 0;
  }
}

NACRE_PUBLIC nacre_value *nacre_tensor_new(int64_t type, int64_t rank) {
  nacre_value *tensor = nacre_value_new(NACRE_KIND_TENSOR, rank);
  tensor->type = type;
  return tensor;
}

NACRE_PUBLIC nacre_value *nacre_tensor_wrap(int64_t type, int64_t rank,
                                            const int64_t *shape, void *data) {
  nacre_value *tensor = nacre_tensor_new(type, rank);
  if (rank > 0) {
    memcpy(tensor->shape, shape, (size_t)rank * sizeof *shape);
  }
  tensor->data = data;
  return tensor;
}

NACRE_PUBLIC void nacre_tensor_set_dim(nacre_value *tensor, int64_t dim,
                                       int64_t size) {
  tensor->shape[dim] = size;
}

static int has_four_bits(int64_t type) {
  return type == NACRE_UINT4 || type == NACRE_INT4 || type == NACRE_FLOAT4E2M1;
}

NACRE_PUBLIC int64_t nacre_tensor_bytes(const nacre_value *tensor) {
  int is_packed = has_four_bits(tensor->type);
  size_t bytes = is_packed ? 1 : (size_t)nacre_type_size(tensor->type);
  for (int64_t i = 0; i < tensor->rank; ++i) {
    size_t size = (size_t)tensor->shape[i];
    if (tensor->shape[i] < 0 || (size && bytes > SIZE_MAX / 2 / size)) {
      nacre_fail("a tensor of an impossible size");
    }
    bytes *= size;
  }
  return (int64_t)(is_packed ? (bytes + 1) / 2 : bytes);
}

NACRE_PUBLIC char *nacre_tensor_allocate(nacre_value *tensor) {
  tensor->data = nacre_block_new((size_t)nacre_tensor_bytes(tensor));
  tensor->owns_data = 1;
  return tensor->data;
}

NACRE_PUBLIC nacre_value *nacre_tensor_pack(const nacre_value *bytes,
                                            int64_t type) {
  if (bytes->type != NACRE_UINT8 || !has_four_bits(type)) {
    nacre_fail("expected bytes to pack");
  }
  nacre_value *packed = nacre_tensor_make(type, bytes->rank, bytes->shape);
  int64_t count = nacre_tensor_bytes(bytes);
  for (int64_t i = 0; i < count; i += 2) {
    unsigned low = (unsigned char)bytes->data[i] & 15u;
    unsigned high = i + 1 < count ? (unsigned char)bytes->data[i + 1] & 15u : 0;
    packed->data[i / 2] = (char)(low | high << 4);
  }
  return packed;
}

NACRE_PUBLIC nacre_value *nacre_tensor_unpack(const nacre_value *tensor) {
  if (!has_four_bits(tensor->type)) {
    nacre_fail("expected a tensor of four bits to unpack");
  }
  nacre_value *bytes =
      nacre_tensor_make(NACRE_UINT8, tensor->rank, tensor->shape);
  int64_t count = nacre_tensor_bytes(bytes);
  for (int64_t i = 0; i < count; ++i) {
    unsigned both = (unsigned char)tensor->data[i / 2];
    bytes->data[i] = (char)(i % 2 ? both >> 4 : both & 15u);
  }
  return bytes;
}

NACRE_PUBLIC int64_t nacre_tensor_type(const nacre_value *tensor) {
  return tensor->type;
}

NACRE_PUBLIC int64_t nacre_tensor_rank(const nacre_value *tensor) {
  return tensor->rank;
}

NACRE_PUBLIC int64_t nacre_tensor_dim(const nacre_value *tensor, int64_t dim) {
  return tensor->shape[dim];
}

NACRE_PUBLIC char *nacre_tensor_data(const nacre_value *tensor) {
  return tensor->data;
}

NACRE_PUBLIC nacre_value *nacre_retain(nacre_value *value) {
  if (value) {
    __atomic_add_fetch(&value->owners, 1, __ATOMIC_RELAXED);
  }
  return value;
}

NACRE_PUBLIC void nacre_release(nacre_value *value) {
  if (!value || __atomic_sub_fetch(&value->owners, 1, __ATOMIC_ACQ_REL) > 0) {
    return;
  }
  nacre_value_leave(value);
  if (value->owns_data) {
    nacre_block_delete(value->data);
  }
  /* No deeper than types are: an optional of a sequence of maps. */
  for (int64_t i = 0; i < value->length; ++i) {
    nacre_release(value->elements[i]);
  }
  nacre_block_delete(value->elements);
  nacre_block_delete(value);
}

NACRE_PUBLIC void nacre_check_tensor(const nacre_value *value, int64_t type,
                                     int64_t rank, const char *name) {
  char message[200];
  if (value->kind != NACRE_KIND_TENSOR || value->type != type ||
      value->rank != rank) {
    snprintf(message, sizeof message,
             "expected for '%s' a tensor of type %lld and rank %lld", name,
             (long long)type, (long long)rank);
    nacre_fail(message);
  }
}
