#include "launch/watching.hpp"
#include "options/number_check.hpp"

#include <weft/core/error.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace weft::tool {

void watch_options::add_to(CLI::App& app) {
    app.add_option("--timeline", timeline,
           "Record a timeline of all ranks: FILE.html is a web page, FILE.json is for the viewer Perfetto")
        ->check([](std::string const& file) {
            try {
                check_timeline_name(file);
                return std::string();
            } catch (usage_error const& wrong) { return std::string(wrong.what()); }
        })
        ->type_name("FILE");
    app.add_option("--stall", stall,
           "After this time without progress, report the call in which each rank waits; 0: no reports "
           "(default: 60, or WEFT_STALL_SECONDS)")
        ->check(between(0.0, 1e9))
        ->type_name("SECONDS");
}

watched_run::watched_run(communicator const& comm, watch_options const& options, std::string line)
    : stalls_(stalls_of(comm)) {
    constexpr double usual = 60;
    stalls_.seconds = options.stall.value_or(stalls_.seconds > 0 ? stalls_.seconds : usual);
    stalls_.listener = this;
    if (!options.timeline.empty())
        timeline_.emplace(comm, options.timeline, timeline_options{.title = std::move(line)});
}

watched_run::~watched_run() {
    stalls_.listener = nullptr;
}

void watched_run::write() {
    if (timeline_) timeline_->write();
}

void watched_run::stalled(std::string const& text) noexcept {
    std::fprintf(stderr, "weft: %s\n", text.c_str());
}

std::string command_line(std::string line, int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        std::string_view const word = argv[i];
        bool const plain =
            !word.empty() && word.find_first_of(" \t\n\"'\\$&|;<>()*?") == std::string_view::npos;
        line += plain ? fmt::format(" {}", word) : fmt::format(" '{}'", word);
    }
    return line;
}

} // namespace weft::tool
