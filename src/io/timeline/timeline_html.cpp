/// A page that draws itself: the timelines as numbers, put into src/io/timeline/timeline_page.html.
#include "timeline_picture.hpp"

#include <timeline_page.hpp>

#include <map>
#include <string_view>

namespace weft {

namespace {

/// Names of all lanes, each once.
class common_names {
public:
    std::size_t place_of(std::string const& name) {
        auto const [found, made] = places_.try_emplace(name, places_.size());
        if (made) list_ += (list_.empty() ? "" : ",") + json_text(name);
        return found->second;
    }
    [[nodiscard]] std::string const& list() const noexcept { return list_; }

private:
    std::map<std::string, std::size_t> places_;
    std::string list_;
};

class number_list {
public:
    explicit number_list(std::string& to) : to_(to) { to_ += '['; }
    ~number_list() { to_ += ']'; }
    number_list(number_list const&) = delete;
    number_list& operator=(number_list const&) = delete;

    void add(std::int64_t number) {
        if (to_.back() != '[') to_ += ',';
        to_ += std::to_string(number);
    }

private:
    std::string& to_;
};

void add_lane(std::string& to, picture_lane const& lane, common_names& names) {
    std::vector<std::int64_t> place;
    for (std::string const& name : lane.names)
        place.push_back(static_cast<std::int64_t>(names.place_of(name)));
    auto const code = [&](picture_span const& each) {
        return place[static_cast<std::size_t>(each.name)] * 4 + each.kind;
    };
    to += "{\"begin\":" + std::to_string(lane.spans.empty() ? 0 : lane.spans.front().begin);
    to += ",\"end\":" + std::to_string(lane.end);
    to += ",\"spans\":"; // length, name and kind, number, others: one begins where the one before ends
    {
        number_list list(to);
        for (picture_span const& each : lane.spans) {
            list.add(each.length);
            list.add(code(each));
            list.add(each.number);
            list.add(each.more);
        }
    }
    to += ",\"works\":"; // begin, length, name and kind, number, thread
    {
        number_list list(to);
        for (picture_span const& each : lane.works) {
            list.add(each.begin);
            list.add(each.length);
            list.add(code(each));
            list.add(each.number);
            list.add(each.thread);
        }
    }
    to += ",\"operations\":"; // begin, end, name, ordinal
    {
        number_list list(to);
        for (picture_operation const& each : lane.operations) {
            list.add(each.begin);
            list.add(each.end);
            list.add(place[static_cast<std::size_t>(each.name)]);
            list.add(each.ordinal);
        }
    }
    to += ",\"totals\":";
    {
        number_list list(to);
        for (std::int64_t const each : lane.totals) list.add(each);
    }
    to += ",\"stride\":" + std::to_string(lane.stride) + ",\"lost\":" + std::to_string(lane.lost) +
          ",\"clock\":" + std::to_string(static_cast<std::int64_t>(lane.clock_error * 1e9)) + "}";
}

} // namespace

std::string html_of(timeline_picture const& all) {
    std::string data = "{\"title\":" + json_text(all.title) + ",\"end\":" + std::to_string(all.end()) +
                       ",\"resolution\":" + std::to_string(all.resolution()) + ",\"lanes\":[";
    common_names names;
    for (picture_lane const& lane : all.lanes) {
        if (data.back() != '[') data += ",\n";
        add_lane(data, lane, names);
    }
    data += "],\"arrows\":"; // left, found, from, to, bytes
    {
        number_list list(data);
        std::size_t left = 50'000; // more would be a grey haze, and a heavy page
        for (picture_arrow const& each : all.arrows()) {
            if (left-- == 0) break;
            list.add(each.left);
            list.add(each.found);
            list.add(each.from);
            list.add(each.to);
            list.add(each.bytes);
        }
    }
    data += ",\"names\":[" + names.list() + "]}";
    std::string_view const page = timeline_page;
    constexpr std::string_view mark = "\"DATA\"";
    std::size_t const at = page.find(mark);
    return std::string(page.substr(0, at)) + data + std::string(page.substr(at + mark.size()));
}

} // namespace weft
