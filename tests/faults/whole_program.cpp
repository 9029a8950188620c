#include "whole_program.hpp"

#include "call.hpp"

#include <weft/core/run.hpp>
#include <weft/protocol/collectives.hpp>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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

} // namespace

int run_program(int argc, char** argv, program_fault const& fault) {
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
            std::fprintf(stderr, "faults: thrown on rank %d in %s\n", world.rank(), last_function().c_str());
        if (now.thrown()) std::rethrow_exception(now.thrown());
        if (!now.right()) throw std::logic_error("a wrong answer");
        if (weft::sum(world, 1) != world.size()) throw std::logic_error("the sum of ones is wrong");
    });
}

} // namespace faults
