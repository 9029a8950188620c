#include "../io/documented_formats.hpp"
#include "grid_files.hpp"

#include <grids/grid_content.hpp>
#include <grids/grid_formats.hpp>

#include <harness/mpi_test.hpp>

using namespace weft;

namespace {

/// The options of the command that a format heeds, as the documentation has them.
std::string documented(heeded_options const& heeds) {
    std::string text;
    auto const add = [&](bool heeded, char const* option) {
        if (heeded) text.append(text.empty() ? "" : " ") += std::string("`") + option + '`';
    };
    for (char const* const raw : {"--dims", "--type", "--byte-order", "--header-bytes"}) add(heeds.raw, raw);
    add(heeds.variable, "--variable");
    add(heeds.step, "--step");
    add(heeds.channel, "--channel");
    return text;
}

TEST(grid_formats, have_a_row_each_in_the_documentation) {
    auto const rows = weft_test::documented_rows("Volumes");
    ASSERT_EQ(rows.size(), grid_formats().size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        grid_format const& format = grid_formats()[i];
        std::vector<std::string> const endings(format.endings.begin(), format.endings.end());
        EXPECT_EQ(weft_test::endings_in(rows[i].front()), endings) << format.name;
        EXPECT_EQ(rows[i].back(), documented(format.heeds)) << format.name;
    }
}

TEST(grid_formats, are_told_by_the_ending_in_any_case) {
    for (grid_format const& format : grid_formats())
        for (std::string_view const ending : format.endings)
            EXPECT_EQ(grid_format_of("A" + std::string(ending)), &format) << ending;
    EXPECT_EQ(grid_format_of("BRAIN.NII.GZ")->name, "NIfTI");
    EXPECT_EQ(grid_format_of("a.h5:/b.nc")->name, "HDF5");
    EXPECT_EQ(grid_format_of("a.gz"), nullptr);
    EXPECT_EQ(grid_format_of(".nc"), nullptr);
}

TEST(grid_formats, refuse_each_option_that_they_do_not_heed) {
    for (grid_format const& format : grid_formats()) {
        if (!format.open) continue;
        std::string const file = "none" + std::string(format.endings[0]);
        auto const refuses = [&](std::string const& field, grid_file_options const& given) {
            return weft_test::complaint(file, given).find('`' + field + "` is for ") != std::string::npos;
        };
        EXPECT_EQ(refuses("dims", {.dims = {2, 2, 2}}), !format.heeds.raw) << file;
        EXPECT_EQ(refuses("type", {.type = value_type::uint8}), !format.heeds.raw) << file;
        EXPECT_EQ(refuses("header_bytes", {.header_bytes = 1}), !format.heeds.raw) << file;
        EXPECT_EQ(refuses("variable", {.variable = "a"}), !format.heeds.variable) << file;
        EXPECT_EQ(refuses("step", {.step = 1}), !format.heeds.step) << file;
        EXPECT_EQ(refuses("channel", {.channel = "red"}), !format.heeds.channel) << file;
    }
}

TEST(grid_formats, are_all_named_where_an_ending_is_unknown) {
    std::string const said = weft_test::complaint("none.xyz");
    for (grid_format const& format : grid_formats())
        for (std::string_view const ending : format.endings)
            EXPECT_NE(said.find(std::string(ending) + ','), std::string::npos) << said;
}

TEST(grid_formats, say_by_which_switch_they_are_left_out) {
    for (grid_format const& format : grid_formats()) {
        if (format.open) continue;
        std::string const said = weft_test::complaint("none" + std::string(format.endings[0]));
        EXPECT_NE(said.find("built without " + std::string(format.name)), std::string::npos) << said;
        EXPECT_NE(said.find("-D" + std::string(format.left_out_by) + "=ON"), std::string::npos) << said;
        EXPECT_EQ(list_of_grid_formats().find(std::string(format.name) + " ("), std::string::npos);
    }
}

TEST(grid_formats, begin_with_bytes_that_lead_back_to_them) {
    for (grid_format const& format : grid_formats())
        for (known_start const& each : format.starts) {
            std::string const ending =
                ending_of_grid(std::string(each.offset, ' ').append(each.bytes) + std::string(600, ' '));
            EXPECT_EQ(ending, each.ending) << format.name;
            EXPECT_EQ(grid_format_of("a" + ending), &format);
        }
}

} // namespace
