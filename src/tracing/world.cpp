#include <tracing/world.hpp>

#include <algorithm>

namespace weft {

line_set in_world(line_set lines, placement const& place) {
    if (!place.moves()) return lines;
    for (line_point& point : lines.points) {
        vector3 const there = place.to_world({static_cast<double>(point.place[0]),
            static_cast<double>(point.place[1]), static_cast<double>(point.place[2])});
        for (std::size_t d = 0; d < 3; ++d) point.place[d] = static_cast<float>(there[d]);
    }
    return lines;
}

std::vector<trace_end> in_world(std::vector<trace_end> ends, placement const& place) {
    if (!place.moves()) return ends;
    for (trace_end& end : ends) {
        end.seed = place.to_world(end.seed);
        end.place = place.to_world(end.place);
    }
    return ends;
}

flow_domain in_world(flow_domain const& domain) {
    if (!domain.place.moves()) return domain;
    vector3 lo{};
    vector3 hi{};
    for (unsigned corner = 0; corner < 8; ++corner) {
        vector3 place;
        for (std::size_t d = 0; d < 3; ++d)
            place[d] = (corner >> d & 1U) != 0 ? domain.axes[d].hi() : domain.axes[d].lo();
        place = domain.place.to_world(place);
        for (std::size_t d = 0; d < 3; ++d) {
            lo[d] = corner == 0 ? place[d] : std::min(lo[d], place[d]);
            hi[d] = corner == 0 ? place[d] : std::max(hi[d], place[d]);
        }
    }
    auto const axis = [&](std::size_t d) {
        return flow_axis(lo[d] < hi[d] ? std::vector<double>{lo[d], hi[d]} : std::vector<double>{lo[d]});
    };
    return {{axis(0), axis(1), axis(2)}, domain.times};
}

} // namespace weft
