# Writes the list of the dynamic symbols of a module, which a program that loads it is to export as far as it has them:
# cmake -DNM=... -DMODULE=... -DLIST=... -P WeftExports.cmake
execute_process(COMMAND ${NM} -D --format=posix ${MODULE} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "(@[^ ]*)? [^\n]*\n" "\";\n\"" names "\n${symbols}")
string(REGEX REPLACE "^\n" "\"" names "${names}")
string(REGEX REPLACE "\"$" "" names "${names}")
file(WRITE ${LIST} "{\n${names}};\n")
