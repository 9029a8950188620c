#include <weft/contouring/write_mesh.hpp>

#include "cubes.hpp"

#include <io/shared_folder.hpp>

#include <cstring>

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

} // namespace
