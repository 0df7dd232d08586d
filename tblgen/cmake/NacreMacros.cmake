# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# CMake helpers of nacre: TableGen output lands in the build tree under the same
# path as the .td file, so `#include "nacre/Dialect/IE/IR/X.h.inc"` finds it.

# nacre_tablegen(NAME GEN=SUFFIX...): runs mlir-tblgen on NAME.td once per
# generator, for example nacre_tablegen(Pooling op-decls=.h.inc op-defs=.cpp.inc).
function(nacre_tablegen name)
  set(LLVM_TARGET_DEFINITIONS ${name}.td)
  set(generated)
  foreach(item ${ARGN})
    string(REGEX MATCH "^(.*)=([^=]*)$" matched ${item})
    set(suffix ${CMAKE_MATCH_2})
    string(REPLACE ":" ";" generator "${CMAKE_MATCH_1}")
    list(POP_FRONT generator first)
    mlir_tablegen(${name}${suffix} -gen-${first} ${generator}
                  EXTRA_INCLUDES ${PROJECT_SOURCE_DIR}/tblgen)
  endforeach()
  string(MD5 digest "${CMAKE_CURRENT_SOURCE_DIR}")
  string(SUBSTRING ${digest} 0 6 digest)
  add_public_tablegen_target(NacreTableGen${name}${digest})
  add_dependencies(nacre-headers NacreTableGen${name}${digest})
endfunction()

# nacre_tablegen_doc(NAME GENERATOR OUTPUT): a page of the generated reference,
# under docs/ in the build tree.
function(nacre_tablegen_doc name generator output)
  set(LLVM_TARGET_DEFINITIONS ${name}.td)
  tablegen(MLIR ${output}.md -gen-${generator} ${ARGN}
           EXTRA_INCLUDES ${PROJECT_SOURCE_DIR}/tblgen)
  add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/docs/${output}.md
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_BINARY_DIR}/${output}.md
            ${PROJECT_BINARY_DIR}/docs/${output}.md
    DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${output}.md)
  add_custom_target(nacre-doc-${output}
                    DEPENDS ${PROJECT_BINARY_DIR}/docs/${output}.md)
  add_dependencies(nacre-docs nacre-doc-${output})
endfunction()

# Gives a target the precompiled headers. NacreSupport, which all libraries
# need, compiles them.
function(nacre_share_headers name)
  if(name STREQUAL NacreSupport)
    set(header ${PROJECT_SOURCE_DIR}/lib/PrecompiledHeaders.h)
    target_precompile_headers(${name} PRIVATE
                              $<$<COMPILE_LANGUAGE:CXX>:${header}>)
    # Else no cache of compilers could find them again.
    target_compile_options(${name} PRIVATE
      "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  else()
    target_precompile_headers(${name} REUSE_FROM NacreSupport)
  endif()
endfunction()

# nacre_add_library(NAME SOURCE... [EXCEPTIONS] [LINK_LIBS LIB...]): one static
# library per leaf folder. MLIR and LLVM are only ever linked as the shared
# libMLIR/libLLVM. With EXCEPTIONS sources can throw and catch, which has them
# compiled without the precompiled headers.
function(nacre_add_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "" "LINK_LIBS" ${ARGN})
  add_mlir_library(${name} ${ARG_UNPARSED_ARGUMENTS}
                   STATIC DISABLE_INSTALL EXCLUDE_FROM_LIBMLIR
                   DEPENDS nacre-headers
                   LINK_LIBS PUBLIC ${ARG_LINK_LIBS} MLIR)
  if(ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE -fexceptions)
  else()
    nacre_share_headers(${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY NACRE_LIBS ${name})
endfunction()

# Gives an executable the defaults that its sanitizers need, if it has any.
function(nacre_set_sanitizer_options name)
  if(LLVM_USE_SANITIZER)
    set(source ${PROJECT_SOURCE_DIR}/tools/sanitizer-options.c)
    target_sources(${name} PRIVATE ${source})
    # The precompiled headers are of C++.
    set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# nacre_add_tool(NAME SOURCE... [LINK_LIBS LIB...]): functions of nacre are there
# for the plugins that it loads.
function(nacre_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS} DEPENDS nacre-headers)
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  set(symbols ${PROJECT_SOURCE_DIR}/tools/cmake/PluginSymbols.list)
  target_link_options(${name} PRIVATE -Wl,--dynamic-list=${symbols})
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${symbols})
  nacre_set_sanitizer_options(${name})
  set_property(GLOBAL APPEND PROPERTY NACRE_TOOLS ${name})
endfunction()
