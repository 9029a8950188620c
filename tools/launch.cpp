#include "launch.hpp"

#include <weft/core/environment.hpp>

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tool {

namespace {

/// The arguments less `-n N`, `-nN`, `--ranks N` and `--ranks=N`, which only the launcher reads.
std::vector<std::string> without_ranks(int argc, char** argv) {
    std::vector<std::string> kept;
    bool options_end = false;
    for (int i = 1; i < argc; ++i) {
        std::string_view const argument = argv[i];
        options_end = options_end || argument == "--";
        if (!options_end) {
            if (argument == "-n" || argument == "--ranks") {
                ++i;
                continue;
            }
            bool const short_form = argument.size() > 2 && argument.starts_with("-n") &&
                                    argument.find_first_not_of("=0123456789", 2) == std::string_view::npos;
            if (short_form || argument.starts_with("--ranks=")) continue;
        }
        kept.emplace_back(argument);
    }
    return kept;
}

std::string this_executable() {
    char path[PATH_MAX] = {};
    ssize_t const length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) throw std::runtime_error("cannot find the path of this command in /proc/self/exe");
    return {path, static_cast<std::size_t>(length)};
}

} // namespace

bool launched_by_mpi() {
    for (char const* const variable : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"})
        if (std::getenv(variable) != nullptr) return true;
    return false;
}

bool is_first_launched() {
    for (char const* const variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
        if (char const* const rank = std::getenv(variable)) return std::strcmp(rank, "0") == 0;
    return true;
}

void relaunch_under_mpi(int ranks, int argc, char** argv) {
    std::vector<std::string> words{WEFT_MPIEXEC};
    if (mpi_library().starts_with("Open MPI")) {
        // Laptops have fewer cores than ranks asked for, and containers run as root; the launcher's own lines
        // about a failed rank would bury the one line of error that the command prints.
        words.insert(words.end(), {"--oversubscribe", "--quiet"});
        if (geteuid() == 0) words.emplace_back("--allow-run-as-root");
        if (ranks > static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)))
            words.insert(words.end(), {"--bind-to", "none"});
    }
    words.insert(words.end(), {WEFT_MPIEXEC_NUMPROC, std::to_string(ranks), this_executable()});
    for (std::string& argument : without_ranks(argc, argv)) words.push_back(std::move(argument));

    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments.front(), arguments.data());
    throw std::runtime_error("cannot start " + words.front() + ": " + std::strerror(errno) +
                             "; start the command under the launcher of your MPI instead of with -n");
}

} // namespace weft::tool
