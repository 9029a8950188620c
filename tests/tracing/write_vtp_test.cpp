/// Lines as a file of VTK.
#include <tracing/write_vtp.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>

#include <harness/mpi_test.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

/// Line i of 2 + i % 3 points; each rank has some.
weft::line_set lines_of_this_rank() {
    weft::line_set mine;
    int const all = 9;
    for (int i = all * weft_test::rank() / weft_test::size();
         i < all * (weft_test::rank() + 1) / weft_test::size(); ++i) {
        for (int j = 0; j < 2 + i % 3; ++j)
            mine.points.push_back({{static_cast<float>(i), static_cast<float>(j), 0.5F},
                10.0F * static_cast<float>(i) + static_cast<float>(j)});
        mine.seeds.push_back(3 * i);
        mine.ends.push_back(static_cast<std::int64_t>(mine.points.size()));
    }
    return mine;
}

/// An array behind the underscore, as many bytes as it says.
template <class T>
std::vector<T> array_at(std::string const& file, std::string const& name) {
    std::size_t const element = file.find("Name=\"" + name + "\"");
    std::size_t const offset = file.find("offset=\"", element) + 8;
    std::size_t const base = file.find('_', file.find("<AppendedData")) + 1;
    char const* at = file.data() + base + std::stoull(file.substr(offset));
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    std::vector<T> values(bytes / sizeof(T));
    std::memcpy(values.data(), at + sizeof bytes, bytes);
    return values;
}

} // namespace

TEST(write_vtp, arrays_are_whole_and_in_the_order_of_ranks) {
    std::string const name = "write_vtp_test." + std::to_string(weft_test::size()) + ".vtp";
    weft::write_vtp(weft_test::world(), name, lines_of_this_rank());
    if (weft_test::rank() == 0) {
        std::ifstream in(name, std::ios::binary);
        std::string const file{std::istreambuf_iterator<char>(in), {}};
        EXPECT_NE(file.find("NumberOfPoints=\"27\""), std::string::npos);
        EXPECT_NE(file.find("NumberOfLines=\"9\""), std::string::npos);
        EXPECT_TRUE(file.ends_with("</VTKFile>\n"));
        EXPECT_EQ(array_at<std::int64_t>(file, "offsets"),
            (std::vector<std::int64_t>{2, 5, 9, 11, 14, 18, 20, 23, 27}));
        EXPECT_EQ(array_at<std::int64_t>(file, "seed"),
            (std::vector<std::int64_t>{0, 3, 6, 9, 12, 15, 18, 21, 24}));
        auto const speed = array_at<float>(file, "speed");
        auto const places = array_at<float>(file, "Points");
        auto const connectivity = array_at<std::int64_t>(file, "connectivity");
        ASSERT_EQ(speed.size(), 27U);
        ASSERT_EQ(places.size(), 81U);
        ASSERT_EQ(connectivity.size(), 27U);
        for (std::size_t i = 0; i < 27; ++i) {
            EXPECT_EQ(speed[i], 10 * places[3 * i] + places[3 * i + 1]);
            EXPECT_EQ(places[3 * i + 2], 0.5F);
            EXPECT_EQ(connectivity[i], static_cast<std::int64_t>(i));
        }
        EXPECT_EQ(speed[26], 83);
        std::filesystem::remove(name);
    }
}

TEST(write_vtp, no_lines_are_a_file_too) {
    std::string const name = "write_vtp_none." + std::to_string(weft_test::size()) + ".vtp";
    weft::write_vtp(weft_test::world(), name, {});
    if (weft_test::rank() == 0) { EXPECT_TRUE(std::filesystem::remove(name)); }
}

TEST(write_vtp, says_where_it_cannot_write) {
    EXPECT_THROW(weft::write_vtp(weft_test::world(), "no/such/folder/lines.vtp", lines_of_this_rank()),
        weft::io_error);
}
