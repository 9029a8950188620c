#include "lone_start.hpp"

#include <weft/core/environment.hpp>

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace weft {

namespace {

/// Starts no daemon, uses no network for messages to itself, and skips other searches. Each of the first
/// three saves 80 to 200 ms of Open MPI 4.1's 320; MPICH needs 27 ms and reads none of them. Lone processes
/// all have the same job number, and would make and remove each other's folder under /tmp.
constexpr std::array<std::pair<char const*, char const*>, 4> answers{{
    {"OMPI_MCA_ess_singleton_isolated", "1"},
    {"OMPI_MCA_pml", "ob1"},
    {"OMPI_MCA_btl", "self"},
    {"OMPI_MCA_orte_create_session_dirs", "0"},
}};

} // namespace

lone_start::lone_start() {
    for (auto const& [name, value] : answers) {
        if (std::getenv(name) != nullptr) continue;
        if (setenv(name, value, 0) == 0) set_here_.emplace_back(name);
    }
}

lone_start::~lone_start() {
    for (std::string const& name : set_here_) unsetenv(name.c_str());
}

bool is_first_process() noexcept {
    for (char const* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
        if (char const* const rank = std::getenv(name)) return std::string_view(rank) == "0";
    return true;
}

bool launched_by_mpi() noexcept {
    for (char const* const name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"})
        if (std::getenv(name) != nullptr) return true;
    return false;
}

} // namespace weft
