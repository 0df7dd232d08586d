/*===- Runtime.h - Values that compiled models exchange ----------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What programs need that call a model whose inputs or outputs are no tensors
|* of fixed size: values with a size, the memory of runs, why a run failed.
|* Plain C99 that depends on nothing but the C library. NAME.h repeats it where
|* the model needs it.
|*
|* Functions may be called from several threads; one value must not be changed
|* by two at a time.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_C_RUNTIME_H
#define NACRE_C_RUNTIME_H

#ifndef NACRE_C_STATUS_H
#include "nacre-c/Status.h"
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types, numbered as in ONNX's TensorProto.DataType. */
enum {
  NACRE_FLOAT32 = 1,
  NACRE_UINT8 = 2,
  NACRE_INT8 = 3,
  NACRE_UINT16 = 4,
  NACRE_INT16 = 5,
  NACRE_INT32 = 6,
  NACRE_INT64 = 7,
  NACRE_STRING = 8, /* const char *, UTF-8 that ends with a zero */
  NACRE_BOOL = 9,
  NACRE_FLOAT16 = 10,
  NACRE_FLOAT64 = 11,
  NACRE_UINT32 = 12,
  NACRE_UINT64 = 13,
  NACRE_COMPLEX64 = 14,  /* two floats, the real part first */
  NACRE_COMPLEX128 = 15, /* two doubles, aligned to 16 bytes */
  NACRE_BFLOAT16 = 16,
  NACRE_FLOAT8E4M3FN = 17,
  NACRE_FLOAT8E4M3FNUZ = 18,
  NACRE_FLOAT8E5M2 = 19,
  NACRE_FLOAT8E5M2FNUZ = 20,
  NACRE_UINT4 = 21, /* of four bits each byte has two, the first in its lower */
  NACRE_INT4 = 22,  /* half, as in ONNX's TensorProto */
  NACRE_FLOAT4E2M1 = 23,
  NACRE_FLOAT8E8M0 = 24,
  NACRE_UINT2 =
      25, /* of two bits each byte has four, the first in its lowest */
  NACRE_INT2 = 26
};

/* A reference-counted value. */
typedef struct nacre_value nacre_value;

/* A tensor of `rank` dimensions over `data`, row-major, which stays the
   caller's and must outlive the value. The caller owns the result. */
nacre_value *nacre_tensor_wrap(int64_t type, int64_t rank, const int64_t *shape,
                               void *data);

/* A tensor without elements: its dimensions are set to 0. Then
   nacre_tensor_set_dim and, last, nacre_tensor_allocate complete it. The caller
   owns the result; inside a run, the run does. */
nacre_value *nacre_tensor_new(int64_t type, int64_t rank);
void nacre_tensor_set_dim(nacre_value *tensor, int64_t dim, int64_t size);

/* Gives a new tensor memory for its elements, which are undefined. */
char *nacre_tensor_allocate(nacre_value *tensor);

/* What a tensor consists of. The data are row-major. */
int64_t nacre_tensor_type(const nacre_value *tensor);
int64_t nacre_tensor_rank(const nacre_value *tensor);
int64_t nacre_tensor_dim(const nacre_value *tensor, int64_t dim);
char *nacre_tensor_data(const nacre_value *tensor);

/* The number of bytes of an element type; 0 for a number that is none, and for
   types of four and two bits. */
int64_t nacre_type_size(int64_t type);

/* Its name: "float32"; "unknown" for a number that is none. */
const char *nacre_type_name(int64_t type);

/* The number of bytes of a tensor's data. */
int64_t nacre_tensor_bytes(const nacre_value *tensor);

/* A tensor of a type of four or two bits from one of as many NACRE_UINT8, each
   with the bits of a number at its low end, and the other way round. The caller
   owns the result; inside a run, the run does. */
nacre_value *nacre_tensor_pack(const nacre_value *bytes, int64_t type);
nacre_value *nacre_tensor_unpack(const nacre_value *tensor);

/* A tensor of copies of strings. The caller owns the result; inside a run, the
   run does. So it is for the two below. */
nacre_value *nacre_tensor_of_strings(int64_t rank, const int64_t *shape,
                                     const char *const *strings);

/* A sequence of tensors of one element type, and an optional of a value, or of
   nothing if that is null. Both become owners of what they hold. */
nacre_value *nacre_sequence_new(int64_t length, nacre_value *const *elements);
nacre_value *nacre_optional_new(nacre_value *value);

/* A map of the values, a vector of NACRE_INT64, NACRE_FLOAT32, NACRE_FLOAT64 or
   NACRE_STRING, by the keys, as long a vector of NACRE_INT64 or NACRE_STRING.
   It becomes an owner of both. */
nacre_value *nacre_map_new(nacre_value *keys, nacre_value *values);

/* The two vectors of a map, which stay its own. */
nacre_value *nacre_map_keys(const nacre_value *map);
nacre_value *nacre_map_values(const nacre_value *map);

/* How many values a sequence or an optional holds, 0 for a tensor, and one of
   them, which stays its own; null for a position that there is none at. */
int64_t nacre_length(const nacre_value *list);
nacre_value *nacre_element(const nacre_value *list, int64_t position);

/* 1 for a tensor, 0 for another value. So it is for maps. */
int64_t nacre_is_tensor(const nacre_value *value);
int64_t nacre_is_map(const nacre_value *value);

/* One more and one less owner. The last one to release a value frees it. Null
   is allowed. */
nacre_value *nacre_retain(nacre_value *value);
void nacre_release(nacre_value *value);

/* Replaces the allocation functions, for all threads, before the first use:
   `allocate` gives `size` bytes, aligned to `alignment`, or null; `deallocate`
   takes what it gave. Each shared library has a runtime of its own, for which
   dlsym of that library finds this function. */
void nacre_set_allocator(void *(*allocate)(size_t size, size_t alignment),
                         void (*deallocate)(void *block));

/* Frees what is kept for later runs: the memory of the large buffers of as many
   runs as there were at the same time, each as large as its last one needed,
   and that of large results which were released and not needed by two runs
   since. */
void nacre_trim(void);

/* Why the last call of a model on this thread did not give NACRE_OK; the empty
   string if it did. */
const char *nacre_error(void);

#ifdef __cplusplus
}
#endif

#endif /* NACRE_C_RUNTIME_H */
