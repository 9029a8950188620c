/// Runs random programs, or prints them. See random_programs.py, which starts this one and shrinks what
/// fails.
///
///   random_programs --print --ranks 3 --seed 7 --operations 40     prints a program
///   mpirun -n 3 random_programs --program file                     runs one
///   mpirun -n 3 random_programs --seed 7 --operations 40 --programs 10   draws and runs seeds 7 .. 16
///   random_programs --faults                                       prints the table of docs/errors.md
#include "faults.hpp"
#include "session.hpp"
#include "verb.hpp"
#include "watch.hpp"

#include <weft/core/environment.hpp>
#include <weft/extend/observe/activity.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace random_programs;

struct request {
    std::uint64_t seed = 1;
    int operations = 40;
    int programs = 1;
    int ranks = 0;
    double patience = 60;
    bool print = false;
    bool faults = false;
    std::string file, only, without;
};

request parse_arguments(int argc, char** argv) {
    request made;
    for (int i = 1; i < argc; ++i) {
        std::string const name = argv[i];
        auto const value = [&]() -> std::string {
            if (++i == argc) throw std::runtime_error(name + " lacks its value");
            return argv[i];
        };
        if (name == "--seed")
            made.seed = std::stoull(value());
        else if (name == "--operations")
            made.operations = std::stoi(value());
        else if (name == "--programs")
            made.programs = std::stoi(value());
        else if (name == "--ranks")
            made.ranks = std::stoi(value());
        else if (name == "--patience")
            made.patience = std::stod(value());
        else if (name == "--program")
            made.file = value();
        else if (name == "--only")
            made.only = value();
        else if (name == "--without")
            made.without = value();
        else if (name == "--print")
            made.print = true;
        else if (name == "--faults")
            made.faults = true;
        else
            throw std::runtime_error("unknown: " + name);
    }
    return made;
}

program drawn(request const& asked, std::uint64_t seed, int ranks) {
    if (!asked.file.empty()) return read_program(asked.file);
    return draw_program(seed, asked.operations, ranks, asked.only, asked.without);
}

/// `now`: the seed of the program that runs.
void run_all(weft::communicator const& world, request const& asked, std::uint64_t& now) {
    weft::activity const& activity = weft::activity_of(world);
    watch dog(world.rank(), asked.patience, [&activity] { return std::string(activity.current()); });
    for (int i = 0; i < asked.programs; ++i) {
        std::uint64_t const seed = now = asked.seed + static_cast<std::uint64_t>(i);
        program const lines = drawn(asked, seed, world.size());
        session running(world, seed);
        for (operation const& line : lines) {
            dog.next(seed, text_of(line));
            running.run(line);
        }
        dog.next(seed, "the end");
        running.finish();
    }
    dog.next(asked.seed, "the end of the job");
    dog.last();
}

} // namespace

int main(int argc, char** argv) {
    try {
        request const asked = parse_arguments(argc, argv);
        if (asked.faults) {
            print_faults();
            return 0;
        }
        if (asked.print) {
            for (operation const& line : drawn(asked, asked.seed, asked.ranks))
                std::puts(text_of(line).c_str());
            return 0;
        }
        weft::environment env{argc, argv};
        std::uint64_t now = asked.seed;
        try {
            run_all(env.world(), asked, now);
        } catch (std::exception const& thrown) {
            std::fprintf(stderr, "rank %d: seed %llu, %s\n", env.world().rank(),
                static_cast<unsigned long long>(now), thrown.what());
            std::fflush(stderr);
            std::_Exit(1); // the launcher ends the others
        }
    } catch (std::exception const& thrown) {
        std::fprintf(stderr, "random_programs: %s\n", thrown.what());
        return 2;
    }
    return 0;
}
