#include <labelling/tracks.hpp>

#include "volume_rig.hpp"

#include <weft/protocol/collectives.hpp>

#include <map>
#include <set>

using weft_test::volume;

namespace {

struct serial_object {
    std::int64_t frame = 0;
    std::int64_t component = 0;
    std::int64_t size = 0;
    std::int64_t sum_x = 0;
    std::int64_t sum_y = 0;
    std::set<std::int64_t> previous;
    std::set<std::int64_t> next;
};

std::map<std::int64_t, serial_object> serial_tracks(volume const& of, bool corners) {
    auto const components = flooded(of, {corners, true});
    auto const objects = flooded(of, {corners, false});
    std::map<std::int64_t, serial_object> found;
    for (std::int64_t z = 0; z < of.points[2]; ++z)
        for (std::int64_t y = 0; y < of.points[1]; ++y)
            for (std::int64_t x = 0; x < of.points[0]; ++x) {
                std::int64_t const number = objects[of.place(x, y, z)];
                if (number == 0) continue;
                serial_object& here = found[number];
                here.frame = z;
                here.component = components[of.place(x, y, z)];
                ++here.size;
                here.sum_x += x;
                here.sum_y += y;
                std::int64_t const before = z > 0 ? objects[of.place(x, y, z - 1)] : 0;
                if (before == 0) continue;
                here.previous.insert(before);
                found[before].next.insert(number);
            }
    return found;
}

std::vector<std::int64_t> as_vector(std::span<std::int64_t const> numbers) {
    return {numbers.begin(), numbers.end()};
}
std::vector<std::int64_t> as_vector(std::set<std::int64_t> const& numbers) {
    return {numbers.begin(), numbers.end()};
}

/// Blocks along x, y and z, as far as there are voxels.
using divisions = std::array<std::int64_t, 3>;

weft::tracks tracks_of(volume const& of, divisions const& cut, bool corners) {
    weft::regular_grid<std::int64_t> const grid(of.all(),
        {std::min(cut[0], of.points[0]), std::min(cut[1], of.points[1]), std::min(cut[2], of.points[2])});
    auto blocks =
        weft_test::blocks_of(of, grid, weft::assignment::round_robin(grid.blocks(), weft_test::size()));
    weft::label_options const options{.neighbors = {corners, true}, .asynchronous = cut[0] == 1};
    (void)label_blocks(blocks, grid, options);
    return find_tracks(blocks, grid, options);
}

void expect_tracks(volume const& of, divisions const& cut, bool corners) {
    std::string const name = of.name() + ", " + std::to_string(cut[0]) + " x " + std::to_string(cut[1]) +
                             " x " + std::to_string(cut[2]) + " blocks";
    weft::tracks const found = tracks_of(of, cut, corners);
    auto const expected = serial_tracks(of, corners);
    EXPECT_EQ(found.summary.objects, static_cast<std::int64_t>(expected.size())) << name;
    EXPECT_EQ(
        sum(weft_test::world(), static_cast<std::int64_t>(found.objects.size())), found.summary.objects);

    for (std::size_t place = 0; place < found.objects.size(); ++place) {
        weft::frame_object const& object = found.objects[place];
        serial_object const& here = expected.at(object.number);
        EXPECT_EQ(object.frame, here.frame) << name;
        EXPECT_EQ(object.component, here.component) << name;
        EXPECT_EQ(object.size, here.size) << name;
        EXPECT_EQ(object.sum_x, here.sum_x) << name;
        EXPECT_EQ(object.sum_y, here.sum_y) << name;
        EXPECT_EQ(as_vector(found.previous.of(place)), as_vector(here.previous)) << name;
        EXPECT_EQ(as_vector(found.next.of(place)), as_vector(here.next)) << name;
        std::set<std::int64_t> frames;
        for (auto const& [number, each] : expected)
            if (each.component == here.component) frames.insert(each.frame);
        EXPECT_EQ(object.first_frame, *frames.begin()) << name;
        EXPECT_EQ(object.last_frame, *frames.rbegin()) << name;
    }

    weft::track_summary all;
    for (auto const& [number, each] : expected) {
        all.links += static_cast<std::int64_t>(each.next.size());
        all.splits += each.next.size() > 1 ? 1 : 0;
        all.merges += each.previous.size() > 1 ? 1 : 0;
        all.deaths += each.next.empty() && each.frame + 1 < of.points[2] ? 1 : 0;
        all.births += each.previous.empty() && each.frame > 0 ? 1 : 0;
        if (each.next.size() == 1 && expected.at(*each.next.begin()).previous.size() == 1) ++all.one_to_one;
    }
    EXPECT_EQ(found.summary.links, all.links) << name;
    EXPECT_EQ(found.summary.one_to_one, all.one_to_one) << name;
    EXPECT_EQ(found.summary.splits, all.splits) << name;
    EXPECT_EQ(found.summary.merges, all.merges) << name;
    EXPECT_EQ(found.summary.deaths, all.deaths) << name;
    EXPECT_EQ(found.summary.births, all.births) << name;
}

} // namespace

TEST(tracks, random_stacks_as_by_hand) {
    std::mt19937_64 random = weft_test::random();
    std::array<std::int64_t, 3> const shapes[] = {{12, 10, 6}, {30, 1, 5}, {8, 9, 1}};
    for (auto const& points : shapes)
        for (unsigned const percent : {0U, 15U, 40U, 60U})
            for (divisions const& cut : {divisions{1, 1, 1}, {1, 1, 6}, {3, 2, 1}, {2, 3, 4}})
                expect_tracks(
                    weft_test::random_volume(points, percent, random), cut, (cut[2] + percent) % 2 == 0);
}

TEST(tracks, the_table_says_what_happens) {
    // One object that splits into two, of which one dies; one that is born.
    volume story{{5, 1, 3}, {1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1}};
    for (divisions const& cut : {divisions{1, 1, 1}, {1, 1, 3}, {5, 1, 2}}) {
        weft::tracks const found = tracks_of(story, cut, false);
        std::vector<std::string> const lines{"1,0,2,0,1,3,1.0000,0.0000,,2 3,split\n",
            "1,0,2,1,2,1,0.0000,0.0000,1,4,\n", "1,0,2,1,3,1,2.0000,0.0000,1,,death\n",
            "1,0,2,2,4,1,0.0000,0.0000,2,,\n", "2,2,2,2,5,1,4.0000,0.0000,,,birth\n"};
        std::string expected;
        for (weft::frame_object const& each : found.objects)
            expected += lines.at(static_cast<std::size_t>(each.number - 1));
        EXPECT_EQ(table_of(found), expected);
    }
    EXPECT_EQ(weft::table_head_of_tracks(),
        "component,first_frame,last_frame,frame,object,size,x,y,previous,next,event\n");
}
