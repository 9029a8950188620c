/// A tool that WEFT_TOOL names: it writes what it is told into WEFT_TEST_TOOL_FOLDER, a file a process.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

std::FILE* file() {
    static std::FILE* const of_process = std::fopen(
        (std::string(std::getenv("WEFT_TEST_TOOL_FOLDER")) + "/" + std::to_string(getpid())).c_str(), "w");
    return of_process;
}

void note(char const* what, char const* name, char const* within) {
    std::fprintf(file(), "%s\t%s\t%s\n", what, name, within != nullptr ? within : "");
}

} // namespace

// [functions]
extern "C" void weft_operation_began(char const* name, char const* within) {
    note("began", name, within);
}

extern "C" void weft_operation_ended(char const* name, char const* within) {
    note("ended", name, within);
}
// [functions]
