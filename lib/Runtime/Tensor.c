/*===- Tensor.c - Tensors as values ---------------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Tensors of dynamic sizes, at the boundary of a model.
|*
\*===----------------------------------------------------------------------===*/

#include "Value.h"

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
  case NACRE_FLOAT8E8M0:
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

NACRE_PUBLIC const char *nacre_type_name(int64_t type) {
  static const char *const names[] = {[NACRE_FLOAT32] = "float32",
                                      [NACRE_UINT8] = "uint8",
                                      [NACRE_INT8] = "int8",
                                      [NACRE_UINT16] = "uint16",
                                      [NACRE_INT16] = "int16",
                                      [NACRE_INT32] = "int32",
                                      [NACRE_INT64] = "int64",
                                      [NACRE_STRING] = "string",
                                      [NACRE_BOOL] = "bool",
                                      [NACRE_FLOAT16] = "float16",
                                      [NACRE_FLOAT64] = "float64",
                                      [NACRE_UINT32] = "uint32",
                                      [NACRE_UINT64] = "uint64",
                                      [NACRE_COMPLEX64] = "complex64",
                                      [NACRE_COMPLEX128] = "complex128",
                                      [NACRE_BFLOAT16] = "bfloat16",
                                      [NACRE_FLOAT8E4M3FN] = "float8e4m3fn",
                                      [NACRE_FLOAT8E4M3FNUZ] = "float8e4m3fnuz",
                                      [NACRE_FLOAT8E5M2] = "float8e5m2",
                                      [NACRE_FLOAT8E5M2FNUZ] = "float8e5m2fnuz",
                                      [NACRE_UINT4] = "uint4",
                                      [NACRE_INT4] = "int4",
                                      [NACRE_FLOAT4E2M1] = "float4e2m1"};
  int64_t count = sizeof names / sizeof *names;
  return type > 0 && type < count ? names[type] : "unknown";
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

/* How many numbers share a byte; 1 for those of a byte and more. */
static unsigned numbers_per_byte(int64_t type) {
  switch (type) {
  case NACRE_UINT4:
  case NACRE_INT4:
  case NACRE_FLOAT4E2M1:
    return 2;
  case NACRE_UINT2:
  case NACRE_INT2:
    return 4;
  default:
    return 1;
  }
}

NACRE_PUBLIC int64_t nacre_tensor_bytes(const nacre_value *tensor) {
  unsigned per_byte = numbers_per_byte(tensor->type);
  int64_t bytes = per_byte > 1 ? 1 : nacre_type_size(tensor->type);
  for (int64_t i = 0; i < tensor->rank; ++i) {
    int64_t size = tensor->shape[i];
    if (size < 0 || (size > 0 && bytes > PTRDIFF_MAX / size)) {
      nacre_fail("a tensor of an impossible size");
    }
    bytes *= size;
  }
  return (bytes + per_byte - 1) / per_byte;
}

NACRE_PUBLIC char *nacre_tensor_allocate(nacre_value *tensor) {
  tensor->data_size = (size_t)nacre_tensor_bytes(tensor);
  tensor->data = nacre_data_new(&tensor->data_size);
  tensor->owns_data = 1;
  return tensor->data;
}

NACRE_PUBLIC nacre_value *nacre_tensor_pack(const nacre_value *bytes,
                                            int64_t type) {
  unsigned per_byte = numbers_per_byte(type), bits = 8 / per_byte;
  if (bytes->type != NACRE_UINT8 || per_byte == 1) {
    nacre_fail("expected bytes to pack");
  }
  nacre_value *packed = nacre_tensor_make(type, bytes->rank, bytes->shape);
  int64_t count = nacre_tensor_bytes(bytes);
  for (int64_t i = 0; i < count; i += per_byte) {
    unsigned shared = 0;
    for (int64_t j = 0; j < per_byte && i + j < count; ++j) {
      unsigned number = (unsigned char)bytes->data[i + j] & ((1u << bits) - 1);
      shared |= number << (j * bits);
    }
    packed->data[i / per_byte] = (char)shared;
  }
  return packed;
}

NACRE_PUBLIC nacre_value *nacre_tensor_unpack(const nacre_value *tensor) {
  unsigned per_byte = numbers_per_byte(tensor->type), bits = 8 / per_byte;
  if (per_byte == 1) {
    nacre_fail("expected a tensor of packed numbers to unpack");
  }
  nacre_value *bytes =
      nacre_tensor_make(NACRE_UINT8, tensor->rank, tensor->shape);
  int64_t count = nacre_tensor_bytes(bytes);
  for (int64_t i = 0; i < count; ++i) {
    unsigned shared = (unsigned char)tensor->data[i / per_byte];
    bytes->data[i] =
        (char)(shared >> (i % per_byte * bits) & ((1u << bits) - 1));
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
  void (*deallocate)(void *) = value->deallocate;
  if (value->owns_data && value->data) {
    nacre_data_delete(value->data, value->data_size, deallocate);
  }
  /* No deeper than types are: an optional of a sequence of maps. */
  for (int64_t i = 0; i < value->length; ++i) {
    nacre_release(value->elements[i]);
  }
  if (value->elements) {
    deallocate(value->elements);
  }
  deallocate(value);
}

NACRE_PUBLIC void nacre_check_tensor(const nacre_value *value, int64_t type,
                                     int64_t rank, const char *name) {
  if (value->kind != NACRE_KIND_TENSOR || value->type != type ||
      value->rank != rank) {
    char found[NACRE_DESCRIPTION];
    nacre_describe(value, found);
    nacre_failf("expected for '%s' a tensor of %s and rank %lld, found %s",
                name, nacre_type_name(type), (long long)rank, found);
  }
}

NACRE_PUBLIC void nacre_check_dim(const nacre_value *tensor, int64_t dim,
                                  int64_t size, const char *name) {
  if (tensor->shape[dim] != size) {
    nacre_failf("unexpected size of dimension %lld of input '%s': expected "
                "%lld, found %lld",
                (long long)dim, name, (long long)size,
                (long long)tensor->shape[dim]);
  }
}
