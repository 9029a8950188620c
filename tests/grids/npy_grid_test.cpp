#include <grids/formats/npy_grid.hpp>
#include <grids/grid_files.hpp>

#include <weft/core/error.hpp>

#include <cmath>

using namespace weft;
using namespace weft_test;

namespace {

std::string npy(
    std::string const& type, std::string const& shape, std::string const& values, bool fortran = false) {
    std::string head = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
    head += std::string(64 - (10 + head.size() + 1) % 64, ' ') + '\n';
    std::string const length{static_cast<char>(head.size() % 256), static_cast<char>(head.size() / 256)};
    return "\x93NUMPY" + std::string("\1\0", 2) + length + head + values;
}

/// The values of a box as an array in Fortran's order has them, component slowest.
template <class T>
std::string in_fortran_order(std::int64_t nx, std::int64_t ny, std::int64_t nz, int components) {
    std::vector<T> all;
    for (int c = 0; c < components; ++c)
        for (std::int64_t x = 0; x < nx; ++x)
            for (std::int64_t y = 0; y < ny; ++y)
                for (std::int64_t z = 0; z < nz; ++z) all.push_back(value_at<T>(x, y, z, c));
    return bytes_of_values(all);
}

class npy_file : public with_folder {};

TEST_F(npy_file, each_box_has_its_values) {
    auto const plain =
        file("a.npy", npy("<i2", "(2, 3, 4)", bytes_of_values(values_in<std::int16_t>({3, {}, {4, 3, 2}}))));
    expect_test_grid<std::int16_t>(*open_grid(plain, {}));
    auto const plane =
        file("b.NPY", npy("<u8", "(3, 4)", bytes_of_values(values_in<std::uint64_t>({3, {}, {4, 3, 1}}))));
    EXPECT_EQ(open_grid(plane, {})->shape().points, (std::array<std::int64_t, 3>{4, 3, 1}));
    expect_test_grid<std::uint64_t>(*open_grid(plane, {}));
    auto const big = file("c.npy", npy(">i2", "(2,)", std::string("\0\1\1\0", 4)));
    EXPECT_EQ(
        read_box<std::int16_t>(*open_grid(big, {}), {3, {}, {2, 1, 1}}), (std::vector<std::int16_t>{1, 256}));
}

TEST_F(npy_file, of_real_numbers_of_16_bits) {
    // 1, -2, the largest, the least above 0, an infinity, NaN
    std::vector<std::uint16_t> const bits{0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00, 0x7e00};
    for (bool const big : {false, true}) {
        std::string bytes;
        for (std::uint16_t const each : bits)
            for (int const shift : {big ? 8 : 0, big ? 0 : 8}) bytes += static_cast<char>(each >> shift);
        auto const source = open_grid(file("half.npy", npy(big ? ">f2" : "<f2", "(2, 3)", bytes, false)), {});
        EXPECT_EQ(source->shape().type, value_type::float32);
        auto values = read_box<float>(*source, {3, {}, {3, 2, 1}});
        EXPECT_TRUE(std::isnan(values.at(5)));
        values.pop_back();
        EXPECT_EQ(values, (std::vector<float>{1, -2, 65504, 0x1p-24F, HUGE_VALF}));
        EXPECT_EQ(read_box<float>(*source, {3, {1, 0, 0}, {2, 1, 1}}), (std::vector<float>{-2}));
    }
}

TEST_F(npy_file, in_the_order_of_fortran) {
    auto const scalar = file("a.npy", npy("<f4", "(2, 3, 4)", in_fortran_order<float>(4, 3, 2, 1), true));
    expect_test_grid<float>(*open_grid(scalar, {}));
    auto const vectors =
        file("b.npy", npy("<f8", "(2, 3, 4, 3)", in_fortran_order<double>(4, 3, 2, 3), true));
    expect_test_grid<double>(*open_grid(vectors, {.vectors = true}), 3);
    // The step is the first index, which runs fastest.
    auto const steps = file(
        "c.npy", npy("<i4", "(2, 3)", bytes_of_values(std::vector<std::int32_t>{0, 10, 1, 11, 2, 12}), true));
    EXPECT_EQ(read_box<std::int32_t>(*open_grid(steps, {.step = 1}), {3, {1, 0, 0}, {3, 1, 1}}),
        (std::vector<std::int32_t>{11, 12}));
}

TEST_F(npy_file, of_vectors_and_steps) {
    auto const vectors =
        file("a.npy", npy("<f4", "(2, 3, 4, 3)", bytes_of_values(values_in<float>({3, {}, {4, 3, 2}}, 3))));
    expect_test_grid<float>(*open_grid(vectors, {.vectors = true}), 3);
    EXPECT_NE(complaint(vectors).find("an array of 2 x 3 x 4 x 3"), std::string::npos) << complaint(vectors);
    auto const steps = file("b.npy", npy("|u1", "(2, 1, 2)", "abcd"));
    EXPECT_EQ(
        read_box<char>(*open_grid(steps, {.step = 1}), {3, {}, {2, 1, 1}}), (std::vector<char>{'c', 'd'}));
    EXPECT_NE(complaint(steps, {.step = 2}).find("there is no 2"), std::string::npos);
    auto const four = file("c.npy", npy("|u1", "(1, 4)", "abcd"));
    EXPECT_NE(complaint(four, {.vectors = true}).find("two or three components"), std::string::npos);
}

TEST_F(npy_file, that_is_no_grid_is_an_error) {
    EXPECT_NE(complaint(file("a.npy", npy("<c8", "(1,)", "abcdefgh"))).find("c8"), std::string::npos);
    EXPECT_NE(complaint(file("b.npy", npy("<f4", "()", "abcd"))).find("no indices"), std::string::npos);
    EXPECT_NE(complaint(file("c.npy", npy("<f4", "(0, 2)", ""))).find("no values"), std::string::npos);
    EXPECT_NE(complaint(file("d.npy", npy("<f4", "(1,)", "abc"))).find("d.npy"), std::string::npos);
    EXPECT_NE(complaint("/no/such.npy").find("No such file"), std::string::npos);
}

} // namespace
