#include <weft/contouring/surface.hpp>

#include "balls.hpp"

#include <weft/core/error.hpp>

namespace {

using weft_test::world;

TEST(surface, triangles_have_the_places_of_their_corners) {
    auto found = weft_test::contour_of(weft_test::noise_of({5, 4, 6}), {.values = {0.5}});
    weft_test::whole_surface const whole = weft_test::gathered(found.made);
    weft::triangle_corners const mine = corners_of(world(), found.made);
    ASSERT_EQ(mine.places.size(), 3 * found.made.corners.size());
    for (std::size_t i = 0; i < mine.places.size(); ++i) {
        auto const point = static_cast<std::size_t>(found.made.corners[i / 3][i % 3]);
        EXPECT_EQ(mine.places[i], whole.places[point]);
        EXPECT_EQ(mine.normals[i], whole.normals[point]);
    }
    if (world().rank() == 0) found.made.corners.push_back({0, 1, found.made.points.total()});
    EXPECT_THROW((void)corners_of(world(), found.made), weft::usage_error);
}

} // namespace
