/// Images as PNG files.
#include <grids/write_png.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

TEST(write_png, writes_what_begins_as_a_png_of_its_size) {
    std::string const name = "write_png_test." + std::to_string(weft_test::size()) + "." +
                             std::to_string(weft_test::rank()) + ".png";
    std::vector<std::byte> const rgb(3 * 300 * 2, std::byte{7});
    weft::write_png(name, 300, 2, rgb);
    std::ifstream in(name, std::ios::binary);
    std::string const file{std::istreambuf_iterator<char>(in), {}};
    ASSERT_GT(file.size(), 24U);
    EXPECT_EQ(file.substr(1, 3), "PNG");
    EXPECT_EQ(file.substr(16, 8), std::string("\0\0\1\x2c\0\0\0\2", 8));
    EXPECT_TRUE(std::filesystem::remove(name));
    EXPECT_FALSE(std::filesystem::exists(name + ".part"));
}

TEST(write_png, says_where_it_cannot_write) {
    std::vector<std::byte> const rgb(3);
    try {
        weft::write_png("no/such/folder/image.png", 1, 1, rgb);
        ADD_FAILURE() << "wrote into a folder that does not exist";
    } catch (weft::io_error const& caught) {
        EXPECT_NE(std::string(caught.what()).find("no/such/folder/image.png"), std::string::npos);
    }
}
