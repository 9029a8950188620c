#include <weft/extend/core/attachment.hpp>
#include <weft/observe/stalls.hpp>

#include <cstdio>

namespace weft {

namespace {

/// Installed because the user has set the knob: it reports stalls whatever the program itself listens to.
class tells_on_standard_error final : public stall_listener {
public:
    void stalled(std::string const& text) noexcept override {
        std::string const line = "weft: " + text + "\n"; // one write, since all ranks print
        std::fputs(line.c_str(), stderr);
    }
};

struct watch_with_knob : stall_watch {
    explicit watch_with_knob(communicator const& comm) {
        seconds = comm.settings().stall_seconds;
        if (seconds > 0) listener = &standard_error;
    }

    tells_on_standard_error standard_error;
};

} // namespace

stall_watch& stalls_of(communicator const& comm) {
    return attachment<watch_with_knob>(comm.root(), comm.root());
}

} // namespace weft
