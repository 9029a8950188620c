#include "whole_program.hpp"

#include "call.hpp"

#include <weft/core/run.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/collectives.hpp>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace faults {

namespace {

void say_and_end(int signal) {
    std::string_view const text = signal == SIGSEGV ? "faults: segmentation fault\n" : "faults: abort\n";
    (void)!write(STDERR_FILENO, text.data(), text.size());
    print_last_place();
    std::_Exit(4);
}

std::optional<std::chrono::seconds> patience_of_program;

} // namespace

int run_program(int argc, char** argv, program_fault const& fault) {
    if (fault.patience > 0) patience_of_program = std::chrono::seconds(fault.patience);
    return weft::run(argc, argv, [&](weft::communicator const& world) {
        ::signal(SIGSEGV, say_and_end);
        ::signal(SIGABRT, say_and_end);
        std::vector<call> const calls = all_calls();
        auto const found = std::ranges::find(calls, fault.call, &call::name);
        if (found == calls.end()) throw std::logic_error("no call is named " + fault.call);
        trial undisturbed(
            world, fault.folder, 0, fault.which, false); // what is made on first use is not the call's
        found->run(undisturbed);
        trial now(world, fault.folder, fault.n, fault.which, fault.n == 0 || world.rank() == fault.rank);
        found->run(now);
        if (fault.n == 0)
            std::printf("rank %d: %lld opportunities\n", world.rank(), static_cast<long long>(now.counted()));
        if (now.injected())
            std::fprintf(stderr, "faults: thrown on rank %d in %s\n", world.rank(),
                last_functions().empty() ? "" : last_functions().front().c_str());
        if (now.thrown()) std::rethrow_exception(now.thrown());
        if (!now.right()) throw std::logic_error("a wrong answer");
        if (weft::sum(world, 1) != world.size()) throw std::logic_error("the sum of ones is wrong");
    });
}

} // namespace faults

namespace weft {
class process_roots;
}

// A rank whose others do not come gives up after five seconds, in which a test would only wait.
extern "C" {
bool __real__ZN4weft4door5leaveERKNS_13process_rootsESt8optionalINSt6chrono8durationIlSt5ratioILl1ELl1EEEEE(
    weft::process_roots const& roots, std::optional<std::chrono::seconds> patience);
bool __wrap__ZN4weft4door5leaveERKNS_13process_rootsESt8optionalINSt6chrono8durationIlSt5ratioILl1ELl1EEEEE(
    weft::process_roots const& roots, std::optional<std::chrono::seconds> patience) {
    if (faults::patience_of_program && (patience || weft::lone_failure()))
        patience = faults::patience_of_program;
    return __real__ZN4weft4door5leaveERKNS_13process_rootsESt8optionalINSt6chrono8durationIlSt5ratioILl1ELl1EEEEE(
        roots, patience);
}
}
