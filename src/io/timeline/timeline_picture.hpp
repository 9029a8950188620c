/// The timelines of all ranks, on one clock. Private.
#pragma once

#include <weft/observe/timeline.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// A stretch of a lane. Times are nanoseconds since the picture's begin.
struct picture_span {
    std::int64_t begin;
    std::int64_t length;
    std::int64_t number; ///< negative: none
    std::int32_t name;   ///< of the lane's names
    std::int32_t more;   ///< others in it
    std::int32_t kind;
    std::int32_t thread; ///< of work; -1: the thread that communicates
};
struct picture_operation {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t ordinal;
    std::int64_t name;
};
struct picture_message {
    std::int64_t time;
    std::int64_t bytes;
    std::int32_t peer;
    std::int32_t tag;
    std::int64_t sent;
};

/// The message of a rank to rank 0.
struct picture_lane {
    std::vector<std::string> names = {};
    std::vector<picture_span> spans = {};
    std::vector<picture_span> works = {}; ///< of other threads
    std::vector<picture_operation> operations = {};
    std::vector<picture_message> messages = {};
    std::array<std::int64_t, span_kinds> totals = {}; ///< nanoseconds of each kind
    std::int64_t end = 0;
    std::int64_t resolution = 0; ///< shorter spans were drawn together; 0: none
    std::int64_t stride = 1;     ///< of operations
    std::int64_t lost = 0;       ///< messages and works
    double clock_error = 0;      ///< seconds

    static void wire(auto& archive, auto& self) {
        archive(self.names, self.spans, self.works, self.operations, self.messages, self.totals, self.end,
            self.resolution, self.stride, self.lost, self.clock_error);
    }
};

/// A message of which both ends are known.
struct picture_arrow {
    std::int64_t left;
    std::int64_t found;
    int from;
    int to;
    std::int64_t bytes;
};

struct timeline_picture {
    std::string title;
    std::vector<picture_lane> lanes; ///< by rank

    /// The time after the last work of an iexchange or a drain is termination, on all ranks: nobody knows
    /// that before. Where the ranks' operations do not match one by one nothing is changed.
    void mark_termination();
    /// Messages that both ends have told, matched in order for each pair of ranks and tag.
    [[nodiscard]] std::vector<picture_arrow> arrows() const;
    [[nodiscard]] std::int64_t end() const;
    [[nodiscard]] std::int64_t resolution() const;
};

/// The file's text.
[[nodiscard]] std::string html_of(timeline_picture const& all);
[[nodiscard]] std::string trace_events_of(timeline_picture const& all);

/// A JSON string, quotes included, that may also stand in a script of a page.
[[nodiscard]] std::string json_text(std::string const& text);

} // namespace weft
