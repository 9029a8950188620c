#include "hdf5_files.hpp"

#include <grids/grid_files.hpp>
#include <grids/hdf5/hdf5_file.hpp>
#include <grids/hdf5/hdf5_grid.hpp>

#include <weft/core/error.hpp>

#include <tuple>

using namespace weft;
using namespace weft_test;

namespace {

box<std::int64_t> const all{3, {}, {4, 3, 2}};

class hdf5_datasets : public with_folder {
protected:
    std::filesystem::path written(void (*write)(std::filesystem::path const&)) {
        auto const path = file("a.h5", "");
        if (rank() == 0) write(path);
        meet();
        return path;
    }

    static std::string at(std::filesystem::path const& path, char const* inside) {
        return path.string() + ":" + inside;
    }

    static void write_several(std::filesystem::path const& path) {
        hdf5_writer out(path);
        out.group("/g");
        std::vector<std::int16_t> const values = values_in<std::int16_t>(all);
        std::vector<float> const vectors = values_in<float>(all, 3);
        std::vector<double> const single = values_in<double>(all);
        out.add("/big", H5T_STD_I16BE, H5T_NATIVE_INT16, {2, 3, 4}, values.data(), packed_chunks({1, 2, 3}));
        out.add("/g/flow", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {2, 3, 4, 3}, vectors.data());
        out.add("/u", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2, 3, 4}, single.data());
        out.add("/steps", H5T_STD_U8LE, H5T_NATIVE_UINT8, {2, 1, 2}, "abcd");
        out.add("/none", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {0, 3}, nullptr);
        out.add("/number", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, single.data());
        out.add("/wide", H5T_NATIVE_LDOUBLE, H5T_NATIVE_DOUBLE, {2, 3, 4}, single.data());
        out.add("/packed", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2, 3, 4}, single.data());
        out.attribute("/packed", "scale_factor", 0.5);
        out.external_link("/elsewhere", "/no/such.h5", "/u");
    }
};

TEST_F(hdf5_datasets, each_box_has_its_values) {
    auto const path = written(write_several);
    expect_test_grid<std::int16_t>(*open_grid(at(path, "/big"), {}));
    expect_test_grid<double>(*open_grid(at(path, "u"), {})); // the first slash may be left out
    expect_test_grid<double>(*open_grid(path, {.variable = "/u"}));
}

TEST_F(hdf5_datasets, vectors_are_a_last_index_or_several_datasets) {
    auto const path = written(write_several);
    expect_test_grid<float>(*open_grid(at(path, "/g/flow"), {.vectors = true}), 3);
    auto const mixed = open_grid(path, {.vectors = true, .variable = "/u,,/u"});
    ASSERT_EQ(mixed->shape().components, 3);
    EXPECT_EQ(read_box<double>(*mixed, {3, {1, 2, 1}, {2, 3, 2}}),
        (std::vector<double>{value_at<double>(1, 2, 1), 0, value_at<double>(1, 2, 1)}));
    EXPECT_NE(
        complaint(path, {.vectors = true, .variable = "/u,/big"}).find("another type"), std::string::npos);
}

TEST_F(hdf5_datasets, a_step_comes_first) {
    auto const path = written(write_several);
    auto const second = open_grid(at(path, "/steps"), {.step = 1});
    EXPECT_EQ(second->shape().points, (std::array<std::int64_t, 3>{2, 1, 1}));
    EXPECT_EQ(
        read_box<std::uint8_t>(*second, points_of(second->shape())), (std::vector<std::uint8_t>{'c', 'd'}));
}

TEST_F(hdf5_datasets, errors_say_the_path_and_what_there_is) {
    auto const path = written(write_several);
    auto const says = [&](char const* inside, std::string const& words) {
        std::string const said = complaint(at(path, inside));
        EXPECT_TRUE(said.starts_with(path.string() + ":/")) << said;
        EXPECT_NE(said.find(words), std::string::npos) << said;
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    };
    says("/nothing", "/big (2 x 3 x 4 int16), /elsewhere (a link to a file that is not there), /g/flow (2 x "
                     "3 x 4 x 3 float32)");
    says("/g", "is a group");
    says("/none", "has no values");
    says("/number", "no indices");
    says("/wide", "no numbers of a usual size");
    says("/packed", "scale_factor");
    says("/elsewhere", "cannot be opened");
    says("/g/flow", "expected up to three indices, z, y and x; if the first index counts time steps, choose "
                    "one with `step`");
    EXPECT_NE(complaint(path).find("say which dataset is meant"), std::string::npos);
    EXPECT_NE(complaint(at(path, "/u"), {.variable = "/u"}).find("`variable`"), std::string::npos);
    EXPECT_NE(complaint("/no/such.h5:/u").find("No such file"), std::string::npos);
    EXPECT_NE(complaint(file("b.h5", "no HDF5 at all")).find("cannot be read as HDF5"), std::string::npos);
}

TEST_F(hdf5_datasets, external_links_are_followed) {
    auto const path = written([](std::filesystem::path const& into) {
        auto const beside = into.parent_path() / "beside.h5";
        {
            hdf5_writer out(beside);
            auto const values = values_in<double>({3, {}, {4, 3, 2}});
            std::vector<double> const many(100'000, 1.0);
            out.add("/first", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {100'000}, many.data());
            out.add("/u", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2, 3, 4}, values.data());
        }
        hdf5_writer out(into);
        out.external_link("/there", "beside.h5", "/u");
        out.external_link("/gone", "nowhere.h5", "/u");
    });
    expect_test_grid<double>(*open_grid(at(path, "/there"), {}));
    expect_test_grid<double>(*open_grid(path, {})); // the only one
    std::string const text = complaint(at(path, "/gone"));
    EXPECT_NE(text.find("it is a link to another file"), std::string::npos) << text;
    EXPECT_NE(text.find("/gone (a link to a file that is not there), /there (2 x 3 x 4 float64)"),
        std::string::npos)
        << text;
}

TEST_F(hdf5_datasets, values_in_other_files_are_refused) {
    auto const path = written([](std::filesystem::path const& into) {
        hid_t const list = made(H5Pcreate(H5P_DATASET_CREATE));
        H5Pset_external(list, "/no/such.raw", 0, 12);
        hdf5_writer(into).add("/a", H5T_STD_U8LE, H5T_NATIVE_UINT8, {3, 4}, nullptr, list);
    });
    EXPECT_NE(complaint(path).find("in other files"), std::string::npos);
}

TEST_F(hdf5_datasets, values_that_were_never_written_are_the_fill_value_or_an_error) {
    auto const path = written([](std::filesystem::path const& into) {
        hdf5_writer out(into);
        for (auto const& [plain, chunked, never] :
            {std::tuple{"/a", "/b", false}, std::tuple{"/c", "/d", true}}) {
            hid_t const first = made(H5Pcreate(H5P_DATASET_CREATE));
            hid_t const second = packed_chunks({1, 2});
            for (hid_t const list : {first, second}) {
                std::uint8_t const fill = 7;
                H5Pset_fill_value(list, H5T_NATIVE_UINT8, &fill);
                if (never) H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
            }
            out.add(plain, H5T_STD_U8LE, H5T_NATIVE_UINT8, {1, 2}, nullptr, first);
            out.add(chunked, H5T_STD_U8LE, H5T_NATIVE_UINT8, {1, 2}, nullptr, second);
        }
    });
    for (char const* const inside : {"/a", "/b"}) {
        auto const source = open_grid(at(path, inside), {});
        EXPECT_EQ(
            read_box<std::uint8_t>(*source, points_of(source->shape())), (std::vector<std::uint8_t>{7, 7}));
    }
    for (char const* const inside : {"/c", "/d"})
        EXPECT_NE(complaint(at(path, inside)).find("never written"), std::string::npos) << inside;
}

TEST_F(hdf5_datasets, a_head_that_says_another_place_is_an_error) {
    auto const path = written([](std::filesystem::path const& into) {
        hdf5_writer(into).add("/a", H5T_STD_U8LE, H5T_NATIVE_UINT8, {1, 2}, "ab");
    });
    std::string content = content_of(path);
    content[24] = 5; // the lowest byte of the base address
    EXPECT_NE(complaint(file("moved.h5", content)).find("at byte 5"), std::string::npos);
}

TEST_F(hdf5_datasets, a_type_with_bits_beyond_its_items_is_an_error) {
    auto const path = written([](std::filesystem::path const& into) {
        hdf5_writer(into).add("/a", H5T_STD_U16LE, H5T_NATIVE_UINT8, {1, 2}, "ab");
    });
    std::string content = content_of(path);
    // Version 1 and class 0, three bytes of flags, a size of 2, then the offset and the precision of 16 bits.
    std::size_t const type = content.find(std::string("\x10\0\0\0\2\0\0\0\0\0\x10\0", 12));
    ASSERT_NE(type, std::string::npos);
    content[type + 8] = 100;
    std::string const said = complaint(file("bits.h5", content)); // the only one, so it needs no name
    EXPECT_NE(said.find("its type is damaged"), std::string::npos) << said;
}

TEST_F(hdf5_datasets, the_only_array_needs_no_name) {
    auto const path = written([](std::filesystem::path const& into) {
        hdf5_writer out(into, true);
        double const number = 1;
        out.add("/number", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, &number);
        out.add("/a", H5T_STD_U8LE, H5T_NATIVE_UINT8, {1, 2}, "ab");
    });
    EXPECT_EQ(open_grid(path, {})->shape().points, (std::array<std::int64_t, 3>{2, 1, 1}));
}

} // namespace
