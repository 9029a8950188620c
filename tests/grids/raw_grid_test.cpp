#include <grids/formats/raw_grid.hpp>
#include <grids/grid_files.hpp>

#include <weft/core/error.hpp>

using namespace weft;
using namespace weft_test;

namespace {

class raw_file : public with_folder {
protected:
    std::filesystem::path values(std::string const& name, int components = 1) {
        return file(name, bytes_of_values(values_in<float>({3, {}, {4, 3, 2}}, components)));
    }
};

TEST_F(raw_file, each_box_has_its_values) {
    auto const source = open_grid(values("a.raw"), {.dims = {4, 3, 2}, .type = value_type::float32});
    expect_test_grid<float>(*source);
    EXPECT_EQ(source->shape().axes[1], (std::vector<double>{0, 1, 2}));
}

TEST_F(raw_file, of_other_types_and_vectors) {
    auto const bytes = file("b.bin", bytes_of_values(values_in<std::uint16_t>({3, {}, {5, 2, 3}}, 3)));
    grid_file_options const options{.dims = {5, 2, 3}, .type = value_type::uint16, .components = 3};
    expect_test_grid<std::uint16_t>(*open_grid(bytes, options), 3);
}

TEST_F(raw_file, in_the_other_byte_order_behind_a_header) {
    auto const big = file("a.raw", std::string("head\0\1\1\0", 8));
    grid_file_options options{.dims = {2, 1, 1}, .type = value_type::uint16};
    EXPECT_NE(complaint(big, options).find("has 8 bytes"), std::string::npos);
    options.byte_order = std::endian::big;
    options.header_bytes = 4;
    EXPECT_EQ(read_box<std::uint16_t>(*open_grid(big, options), {3, {}, {2, 1, 1}}),
        (std::vector<std::uint16_t>{1, 256}));
    options.byte_order = std::endian::little;
    EXPECT_EQ(read_box<std::uint16_t>(*open_grid(big, options), {3, {}, {2, 1, 1}}),
        (std::vector<std::uint16_t>{256, 1}));
    for (std::int64_t const wrong : {-4, 3, 5, 1000}) {
        options.header_bytes = wrong;
        EXPECT_NE(complaint(big, options).find("are skipped"), std::string::npos) << wrong;
    }
    auto const described = file("a.json",
        R"({"dims_xyz": [2, 1, 1], "components": 1, "type": "uint16", "layout": "BE", "header_bytes": 4, "file": "a.raw"})");
    EXPECT_EQ(read_box<std::uint16_t>(*open_grid(described, {}), {3, {}, {2, 1, 1}}),
        (std::vector<std::uint16_t>{1, 256}));
}

TEST_F(raw_file, of_64_bits) {
    auto const wide = file("w.raw", bytes_of_values(values_in<std::int64_t>({3, {}, {4, 3, 2}})));
    expect_test_grid<std::int64_t>(*open_grid(wide, {.dims = {4, 3, 2}, .type = value_type_named("int64")}));
}

TEST_F(raw_file, options_that_a_format_does_not_heed_are_refused) {
    EXPECT_NE(
        complaint("a.nrrd", {.dims = {1, 1, 1}}).find("a.nrrd: `dims` is for raw files"), std::string::npos);
    EXPECT_NE(complaint("a.vtk", {.type = value_type::int8}).find("`type`"), std::string::npos);
    EXPECT_NE(complaint("a.nc", {.header_bytes = 1}).find("`header_bytes`"), std::string::npos);
    EXPECT_NE(complaint("a.nii", {.byte_order = std::endian::big}).find("`byte_order`"), std::string::npos);
    EXPECT_NE(complaint("a.raw", {.variable = "u"}).find("`variable`"), std::string::npos);
    EXPECT_NE(complaint("a.json", {.step = 0}).find("`step` is for"), std::string::npos);
    EXPECT_NE(complaint("a.nc", {.channel = "red"}).find("`channel`"), std::string::npos);
    EXPECT_NE(complaint("a.png", {.variable = "u"}).find("`variable`"), std::string::npos);
}

TEST_F(raw_file, must_be_told_what_it_holds) {
    auto const raw = values("c.raw");
    EXPECT_NE(complaint(raw, {.type = value_type::float32}).find("`dims`"), std::string::npos);
    EXPECT_NE(complaint(raw, {.dims = {4, 3, 2}}).find("`type`"), std::string::npos);
    std::string const wrong = complaint(raw, {.dims = {4, 3, 3}, .type = value_type::float32});
    EXPECT_NE(wrong.find("has 96 bytes"), std::string::npos) << wrong;
    EXPECT_NE(wrong.find("take 144"), std::string::npos) << wrong;
    std::string const missing = complaint("/no/such.raw", {.dims = {1, 1, 1}, .type = value_type::int8});
    EXPECT_NE(missing.find("No such file"), std::string::npos) << missing;
}

TEST_F(raw_file, json_beside_it_describes_it) {
    values("field.vec.raw", 3);
    auto const description =
        file("field.json", R"({"dims_xyz": [4, 3, 2], "y": [0.5, 1, 4], "note": "mine"})");
    auto const source = open_grid(description, {});
    expect_test_grid<float>(*source, 3);
    EXPECT_EQ(source->shape().axes[0], (std::vector<double>{0, 1, 2, 3}));
    EXPECT_EQ(source->shape().axes[1], (std::vector<double>{0.5, 1, 4}));
}

TEST_F(raw_file, json_can_name_the_file_and_the_type) {
    file("elsewhere.dat", bytes_of_values(values_in<double>({3, {}, {2, 2, 1}})));
    auto const description = file("named.json",
        R"({"dims_xyz": [2, 2, 1], "components": 1, "type": "float64", "file": "elsewhere.dat"})");
    expect_test_grid<double>(*open_grid(description, {}));
}

TEST_F(raw_file, json_that_does_not_fit_is_an_error) {
    EXPECT_NE(complaint(file("1.json", "{")).find("does not describe a grid"), std::string::npos);
    EXPECT_NE(complaint(file("2.json", "{}")).find("dims_xyz"), std::string::npos);
    EXPECT_NE(
        complaint(file("7.json", R"({"dims_xyz": [2, 1, 1], "endian": "big"})")).find("the key \"endian\""),
        std::string::npos);
    EXPECT_NE(
        complaint(file("3.json", R"({"dims_xyz": [2, 1, 1], "x": [1]})")).find("1 coordinates for 2 points"),
        std::string::npos);
    EXPECT_NE(complaint(file("4.json", R"({"dims_xyz": [2, 1, 1], "type": "float"})")).find("float32"),
        std::string::npos);
    EXPECT_NE(complaint(file("5.json", R"({"dims_xyz": [2, 1, 1]})")).find("there is no 5.raw beside it"),
        std::string::npos);
    values("6.a.raw");
    values("6.b.raw");
    EXPECT_NE(complaint(file("6.json", R"({"dims_xyz": [2, 1, 1]})")).find("could be its values"),
        std::string::npos);
    EXPECT_NE(complaint("/no/such.json").find("No such file"), std::string::npos);
}

TEST_F(raw_file, json_says_the_byte_order_in_its_layout) {
    std::string const values("\0\1\0\2", 4);
    (void)file("big.raw", values);
    auto const described = [&](std::string const& layout) {
        return file("big.json", R"({"dims_xyz": [2, 1, 1], "components": 1, "type": "int16", "layout": ")" +
                                    layout + R"(", "file": "big.raw"})");
    };
    EXPECT_EQ(
        read_box<std::int16_t>(*open_grid(described("int16 BE, x fastest, then y"), {}), {3, {}, {2, 1, 1}}),
        (std::vector<std::int16_t>{1, 2}));
    EXPECT_EQ(read_box<std::int16_t>(*open_grid(described("int16 LE"), {}), {3, {}, {2, 1, 1}}),
        (std::vector<std::int16_t>{256, 512}));
    EXPECT_NE(complaint(described("nonsense")).find("its layout has 'nonsense'"), std::string::npos);
    EXPECT_NE(complaint(described("z fastest")).find("its layout has z fastest"), std::string::npos);
}

} // namespace
