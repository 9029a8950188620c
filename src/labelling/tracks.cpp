#include <labelling/tracks.hpp>

#include <exchange/gated_exchange.hpp>
#include <labelling/face_runs.hpp>

#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <iterator>
#include <new>

namespace weft {

namespace {

/// Two linked objects, the earlier one first.
struct object_link {
    std::int64_t from = 0;
    std::int64_t to = 0;

    friend auto operator<=>(object_link const&, object_link const&) = default;
};

/// A link, and the number of links to its later end.
struct counted_link {
    object_link link;
    std::int64_t into = 0;
};

void keep_distinct(std::vector<object_link>& links) {
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end());
}

/// Appends the parts of objects in a block.
void append_parts(labelled_block const& block, std::vector<frame_object>& parts) {
    row_runs const& rows = block.rows;
    std::size_t const first = parts.size();
    parts.resize(first + block.plane.facts.size());
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run) {
            frame_object& object = parts[first + block.plane.within.of_run[run]];
            component_facts const& component = block.whole.facts[block.whole.within.of_run[run]];
            object.number = block.plane.number_of(run);
            object.frame = rows.z_of(row);
            object.component = component.number;
            object.first_frame = component.first_plane;
            object.last_frame = component.last_plane;
            std::int64_t const begin = rows.bounds.lo[0] + rows.runs[run].begin;
            std::int64_t const end = rows.bounds.lo[0] + rows.runs[run].end;
            object.size += end - begin;
            object.sum_x += (begin + end - 1) * (end - begin) / 2;
            object.sum_y += rows.y_of(row) * (end - begin);
        }
}

/// Appends the links between planes of a block.
void append_links(labelled_block const& block, std::vector<object_link>& links) {
    row_runs const& rows = block.rows;
    auto const height = static_cast<std::size_t>(rows.height());
    for (std::size_t row = height; row < rows.rows(); ++row) {
        std::size_t a = rows.first[row - height];
        std::size_t b = rows.first[row];
        while (a < rows.first[row - height + 1] && b < rows.first[row + 1]) {
            row_runs::run const& before = rows.runs[a];
            row_runs::run const& now = rows.runs[b];
            if (before.begin < now.end && now.begin < before.end)
                links.push_back({block.plane.number_of(a), block.plane.number_of(b)});
            if (before.end < now.end)
                ++a;
            else
                ++b;
        }
    }
}

/// Appends the links from the last plane of each block to the first plane of the next block.
void append_links_between(block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid,
    std::vector<object_link>& links) {
    blocks.exchange<face_run>([&](labelled_block& block, block_port<face_run>& port) {
        for (grid_neighbor const& neighbor : grid.neighbors(port.id()))
            if (neighbor.direction == std::array<std::int8_t, max_dimensions>{0, 0, 1})
                port.give(neighbor.block, runs_at_face(block.rows, neighbor.direction,
                                              [&](std::size_t run) { return block.plane.number_of(run); }));
    });
    blocks.for_each_port<face_run>([&](labelled_block& block, block_port<face_run>& port) {
        for (face_run const& before : port.received())
            for_runs_meeting(
                block.rows, before.y, before.z + 1, before.begin, before.end, 0, [&](std::size_t run) {
                    links.push_back({before.name, block.plane.number_of(run)});
                });
    });
}

/// Sends parts of objects to the owners of the objects. Returns the objects owned here, ascending and merged.
std::vector<frame_object> gather_objects(
    gate& call, uniform_distribution const& owners, std::vector<frame_object> const& parts) {
    communicator const& comm = call.comm();
    outbox<frame_object> out(comm);
    std::vector<frame_object> objects;
    call.guard([&] {
        for (frame_object const& part : parts) out[owners.owner(part.number - 1)].push_back(part);
        objects.resize(static_cast<std::size_t>(owners.size(comm.rank())));
    });
    for (frame_object const& part : exchanged_items(call, std::move(out))) {
        frame_object& object = objects[static_cast<std::size_t>(part.number - 1 - owners.begin(comm.rank()))];
        frame_object whole = part;
        whole.size += object.size;
        whole.sum_x += object.sum_x;
        whole.sum_y += object.sum_y;
        object = whole;
    }
    return objects;
}

/// Adds a link of the object at a place. Places must ascend from call to call.
void add_link(object_links& links, std::size_t place, std::int64_t other) {
    while (links.first.size() <= place) links.first.push_back(links.numbers.size());
    links.numbers.push_back(other);
}

void close_links(object_links& links, std::size_t objects) {
    while (links.first.size() <= objects) links.first.push_back(links.numbers.size());
}

/// Sends links to the owners of their later ends, which remove copies and count them, and then to the owners
/// of their earlier ends.
void deal_links(
    gate& call, uniform_distribution const& owners, std::vector<object_link> const& mine, tracks& found) {
    communicator const& comm = call.comm();
    auto const place_of = [first = owners.begin(comm.rank())](
                              std::int64_t number) { return static_cast<std::size_t>(number - 1 - first); };
    outbox<object_link> out(comm);
    call.guard([&] {
        for (object_link const& each : mine) out[owners.owner(each.to - 1)].push_back({each.to, each.from});
    });
    std::vector<object_link> backward = exchanged_items(call, std::move(out));
    outbox<counted_link> forward(comm);
    call.guard([&] {
        keep_distinct(backward);
        for (object_link const& each : backward) add_link(found.previous, place_of(each.from), each.to);
        close_links(found.previous, found.objects.size());
        for (object_link const& each : backward)
            forward[owners.owner(each.to - 1)].push_back({{each.to, each.from},
                static_cast<std::int64_t>(found.previous.of(place_of(each.from)).size())});
    });
    std::vector<counted_link> links = exchanged_items(call, std::move(forward));
    call.guard([&] {
        std::ranges::sort(links, {}, &counted_link::link);
        for (counted_link const& each : links) add_link(found.next, place_of(each.link.from), each.link.to);
        close_links(found.next, found.objects.size());
        for (counted_link const& each : links)
            found.summary.one_to_one +=
                each.into == 1 && found.next.of(place_of(each.link.from)).size() == 1 ? 1 : 0;
    });
}

/// Throws: the error that `call` has kept, agreed.
void count(gate& call, tracks& found) {
    communicator const& comm = call.comm();
    census_value all = census_value::identity();
    call.guard([&] {
        for (std::size_t place = 0; place < found.objects.size(); ++place) {
            all.sum[0] += found.is_split(place) ? 1 : 0;
            all.sum[1] += found.is_merge(place) ? 1 : 0;
            all.sum[2] += found.is_death(place) ? 1 : 0;
            all.sum[3] += found.is_birth(place) ? 1 : 0;
        }
    });
    all = call.agree(all);
    found.summary.splits = all.sum[0];
    found.summary.merges = all.sum[1];
    found.summary.deaths = all.sum[2];
    found.summary.births = all.sum[3];
    found.summary.links = sum(comm, static_cast<std::int64_t>(found.next.numbers.size()));
    found.summary.one_to_one = sum(comm, found.summary.one_to_one);
}

} // namespace

tracks find_tracks(block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid,
    label_options const& options) try {
    label_options in_planes = options;
    in_planes.neighbors.across_planes = false;
    tracks found;
    found.frames = grid.domain().hi[2];
    found.summary.objects = label_blocks(blocks, grid, in_planes).components;

    std::vector<frame_object> parts;
    std::vector<object_link> links;
    blocks.for_each([&](labelled_block& block, block_id) {
        append_parts(block, parts);
        append_links(block, links);
    });
    if (grid.blocks() > 1) append_links_between(blocks, grid, links);
    keep_distinct(links);

    gate call(blocks.comm(), "tracks");
    uniform_distribution const owners(found.summary.objects, blocks.comm().size());
    found.objects = gather_objects(call, owners, parts);
    deal_links(call, owners, links, found);
    count(call, found);
    return found;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("find_tracks");
    throw;
}

} // namespace weft
