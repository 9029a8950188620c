#include <weft/contouring/write_mesh.hpp>

#include "cubes.hpp"

#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <cstring>
#include <filesystem>

namespace {

using weft_test::world;

using write_mesh_test = weft_test::with_folder;

TEST_F(write_mesh_test, a_vtu_has_all_cells_and_fields) {
    auto cubes = weft_test::mesh_of(weft_test::noise_of({2, 2, 3}), {weft::cell_kind::prism});
    cubes.mesh.of_points.push_back({"a < b & \"c\"", 1, cubes.values});
    write_mesh(world(), cubes.mesh, path("two.vtu"));
    std::string const bytes = content_of(path("two.vtu"));
    EXPECT_NE(bytes.find("NumberOfPoints=\"12\" NumberOfCells=\"4\""), std::string::npos);
    EXPECT_NE(bytes.find("Name=\"a &lt; b &amp; &quot;c&quot;\""), std::string::npos);
    std::size_t at = bytes.find("   _") + 4;
    for (std::size_t const length : {96, 288, 192, 32, 4}) {
        std::uint64_t found = 0;
        std::memcpy(&found, bytes.data() + at, 8);
        EXPECT_EQ(found, length);
        at += 8 + length;
    }
    EXPECT_EQ(bytes.substr(at - 4, 4), std::string(4, '\r')); // wedges are VTK's type 13
    EXPECT_EQ(bytes.substr(at), "\n  </AppendedData>\n</VTKFile>\n");
}

TEST_F(write_mesh_test, a_mesh_that_is_none_is_an_error_on_all_ranks) {
    bool const here = world().rank() == world().size() - 1;
    auto cubes = weft_test::mesh_of(weft_test::noise_of({3, 3, 3}), {weft::cell_kind::hexahedron});
    auto const refused = [&](auto&& spoil) {
        weft::mesh made = cubes.mesh;
        if (here) spoil(made);
        EXPECT_THROW(write_mesh(world(), made, path("no.vtu")), weft::usage_error);
        EXPECT_FALSE(std::filesystem::exists(path("no.vtu")));
    };
    refused([](weft::mesh& made) { made.corners.push_back(0); });
    refused([](weft::mesh& made) { made.places.push_back({}); });
    refused([](weft::mesh& made) { made.of_points.push_back({"short", 1, {}}), made.places.push_back({}); });
    refused([](weft::mesh& made) {
        if (made.corners.empty())
            made.corners.push_back(0);
        else
            made.corners.back() = made.points.end();
    });
    if (world().size() > 1)
        refused([](weft::mesh& made) {
            made.of_points.push_back({"mine", 1, std::vector<double>(made.places.size())});
        });
}

} // namespace
