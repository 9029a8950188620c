#include "handles.hpp"

#include <weft/observe/counters.hpp>
#include <weft/observe/stalls.hpp>
#include <weft/observe/timeline.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <string>

namespace weft::c {

namespace {

/// Tells a callback of C of stalls, until it is gone.
class listener_of_c final : public stall_listener {
public:
    listener_of_c(communicator const& comm, double seconds, weft_stalled told, void* state)
        : comm_(comm), told_(told), state_(state) {
        stalls_of(comm_).listener = this;
        stalls_of(comm_).seconds = seconds;
    }
    ~listener_of_c() {
        stall_watch& watch = stalls_of(comm_);
        if (watch.listener != this) return;
        watch.seconds = 0; // before nobody is there to be told
        watch.listener = nullptr;
    }
    void stalled(std::string const& text) noexcept override { told_(state_, text.c_str()); }

private:
    communicator comm_;
    weft_stalled told_;
    void* state_;
};

} // namespace

} // namespace weft::c

weft_status weft_counters_read(weft_comm const* comm, weft_counters* counters) {
    return weft::c::call([&] {
        weft::counters const& now = weft::counters_of(weft::c::given(comm, "comm").of);
        weft::c::given(counters, "counters") = {now.messages, now.bytes, now.between_messages,
            now.between_bytes, now.shared_buffers, now.shared_bytes, now.self_messages, now.self_bytes,
            now.exchanges, now.small_all_reduces};
    });
}

weft_status weft_timeline_start(weft_comm const* comm) {
    return weft::c::call([&] {
        constexpr std::size_t segments = std::size_t{1} << 12; // totals stay right whatever is drawn together
        weft::timeline_of(weft::c::given(comm, "comm").of).start(segments);
    });
}

weft_status weft_timeline_stop(weft_comm const* comm, weft_times* times) {
    return weft::c::call([&] {
        weft::timeline& lane = weft::timeline_of(weft::c::given(comm, "comm").of);
        if (!lane.on()) throw weft::usage_error("weft_timeline_stop: nothing is being recorded");
        lane.stop();
        std::array<double, weft::span_kinds> seconds{};
        for (std::size_t kind = 0; kind < seconds.size(); ++kind)
            seconds[kind] =
                lane.seconds_of(lane.began() + lane.totals()[kind]) - lane.seconds_of(lane.began());
        auto const of = [&](weft::span_kind kind) { return seconds[static_cast<std::size_t>(kind)]; };
        weft::c::given(times, "times") = {of(weft::span_kind::compute), of(weft::span_kind::communicate),
            of(weft::span_kind::wait), of(weft::span_kind::termination)};
    });
}

weft_status weft_stall_listen(weft_comm* comm, double seconds, weft_stalled listener, void* state) {
    return weft::c::call([&] {
        weft_comm& of = weft::c::given(comm, "comm");
        if (!(seconds >= 0) || !std::isfinite(seconds))
            throw weft::usage_error("weft_stall_listen: " + std::to_string(seconds) + " seconds");
        of.listener.reset();
        if (listener != nullptr)
            of.listener = std::make_shared<weft::c::listener_of_c>(of.of, seconds, listener, state);
    });
}
