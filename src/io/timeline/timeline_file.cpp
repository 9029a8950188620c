#include <weft/io/timeline_file.hpp>

#include "timeline_picture.hpp"

#include <protocol/clock_offset.hpp>
#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/io/write_text.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>
#include <weft/wire/wire.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

namespace weft {

namespace {

class steady_clock_of_rank final : public rank_clock {
public:
    [[nodiscard]] double seconds() const noexcept override {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
};

/// From ticks of a rank to nanoseconds of the picture: the clocks drift evenly from start to end.
class common_time {
public:
    common_time(timeline const& lane, double offset_at_start, double offset_at_end)
        : lane_(lane),
          begin_(lane.seconds_of(lane.began())),
          length_(std::max(lane.seconds_of(lane.ended()) - begin_, 1e-9)),
          from_(offset_at_start),
          drift_(offset_at_end - offset_at_start) {}

    [[nodiscard]] std::int64_t operator()(std::int64_t ticks) const {
        double const own = lane_.seconds_of(ticks);
        double const offset = from_ + drift_ * (own - begin_) / length_;
        return std::llround((own + offset) * 1e9) - zero;
    }

    std::int64_t zero = 0; ///< where the picture begins

private:
    timeline const& lane_;
    double begin_;
    double length_;
    double from_;
    double drift_;
};

class name_list {
public:
    explicit name_list(std::vector<std::string>& names) : names_(names) {}

    std::int32_t place_of(char const* name) {
        auto const known = std::ranges::find(seen_, name); // few, and of static lifetime
        if (known != seen_.end()) return static_cast<std::int32_t>(known - seen_.begin());
        seen_.push_back(name);
        names_.emplace_back(name);
        return static_cast<std::int32_t>(seen_.size() - 1);
    }

private:
    std::vector<std::string>& names_;
    std::vector<char const*> seen_;
};

picture_lane lane_of(timeline const& lane, common_time const& time, std::size_t most) {
    picture_lane result;
    name_list names(result.names);
    double const nanoseconds = (lane.seconds_of(lane.ended()) - lane.seconds_of(lane.began())) * 1e9 /
                               static_cast<double>(std::max<std::int64_t>(lane.ended() - lane.began(), 1));
    auto const length_of = [&](std::int64_t ticks) {
        return std::llround(static_cast<double>(ticks) * nanoseconds);
    };

    std::vector<timeline_segment> segments(lane.segments().begin(), lane.segments().end());
    std::int64_t resolution = lane.resolution();
    while (segments.size() > most) {
        resolution = std::max<std::int64_t>(2 * resolution, 1024);
        segments.resize(coarsen(segments, lane.ended(), resolution));
    }
    result.resolution = length_of(resolution);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        std::int64_t const begin = time(segments[i].begin);
        std::int64_t const end = time(i + 1 < segments.size() ? segments[i + 1].begin : lane.ended());
        timeline_state const& state = segments[i].state;
        result.spans.push_back({begin, end - begin, state.number, names.place_of(state.name),
            static_cast<std::int32_t>(std::min<std::uint32_t>(state.more, INT32_MAX)),
            static_cast<std::int32_t>(state.kind), -1});
    }
    for (timeline_work const& each : lane.works()) {
        std::int64_t const begin = time(each.begin);
        result.works.push_back({begin, time(each.end) - begin, each.number, names.place_of(each.name), 0,
            static_cast<std::int32_t>(span_kind::compute), each.thread});
    }
    std::ranges::sort(result.works, {}, &picture_span::begin);
    for (timeline_operation const& each : lane.operations())
        result.operations.push_back(
            {time(each.begin), time(each.end), each.ordinal, names.place_of(each.name)});
    for (timeline_message const& each : lane.messages())
        result.messages.push_back({time(each.time), each.bytes, each.peer, each.tag, each.sent ? 1 : 0});
    for (std::size_t kind = 0; kind < span_kinds; ++kind)
        result.totals[kind] = length_of(lane.totals()[kind]);
    result.end = time(lane.ended());
    result.stride = lane.stride();
    result.lost = lane.lost();
    return result;
}

bool is_page(std::string const& file) {
    return file.ends_with(".html");
}

} // namespace

void check_timeline_name(std::string const& file) {
    if (!is_page(file) && !file.ends_with(".json"))
        throw usage_error("timeline: " + file +
                          ": a name that ends in .html (a page) or .json (for Perfetto "
                          "and chrome://tracing) says what to write");
}

timeline_file::timeline_file(communicator const& comm, std::string file, timeline_options options) try
    : comm_(comm), file_(std::move(file)), options_(std::move(options)), lane_(timeline_of(comm)) {
    gate call(comm_, "timeline_file");
    agreed(call, [&] {
        check_timeline_name(file_);
        if (lane_.on()) throw usage_error("timeline: " + file_ + ": this communicator records one already");
    });
    auto const [offset, error] = find_clock_offset(comm_, steady_clock_of_rank());
    offset_at_start_ = offset;
    error_at_start_ = error;
    agreed(call, [&] {
        lane_.start(static_cast<std::size_t>(std::max<std::int64_t>(options_.most_segments, 0)));
        records_ = true;
    });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("timeline_file");
    throw;
}

timeline_file::~timeline_file() {
    if (records_) lane_.stop();
}

void timeline_file::write() try {
    gate call(comm_, "timeline_file::write");
    agreed(call, [&] {
        if (!records_) throw usage_error("timeline: " + file_ + ": write() was called twice");
    });
    lane_.stop();
    records_ = false;
    clock_difference const clock = find_clock_offset(comm_, steady_clock_of_rank());
    common_time time(lane_, offset_at_start_, clock.offset);
    time.zero = min(comm_, time(lane_.began()));
    auto const mine = static_cast<std::int64_t>(lane_.segments().size());
    std::int64_t const all = sum(comm_, mine);
    std::int64_t const most =
        all <= options_.most_in_file
            ? mine
            : static_cast<std::int64_t>(static_cast<double>(options_.most_in_file) *
                                        static_cast<double>(mine) / static_cast<double>(all));
    buffer bytes;
    call.guard([&] {
        picture_lane lane = lane_of(lane_, time, static_cast<std::size_t>(std::max<std::int64_t>(most, 64)));
        lane.clock_error = std::max(clock.error, error_at_start_);
        encode(bytes, lane);
    });
    message_list const gathered = gather_bytes(comm_, std::move(bytes), call.take());
    std::string text;
    agreed(call, [&] {
        if (comm_.rank() != 0) return;
        timeline_picture drawn{options_.title, {}};
        for (message const& each : gathered) drawn.lanes.push_back(decode<picture_lane>(each.data.bytes()));
        drawn.mark_termination();
        text = is_page(file_) ? html_of(drawn) : trace_events_of(drawn);
    });
    write_text(comm_, file_, text);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("timeline_file");
    throw;
}

} // namespace weft
