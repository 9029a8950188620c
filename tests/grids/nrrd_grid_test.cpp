#include <grids/formats/nrrd_grid.hpp>
#include <grids/grid_files.hpp>
#include <io/packed/pack_text.hpp>

#include <weft/core/error.hpp>

using namespace weft;
using namespace weft_test;

namespace {

class nrrd_file : public with_folder {
protected:
    template <class T>
    std::filesystem::path nrrd(
        std::string const& header, box<std::int64_t> const& points, int components = 1) {
        return file("grid.nrrd", "NRRD0004\nencoding: raw\nendian: little\n" + header + "\n" +
                                     bytes_of_values(values_in<T>(points, components)));
    }
};

TEST_F(nrrd_file, each_box_has_its_values) {
    auto const source =
        open_grid(nrrd<std::uint8_t>("type: uint8\ndimension: 3\nsizes: 2 5 3\n", {3, {}, {2, 5, 3}}), {});
    expect_test_grid<std::uint8_t>(*source);
    EXPECT_EQ(source->shape().axes[2], (std::vector<double>{0, 1, 2}));
}

TEST_F(nrrd_file, each_box_has_its_values_as_text_and_by_bzip2) {
    std::string const head = "type: float\ndimension: 3\nsizes: 2 5 3\n";
    auto const values = values_in<float>({3, {}, {2, 5, 3}});
    for (std::string const between : {" ", "\n", ",", " , "}) {
        std::string text;
        for (float const each : values) text += std::to_string(each) + between;
        expect_test_grid<float>(
            *open_grid(file("text.nrrd", "NRRD0004\nencoding: ascii\n" + head + "\n" + text + "\n"), {}));
    }
    std::string const packed = io::pack_text(io::packing::bzip2, bytes_of_values(values));
    expect_test_grid<float>(*open_grid(
        file("packed.nrrd", "NRRD0004\nencoding: bzip2\nendian: little\n" + head + "\n" + packed), {}));
    file("values.bz2", io::pack_text(io::packing::bzip2, "four" + bytes_of_values(values)));
    auto const apart =
        open_grid(file("apart.nhdr", "NRRD0004\nencoding: bzip2\nendian: little\nbyte skip: 4\n" + head +
                                         "data file: values.bz2\n"),
            {});
    expect_test_grid<float>(*apart);
    for (std::size_t const bytes : {packed.size() / 2, packed.size() - 12}) {
        auto const cut = open_grid(file("cut.nrrd", "NRRD0004\nencoding: bzip2\nendian: little\n" + head +
                                                        "\n" + packed.substr(0, bytes)),
            {});
        EXPECT_THROW((void)read_box<float>(*cut, {3, {}, {2, 5, 3}}), io_error);
    }
}

TEST_F(nrrd_file, of_a_plane_with_spacing) {
    auto const source = open_grid(
        nrrd<float>("type: float\ndimension: 2\nsizes: 3 2\nspacings: 0.5 2\n", {3, {}, {3, 2, 1}}), {});
    expect_test_grid<float>(*source);
    EXPECT_EQ(source->shape().axes[0], (std::vector<double>{0, 0.5, 1}));
}

TEST_F(nrrd_file, of_vectors_in_space) {
    auto const source =
        open_grid(nrrd<double>("type: double\ndimension: 4\nspace dimension: 3\nsizes: 3 2 2 2\n"
                               "space directions: none (2,0,0) (0,1,0) (0,0,3)\n"
                               "kinds: vector domain domain domain\nspace origin: (1,2,3)\n",
                      {3, {}, {2, 2, 2}}, 3),
            {});
    expect_test_grid<double>(*source, 3);
    EXPECT_EQ(source->shape().axes[0], (std::vector<double>{1, 3}));
    EXPECT_EQ(source->shape().axes[2], (std::vector<double>{3, 6}));
}

using axis = std::vector<double>;

TEST_F(nrrd_file, axes_against_those_of_space_descend) {
    auto const source = open_grid(nrrd<float>("type: float\ndimension: 3\nspace: LPS\nsizes: 3 2 2\n"
                                              "space directions: (-2,0,0) (0,1,0) (0,0,-3)\n"
                                              "space origin: (1,2,3)\n",
                                      {3, {}, {3, 2, 2}}),
        {});
    grid_shape const& shape = source->shape();
    EXPECT_EQ(shape.axes, (std::array<axis, 3>{axis{1, -1, -3}, {2, 3}, {3, 0}}));
    EXPECT_FALSE(shape.place.moves());
    EXPECT_EQ(shape.space, "left-posterior-superior");
    expect_test_grid<float>(*source);
}

TEST_F(nrrd_file, axes_that_change_places_are_turned) {
    auto const source = open_grid(nrrd<float>("type: float\ndimension: 3\nspace dimension: 3\nsizes: 3 2 2\n"
                                              "space directions: (0,3,0) (2,0,0) (0,0,4)\n"
                                              "space origin: (1,2,3)\n",
                                      {3, {}, {3, 2, 2}}),
        {});
    grid_shape const& shape = source->shape();
    EXPECT_EQ(shape.axes, (std::array<axis, 3>{axis{0, 3, 6}, {0, 2}, {0, 4}}));
    EXPECT_EQ(shape.place.to_world({3, 2, 4}), (std::array<double, 3>{3, 5, 7}));
    EXPECT_LT(shape.place.determinant(), 0);
    expect_test_grid<float>(*source);
}

TEST_F(nrrd_file, ends_of_axes_are_those_of_cells_where_they_say_so) {
    auto const at = [&](std::string const& head) {
        return open_grid(
            nrrd<float>("type: float\ndimension: 2\nsizes: 3 2\n" + head, {3, {}, {3, 2, 1}}), {})
            ->shape()
            .axes[0];
    };
    EXPECT_EQ(at("axis mins: 1 0\naxis maxs: 7 1\ncenterings: cell cell\n"), (axis{2, 4, 6}));
    EXPECT_EQ(at("axis mins: 1 0\naxis maxs: 7 1\ncenterings: node node\n"), (axis{1, 4, 7}));
    EXPECT_EQ(at("spacings: 2 1\naxis mins: 1 0\ncenterings: cell cell\n"), (axis{2, 4, 6}));
    EXPECT_EQ(at("spacings: -2 1\naxis mins: 1 0\n"), (axis{1, -1, -3}));
}

TEST_F(nrrd_file, a_plane_in_space_has_an_upright_third_axis) {
    auto const source = open_grid(nrrd<float>("type: float\ndimension: 2\nspace dimension: 3\nsizes: 3 2\n"
                                              "space directions: (2,0,0) (0,0,5)\nspace origin: (1,2,3)\n",
                                      {3, {}, {3, 2, 1}}),
        {});
    EXPECT_EQ(source->shape().place.to_world({0, 0, 1}), (std::array<double, 3>{1, 1, 3}));
}

TEST_F(nrrd_file, axes_in_a_plane_are_refused) {
    std::string const text =
        complaint(nrrd<float>("type: float\ndimension: 3\nspace dimension: 3\nsizes: 2 2 2\n"
                              "space directions: (1,0,0) (0,1,0) (1,1,0)\n",
            {3, {}, {2, 2, 2}}));
    EXPECT_NE(text.find("its axes lie in a plane"), std::string::npos) << text;
}

TEST_F(nrrd_file, what_is_wrong_is_an_error_in_one_line) {
    for (auto const& broken : {file("text.nrrd", "no grid\n"), path("missing.nrrd"),
             nrrd<float>("type: float\ndimension: 3\nsizes: 9 9 9\n", {3, {}, {2, 2, 2}})}) {
        std::string const text = complaint(broken);
        EXPECT_TRUE(text.starts_with(broken.string() + ": cannot read: ")) << text;
        EXPECT_EQ(text.find("[nrrd]"), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
}

TEST_F(nrrd_file, a_head_that_the_library_would_not_survive_is_refused) {
    std::string const text = complaint(
        nrrd<float>("type: float\ndimension: 2\nsizes: 2 2\ncontent: " + std::string(3000, 'x') + "\n",
            {3, {}, {2, 2, 1}}));
    EXPECT_NE(
        text.find("grid.nrrd:7: cannot read: expected a line of at most 1000 characters"), std::string::npos)
        << text;
    std::string const large = complaint(
        nrrd<float>("type: float\ndimension: 3\nsizes: 100000 100000 100000\n", {3, {}, {2, 2, 1}}));
    EXPECT_NE(large.find("ends before its 4000000000000000 bytes of values"), std::string::npos) << large;
}

} // namespace
