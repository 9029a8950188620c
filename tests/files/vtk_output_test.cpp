#include <files/placed_writer.hpp>
#include <files/vtk_output.hpp>

#include <io/shared_folder.hpp>

#include <cstring>

using namespace weft_test;

namespace {

class vtk_of_all : public with_folder {};

template <class T>
std::vector<T> array_at(std::string const& file, std::string const& name) {
    std::size_t const offset = file.find("offset=\"", file.find("Name=\"" + name + "\"")) + 8;
    char const* const at = file.data() + file.find("\n   _") + 5 + std::stoull(file.substr(offset));
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    std::vector<T> values(bytes / sizeof(T));
    std::memcpy(values.data(), at + sizeof bytes, bytes);
    return values;
}

TEST_F(vtk_of_all, arrays_are_whole_whether_they_are_held_or_made) {
    std::vector<std::array<double, 3>> const places(2, {1.0 * rank(), 2, 3});
    std::vector<std::int64_t> const ids{rank(), -rank()};
    std::int64_t const all = 2 * size();
    weft::vtk_output made = weft::vtk_output::polydata({.points = all, .verts = all});
    made.section("PointData", " Scalars=\"id\"");
    made.array<std::int64_t>("a < \"b\" & c", 1, all, ids);
    made.array<float>("id", 1, all, 2,
        weft::for_each_of(ids, [](std::int64_t each) { return 0.5F * static_cast<float>(each); }));
    made.section("Points");
    made.array<double>("Points", 3, all, places);
    weft::gate call(world(), "test");
    made.segments().write(call, path("all.vtp"));
    std::string const file = content_of(path("all.vtp"));
    std::string const count = std::to_string(all);
    EXPECT_NE(file.find("  <PolyData>\n    <Piece NumberOfPoints=\"" + count + "\" NumberOfVerts=\"" + count +
                        "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n      <PointData "
                        "Scalars=\"id\">\n"),
        std::string::npos);
    EXPECT_TRUE(file.ends_with("\n  </AppendedData>\n</VTKFile>\n"));
    auto const found = array_at<std::int64_t>(file, "a &lt; &quot;b&quot; &amp; c");
    auto const halves = array_at<float>(file, "id");
    auto const points = array_at<double>(file, "Points");
    ASSERT_EQ(points.size(), 6U * static_cast<std::size_t>(size()));
    ASSERT_EQ(found.size(), halves.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i], (i % 2 == 0 ? 1 : -1) * static_cast<std::int64_t>(i / 2));
        EXPECT_EQ(halves[i], 0.5F * static_cast<float>(found[i]));
        EXPECT_EQ(points[3 * i], static_cast<double>(i / 2));
    }
}

TEST(vtk_output, grids_have_an_extent) {
    std::array<std::int64_t, 3> const points{4, 1, 3};
    std::string const file =
        weft::vtk_output::grid("ImageData", points, " Spacing=\"1 1 1\"").segments().joined();
    EXPECT_NE(
        file.find(
            "<ImageData WholeExtent=\"0 3 0 0 0 2\" Spacing=\"1 1 1\">\n    <Piece Extent=\"0 3 0 0 0 2\">"),
        std::string::npos)
        << file;
}

TEST(vtk_output, an_index_names_arrays_of_points_and_cells_and_the_pieces) {
    weft::vtk_output made = weft::vtk_output::unstructured_grid(0, 0);
    std::vector<double> const nothing;
    made.section("PointData");
    made.array<double>("a&b", 3, 0, nothing);
    made.section("Cells");
    made.array<std::uint8_t>("types", 1, 0, std::vector<std::uint8_t>());
    std::string const text = made.index_of({"one.vtu", "t&wo.vtu"});
    EXPECT_NE(
        text.find(
            "<PUnstructuredGrid GhostLevel=\"0\">\n    <PPointData>\n      <PDataArray type=\"Float64\" "
            "Name=\"a&amp;b\" NumberOfComponents=\"3\"/>\n    </PPointData>\n    <Piece "
            "Source=\"one.vtu\"/>\n"
            "    <Piece Source=\"t&amp;wo.vtu\"/>\n"),
        std::string::npos)
        << text;
    EXPECT_EQ(text.find("types"), std::string::npos);
}

} // namespace
