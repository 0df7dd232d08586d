/*===- Runtime.h - Values that compiled models exchange ----------*- C -*-===*\
|*
|* What a model whose inputs, outputs or intermediate values are no tensors of
|* fixed size needs at run time: values with a size, memory, failures. Plain C99
|* that depends on nothing but the C library. A model that is fixed in size
|* contains none of it.
|*
|* Functions may be called from several threads; one value must not be changed
|* by two at a time.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_C_RUNTIME_H
#define NACRE_C_RUNTIME_H

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
  NACRE_BOOL = 9,
  NACRE_FLOAT16 = 10,
  NACRE_FLOAT64 = 11,
  NACRE_UINT32 = 12,
  NACRE_UINT64 = 13,
  NACRE_BFLOAT16 = 16
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

/* The number of bytes of an element type; 0 for a number that is none. */
int64_t nacre_type_size(int64_t type);

/* One more and one less owner. The last one to release a value frees it. Null
   is allowed. */
nacre_value *nacre_retain(nacre_value *value);
void nacre_release(nacre_value *value);

/* Replaces the allocation functions, for all threads, before the first use:
   `allocate` gives `size` bytes, aligned to `alignment`, or null; `deallocate`
   takes what it gave. */
void nacre_set_allocator(void *(*allocate)(size_t size, size_t alignment),
                         void (*deallocate)(void *block));

/* Why the last run on this thread failed; the empty string if it did not. */
const char *nacre_error(void);

/*===----------------------------------------------------------------------===*\
|* For compiled models.
\*===----------------------------------------------------------------------===*/

/* Calls `body`, which may call nacre_fail; what it allocates and does not keep
   is freed afterwards. Returns 0, or 3 if it failed. */
int nacre_run(void (*body)(void *argument), void *argument);

/* Ends the innermost run on this thread. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void nacre_fail(const char *message);

/* Memory of the run, aligned to 64 bytes. Fails the run if there is none. */
void *nacre_alloc(size_t size);
void nacre_free(void *block);

/* Fails the run unless `value` is a tensor of this type and rank. */
void nacre_check_tensor(const nacre_value *value, int64_t type, int64_t rank,
                        const char *name);

#ifdef __cplusplus
}
#endif

#endif /* NACRE_C_RUNTIME_H */
