#include <meshes/mesh_formats.hpp>

#include "../io/documented_formats.hpp"

#include <harness/mpi_test.hpp>

#include <set>

using namespace weft;

namespace {

TEST(mesh_formats, have_their_endings_in_the_documentation) {
    std::set<std::string> documented;
    std::string names;
    for (auto const& row : weft_test::documented_rows("Meshes")) {
        for (std::string const& each : weft_test::endings_in(row[0])) documented.insert(each);
        names += row[0] + '\n';
    }
    std::set<std::string> known;
    for (mesh_format const& each : mesh_formats())
        if (each.with_solution)
            EXPECT_NE(names.find(each.name), std::string::npos);
        else
            known.insert(each.endings.begin(), each.endings.end());
    EXPECT_EQ(known, documented);
}

TEST(mesh_formats, begin_with_words_that_lead_back_to_them) {
    for (mesh_format const& each : mesh_formats()) {
        for (std::string_view const start : each.starts) EXPECT_EQ(ending_of_mesh(start), each.endings[0]);
        for (std::string_view const word : each.words)
            EXPECT_EQ(ending_of_mesh("<?xml?>" + std::string(word)), each.endings[0]);
    }
    EXPECT_EQ(ending_of_mesh("# vtk DataFile"), "");
}

TEST(mesh_formats, are_told_by_the_ending_in_any_case) {
    EXPECT_EQ(mesh_format_of("A.PVTU")->name, "VTK XML");
    EXPECT_EQ(mesh_format_of("none.vtk"), nullptr); // which may be a volume
    EXPECT_EQ(mesh_format_of("a.nrrd"), nullptr);
}

} // namespace
