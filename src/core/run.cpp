#include "lone_start.hpp"
#include "simulated_ranks.hpp"

#include <weft/core/error.hpp>
#include <weft/core/run.hpp>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

namespace weft::detail {

namespace {

std::string name_of_program(int argc, char** argv) {
    std::string_view const path = argc > 0 ? argv[0] : "weft";
    return std::string(path.substr(path.find_last_of('/') + 1)); // npos + 1 is the beginning
}

} // namespace

int run_on_all_ranks(int& argc, char**& argv, std::function<int(communicator const&)> const& body,
    environment_options const& options) {
    std::string const program = name_of_program(argc, argv); // MPI may change the arguments
    if (!wanted_simulation().empty()) return run_simulated(program, body);
    std::optional<environment> env;
    try {
        env.emplace(argc, argv, options);
    } catch (std::exception const& caught) { // the same on all ranks, and MPI has ended
        if (is_first_process()) std::fprintf(stderr, "%s: %s\n", program.c_str(), caught.what());
        return 1;
    }
    for (std::string const& warning : env->warnings())
        std::fprintf(stderr, "%s: warning: %s\n", program.c_str(), warning.c_str());
    int code = 0;
    std::exception_ptr thrown;
    try {
        code = body(env->world());
    } catch (...) { thrown = std::current_exception(); }
    return env->finish_and_tell(thrown, program.c_str()) ? code : 1;
}

} // namespace weft::detail
