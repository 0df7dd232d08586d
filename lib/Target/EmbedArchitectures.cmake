# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Script: writes OUTPUT, one C++ initializer {name, text} per JSON file in
# FILES, so that the binaries need no file at run time.
set(content "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WLE)
  file(READ ${file} text)
  string(APPEND content "{\"${name}\", R\"json(${text})json\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${content}")
