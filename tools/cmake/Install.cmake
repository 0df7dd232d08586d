# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# What `make install` and `make package` carry: the tools, the Python package,
# what find_package(nacre) reads, the headers for plugins, and the examples.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(tools GLOBAL PROPERTY NACRE_TOOLS)
# Debian keeps MLIR in a folder of its own.
set_target_properties(${tools} PROPERTIES INSTALL_RPATH "${LLVM_LIBRARY_DIR}")
install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

file(GLOB modules CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/nacre/*.py)
install(FILES ${modules} ${PROJECT_SOURCE_DIR}/VERSION
        DESTINATION lib/python3/dist-packages/nacre)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/nacre/capi
        DESTINATION lib/python3/dist-packages/nacre
        FILES_MATCHING PATTERN *.py
        PATTERN __pycache__ EXCLUDE)

set(config_folder lib/cmake/nacre)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/nacreConfig.cmake.in
  ${PROJECT_BINARY_DIR}/nacreConfig.cmake
  INSTALL_DESTINATION ${config_folder}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/nacreConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nacreConfig.cmake
              ${PROJECT_BINARY_DIR}/nacreConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/NacreAddModel.cmake
              ${CMAKE_CURRENT_LIST_DIR}/NacreAddPlugin.cmake
        DESTINATION ${config_folder})
# What plugins are built with.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/nacre
                  ${PROJECT_SOURCE_DIR}/tblgen/nacre
                  ${PROJECT_BINARY_DIR}/tblgen/nacre
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN *.h PATTERN *.td PATTERN *.h.inc
        PATTERN CMakeFiles EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/nacre
        RENAME copyright)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/examples
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/nacre)
install(FILES ${PROJECT_SOURCE_DIR}/python/models/digits/digits.onnx
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/nacre/examples)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nacre)
set(CPACK_PACKAGE_VENDOR "The nacre authors")
set(CPACK_PACKAGE_CONTACT "The nacre authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiles ONNX models to native code")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The shared libraries of the tools; besides, what they start or load while they
# run: the linker and Python.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libmlir-22, libllvm22, lld-22, python3-numpy")
# For the projects of find_package(nacre).
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, gcc")
include(CPack)
