#include "timeline_picture.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

namespace weft {

namespace {

struct interval {
    std::int64_t begin;
    std::int64_t end;
};

/// When the last callback or span of user code within an operation ended; its begin where there is none.
std::int64_t last_work(picture_lane const& lane, interval within) {
    std::int64_t last = within.begin;
    auto const look = [&](picture_span const& each) {
        if (each.kind == static_cast<std::int32_t>(span_kind::compute))
            last = std::max(last, std::min(each.begin + each.length, within.end));
    };
    for (auto const* const list : {&lane.spans, &lane.works}) {
        auto each = std::ranges::lower_bound(*list, within.begin, {}, &picture_span::begin);
        for (; each != list->end() && each->begin < within.end; ++each) look(*each);
    }
    return last;
}

/// Cuts what waits or communicates within the intervals, which are in order, out as termination.
void mark(picture_lane& lane, std::vector<interval> const& termination) {
    auto const spans = std::move(lane.spans);
    lane.spans.clear();
    lane.spans.reserve(spans.size() + 2 * termination.size());
    auto next = termination.begin();
    for (picture_span const& each : spans) {
        std::int64_t at = each.begin;
        std::int64_t const end = each.begin + each.length;
        auto const add = [&](std::int64_t until, span_kind as) {
            if (at >= until) return;
            picture_span part = each;
            part.begin = at;
            part.length = until - at;
            part.kind = static_cast<std::int32_t>(as);
            lane.spans.push_back(part);
            at = until;
        };
        auto const kind = static_cast<span_kind>(each.kind);
        bool const waits = kind == span_kind::wait || kind == span_kind::communicate;
        while (next != termination.end() && next->end <= at) ++next;
        for (auto here = next; waits && here != termination.end() && here->begin < end; ++here) {
            add(here->begin, kind);
            std::int64_t const from = at;
            add(std::min(here->end, end), span_kind::termination);
            lane.totals[static_cast<std::size_t>(kind)] -= at - from;
            lane.totals[static_cast<std::size_t>(span_kind::termination)] += at - from;
        }
        add(end, kind);
    }
}

} // namespace

void timeline_picture::mark_termination() {
    std::vector<std::vector<interval>> termination(lanes.size());
    for (std::string const name : {"iexchange", "mailbox drain"}) {
        // The operations of this name, by rank: they match where all ranks have as many.
        std::map<std::int64_t, std::vector<interval>> by_ordinal;
        for (picture_lane const& lane : lanes)
            for (picture_operation const& each : lane.operations)
                if (lane.names[static_cast<std::size_t>(each.name)] == name)
                    by_ordinal[each.ordinal].push_back({each.begin, each.end});
        for (auto const& [ordinal, of_ranks] : by_ordinal) {
            if (of_ranks.size() != lanes.size()) continue;
            std::int64_t const all_in = std::ranges::max_element(of_ranks, {}, &interval::begin)->begin;
            std::int64_t const first_out = std::ranges::min_element(of_ranks, {}, &interval::end)->end;
            if (all_in > first_out) continue; // of different communicators
            std::int64_t last = all_in;
            for (std::size_t rank = 0; rank < lanes.size(); ++rank)
                last = std::max(last, last_work(lanes[rank], of_ranks[rank]));
            for (std::size_t rank = 0; rank < lanes.size(); ++rank)
                if (last < of_ranks[rank].end) termination[rank].push_back({last, of_ranks[rank].end});
        }
    }
    for (std::size_t rank = 0; rank < lanes.size(); ++rank) {
        std::ranges::sort(termination[rank], {}, &interval::begin);
        mark(lanes[rank], termination[rank]);
    }
}

std::vector<picture_arrow> timeline_picture::arrows() const {
    using key = std::tuple<int, int, int>;
    std::map<key, std::vector<std::pair<std::int64_t, std::int64_t>>> sent;
    for (std::size_t rank = 0; rank < lanes.size(); ++rank)
        for (picture_message const& each : lanes[rank].messages)
            if (each.sent != 0)
                sent[{static_cast<int>(rank), each.peer, each.tag}].emplace_back(each.time, each.bytes);
    std::map<key, std::size_t> next;
    std::vector<picture_arrow> result;
    for (std::size_t rank = 0; rank < lanes.size(); ++rank)
        for (picture_message const& each : lanes[rank].messages) {
            if (each.sent != 0) continue;
            key const way{each.peer, static_cast<int>(rank), each.tag};
            auto const known = sent.find(way);
            std::size_t const place = next[way]++;
            if (known == sent.end() || place >= known->second.size()) continue;
            auto const [left, bytes] = known->second[place];
            result.push_back({left, std::max(left, each.time), each.peer, static_cast<int>(rank), bytes});
        }
    std::ranges::sort(result, {}, &picture_arrow::left);
    return result;
}

std::int64_t timeline_picture::end() const {
    std::int64_t last = 1;
    for (picture_lane const& lane : lanes) last = std::max(last, lane.end);
    return last;
}

std::int64_t timeline_picture::resolution() const {
    std::int64_t most = 0;
    for (picture_lane const& lane : lanes) most = std::max(most, lane.resolution);
    return most;
}

std::string json_text(std::string const& text) {
    std::string result = "\"";
    for (char const each : text) {
        if (each == '"' || each == '\\') {
            result += '\\';
            result += each;
        } else if (static_cast<unsigned char>(each) < 0x20 ||
                   each == '<') { // "</script>" would end the script
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(each));
            result += code;
        } else {
            result += each;
        }
    }
    return result + '"';
}

} // namespace weft
