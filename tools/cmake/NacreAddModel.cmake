# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# nacre_add_model(TARGET MODEL [SHAPE NAME=DIMS...] [ARCH NAME...] [STATIC]
#                 [DEPENDS FILE...])
#
# Makes the library TARGET of an ONNX model, shared or STATIC. What links it
# finds its header, TARGET.h. SHAPE and ARCH are --shape and --vpu-arch of
# `nacre compile`. The model is compiled again when it changes, or one of the
# files of DEPENDS, such as its weights where they lie outside of it.
function(nacre_add_model target model)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "STATIC" "" "SHAPE;ARCH;DEPENDS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
            "nacre_add_model: unknown argument '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  get_filename_component(model "${model}" ABSOLUTE)
  set(kind SHARED)
  set(emit shared)
  set(suffix .so)
  if(ARG_STATIC)
    set(kind STATIC)
    set(emit static)
    set(suffix .a)
  endif()
  set(options --emit=${emit})
  foreach(shape IN LISTS ARG_SHAPE)
    list(APPEND options "--shape=${shape}")
  endforeach()
  if(ARG_ARCH)
    list(JOIN ARG_ARCH "," architectures)
    list(APPEND options "--vpu-arch=${architectures}")
  endif()

  # An imported target's include folder has to exist early.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/nacre/${target}")
  file(MAKE_DIRECTORY "${folder}")
  set(library "${folder}/${target}${suffix}")
  add_custom_command(
    OUTPUT "${library}" "${folder}/${target}.h"
    COMMAND nacre::nacre compile "${model}" -o "${library}" ${options}
    DEPENDS "${model}" nacre::nacre ${ARG_DEPENDS}
    COMMENT "Compiling the model ${target}"
    VERBATIM)
  add_custom_target(${target}-model
                    DEPENDS "${library}" "${folder}/${target}.h")
  add_library(${target} ${kind} IMPORTED GLOBAL)
  add_dependencies(${target} ${target}-model)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION "${library}"
    INTERFACE_INCLUDE_DIRECTORIES "${folder}"
    INTERFACE_LINK_LIBRARIES m)
  if(NOT ARG_STATIC)
    set_target_properties(${target} PROPERTIES IMPORTED_SONAME ${target}.so)
  endif()
endfunction()
