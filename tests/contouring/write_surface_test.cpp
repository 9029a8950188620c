#include <weft/contouring/write_surface.hpp>

#include "balls.hpp"

#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using weft_test::world;

template <class T>
T value_at(std::string const& bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

class write_surface_test : public weft_test::with_folder {
protected:
    std::filesystem::path file(std::string const& name) const { return path(name); }
    weft::contour_result two = weft_test::contour_of(weft_test::noise_of({6, 5, 7}), {.values = {0.4, 0.6}});
    weft_test::whole_surface whole = weft_test::gathered(two.made);
    std::vector<double> wanted{0.4, 0.6};
};

TEST_F(write_surface_test, vtp_has_its_arrays_where_its_head_says) {
    write_surface(world(), two.made, wanted, file("two.vtp"));
    std::string const bytes = content_of(file("two.vtp"));
    std::size_t const start = bytes.find("   _") + 4;
    std::size_t const points = whole.places.size();
    std::size_t const triangles = whole.corners.size();
    EXPECT_NE(bytes.find("NumberOfPoints=\"" + std::to_string(points) + '"'), std::string::npos);
    EXPECT_NE(bytes.find("NumberOfPolys=\"" + std::to_string(triangles) + '"'), std::string::npos);
    std::size_t const lengths[] = {24 * points, 12 * points, 8 * points, 24 * triangles, 8 * triangles};
    char const* const names[] = {"Points", "Normals", "value", "connectivity", "offsets"};
    std::size_t at = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        std::size_t const tag = bytes.find(std::string("Name=\"") + names[i] + '"');
        EXPECT_EQ(bytes.find("offset=\"" + std::to_string(at) + '"', tag) < bytes.find("/>", tag), true)
            << names[i];
        EXPECT_EQ(value_at<std::uint64_t>(bytes, start + at), lengths[i]) << names[i];
        at += 8 + lengths[i];
    }
    EXPECT_EQ(bytes.substr(start + at), "\n  </AppendedData>\n</VTKFile>\n");
    EXPECT_EQ(std::memcmp(bytes.data() + start + 8, whole.places.data(), lengths[0]), 0);
    std::size_t const value = start + 3 * 8 + 36 * points;
    EXPECT_EQ(value_at<double>(bytes, value), whole.values[0] == 0 ? 0.4 : 0.6);
    EXPECT_EQ(value_at<std::int64_t>(bytes, start + at - 8), static_cast<std::int64_t>(3 * triangles));
}

TEST_F(write_surface_test, stl_and_ply_have_all_triangles) {
    write_surface(world(), two.made, wanted, file("two.stl"));
    write_surface(world(), two.made, wanted, file("two.PLY"));
    std::string const stl = content_of(file("two.stl"));
    ASSERT_EQ(stl.size(), 84 + 50 * whole.corners.size());
    EXPECT_EQ(value_at<std::uint32_t>(stl, 80), whole.corners.size());
    std::size_t const last = whole.corners.size() - 1;
    for (std::size_t d = 0; d < 3; ++d)
        EXPECT_EQ(value_at<float>(stl, 84 + 50 * last + 12 + 24 + 4 * d),
            static_cast<float>(whole.places[static_cast<std::size_t>(whole.corners[last][2])][d]));
    std::string const ply = content_of(file("two.PLY"));
    std::size_t const head = ply.find("end_header\n") + 11;
    EXPECT_EQ(ply.size(), head + (24 + 12 + 8) * whole.places.size() + 13 * whole.corners.size());
    EXPECT_EQ(value_at<std::int32_t>(ply, ply.size() - 4), whole.corners[last][2]);
}

TEST_F(write_surface_test, pieces_have_all_triangles_together) {
    write_surface(world(), two.made, wanted, file("two.pvtp"));
    std::string const index = content_of(file("two.pvtp"));
    std::int64_t triangles = 0;
    for (int rank = 0; rank < world().size(); ++rank) {
        std::string const name = "two/two_" + std::to_string(rank) + ".vtp";
        EXPECT_NE(index.find('"' + name + '"'), std::string::npos);
        std::string const piece = content_of(file(name));
        std::string const mark = "NumberOfPolys=\"";
        triangles += std::stoll(piece.substr(piece.find(mark) + mark.size()));
        EXPECT_TRUE(piece.ends_with("</VTKFile>\n"));
    }
    EXPECT_EQ(triangles, two.made.triangles.total());
}

TEST_F(write_surface_test, an_empty_surface_is_a_file) {
    auto const none = weft_test::contour_of(weft_test::noise_of({4, 4, 4}), {.values = {2}});
    for (char const* const name : {"none.vtp", "none.pvtp", "none.stl", "none.ply"})
        write_surface(world(), none.made, std::vector<double>{2}, file(name));
    EXPECT_NE(content_of(file("none.vtp")).find("NumberOfPolys=\"0\""), std::string::npos);
    EXPECT_EQ(content_of(file("none.stl")).size(), 84U);
}

TEST_F(write_surface_test, a_folder_that_is_not_there_is_said) {
    EXPECT_THROW(write_surface(world(), two.made, wanted, file("nowhere") / "two.vtp"), weft::io_error);
}

TEST_F(write_surface_test, what_one_rank_cannot_write_is_an_error_on_all) {
    bool const here = world().rank() == world().size() - 1;
    auto const refused = [&](weft::surface const& what, std::vector<double> const& values, char const* name) {
        EXPECT_THROW(write_surface(world(), what, values, file(name)), weft::usage_error) << name;
        EXPECT_FALSE(std::filesystem::exists(file(name))) << name;
    };
    for (char const* const name : {"x.vtp", "x.pvtp", "x.stl", "x.ply"}) {
        refused(two.made, {0.4}, name); // fewer than were contoured
        refused(two.made, {}, name);
        auto const spoilt = [&](auto&& spoil) {
            weft::surface made = two.made;
            if (here) spoil(made);
            refused(made, wanted, name);
        };
        spoilt([](weft::surface& made) { made.normals.resize(made.normals.size() + 1); });
        spoilt([](weft::surface& made) { made.places.resize(made.places.size() + 1); });
        spoilt([](weft::surface& made) { made.values.push_back(0); });
        spoilt([](weft::surface& made) { made.corners.push_back({0, 1, 2}); });
        spoilt([](weft::surface& made) { made.of_points.push_back({"more", 1, {}}); });
        for (std::int32_t const value : {-1, 2, 70000}) {
            weft::surface made = two.made;
            if (!made.values.empty()) made.values.back() = value;
            refused(made, wanted, name);
        }
        for (weft::global_id const corner : {weft::global_id{-1}, two.made.points.end()}) {
            weft::surface made = two.made;
            if (!made.corners.empty()) made.corners.back()[1] = corner;
            refused(made, wanted, name);
        }
        if (world().size() > 1) refused(two.made, here ? std::vector{0.4, 0.7} : wanted, name);
    }
    write_surface(world(), two.made, wanted, file("x.vtp"));
}

} // namespace
