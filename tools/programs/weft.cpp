/// `weft`: commands about graphs, and the names of those in the module of volumes.
#include "commands/graph_questions.hpp"
#include "launch/launch.hpp"
#include "launch/program.hpp"
#include "report/speech.hpp"
#include "watch/top.hpp"

#include <unistd.h>

#include <exception>
#include <filesystem>
#include <string_view>
#include <vector>

namespace weft::tool {

namespace {

/// Those about graphs first.
std::vector<command_row> all_commands() {
    std::vector<command_row> all;
    for (graph_question const& each : graph_questions()) all.push_back({each.name, each.make});
    all.insert(all.end(),
        {{"describe", nullptr}, {"label", nullptr}, {"trace", nullptr}, {"render", nullptr},
            {"contour", nullptr}, {"slice", nullptr}, {"threshold", nullptr}, {"histogram", nullptr},
            {"nbody", nullptr}, {"generate", make_generate}, {"convert", make_convert}, {"graph", make_graph},
            {"graph500", make_graph500}, {"count", make_count}, {"distinct", make_distinct},
            {"join", make_join}, {"info", make_info}, {"tune", make_tune}, {"top", make_top},
            {"simulate", nullptr}, {"reproduce", nullptr}});
    return all;
}

/// The place of the command in the arguments, behind options and their values; `argc` where there is none.
int place_of_command(int argc, char** argv) {
    int at = 1;
    while (at < argc && argv[at][0] == '-') {
        std::string_view const word = argv[at];
        bool const has_value = word.find('=') != word.npos || (!word.starts_with("--") && word.size() > 2);
        at += has_value ? 1 : 2;
    }
    return at < argc ? at : argc;
}

/// Goes on as `weft-bench`, which a build folder has beside this program. Returns only if that fails.
int continue_as_bench(int argc, char** argv, int command) {
    try {
        std::vector<char*> words(argv, argv + argc + 1);
        words.erase(words.begin() + command);
        auto const file = std::filesystem::path(this_executable()).parent_path() / "weft-bench";
        ::execv(file.c_str(), words.data());
        say_error(
            "bench is a program of its own, weft-bench, for those who work on Weft, and not beside this "
            "one: build it with the target weft_bench");
    } catch (std::exception const& caught) { say_error(caught.what()); }
    return 2;
}

int main(int argc, char** argv) {
    int const at = place_of_command(argc, argv);
    if (at < argc && std::string_view(argv[at]) == "bench") return continue_as_bench(argc, argv, at);
    auto const commands = all_commands();
    return run_program(
        {.name = "weft",
            .description =
                "Analyses graphs, volumes, fields, meshes and particles in parallel. Runs as one process, or "
                "on several ranks: start it with mpirun, or give the number of ranks by -n.",
            .footer = "Examples:\n  weft components my_graph.mtx\n  weft -n 4 degrees rmat:18 --json "
                      "report.json\n  mpirun -n 64 weft components my_graph.txt.zst --labels "
                      "labels.txt",
            .commands = commands},
        argc, argv);
}

} // namespace

} // namespace weft::tool

int main(int argc, char** argv) {
    return weft::tool::main(argc, argv);
}
