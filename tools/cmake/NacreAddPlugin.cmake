# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# nacre_add_plugin(NAME SOURCE... [DEFINITIONS FILE.td] [DIALECT DIALECT])
#
# Makes the library NAME.so of a dialect, for the option --load-dialect-plugin of
# nacre's tools. FILE.td defines the dialect DIALECT and its ops; the sources
# include FILEDialect.h.inc, FILEDialect.cpp.inc, FILE.h.inc and FILE.cpp.inc.
# MLIR is the one that nacre was built with, and functions of nacre are those of
# the tool that loads the library.
macro(nacre_add_plugin)
  if(NOT COMMAND mlir_tablegen)
    find_package(MLIR 22.1 REQUIRED CONFIG)
    list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
    include(TableGen)
    include(AddLLVM)
    include(AddMLIR)
  endif()
  _nacre_add_plugin(${ARGN})
endmacro()

function(_nacre_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "DEFINITIONS;DIALECT" "")
  add_library(${name} MODULE ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_DEFINITIONS)
    get_filename_component(stem ${ARG_DEFINITIONS} NAME_WE)
    set(LLVM_TARGET_DEFINITIONS ${ARG_DEFINITIONS})
    set(includes ${NACRE_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
    foreach(part decls=h defs=cpp)
      string(REPLACE "=" ";" part ${part})
      list(GET part 0 generator)
      list(GET part 1 extension)
      mlir_tablegen(${stem}Dialect.${extension}.inc -gen-dialect-${generator}
                    -dialect=${ARG_DIALECT} EXTRA_INCLUDES ${includes})
      mlir_tablegen(${stem}.${extension}.inc -gen-op-${generator}
                    EXTRA_INCLUDES ${includes})
    endforeach()
    add_public_tablegen_target(${name}Definitions)
    add_dependencies(${name} ${name}Definitions)
  endif()
  llvm_update_compile_flags(${name})
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  list(FILTER definitions INCLUDE REGEX "^-D")
  target_compile_options(${name} PRIVATE ${definitions})
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}
                             ${NACRE_INCLUDE_DIRS})
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS}
                             ${MLIR_INCLUDE_DIRS})
  target_link_directories(${name} PRIVATE ${LLVM_LIBRARY_DIR})
  target_link_libraries(${name} PRIVATE MLIR)
  set_target_properties(${name} PROPERTIES PREFIX "")
endfunction()
