/// A file that was cut off at any byte: the values are those of the whole file, or there is an error.
#include "hdf5_files.hpp"

#include <grids/grid_files.hpp>

#include <weft/core/error.hpp>

#include <netcdf.h>
#include <tiffio.h>

using namespace weft;
using namespace weft_test;

namespace {

class cut_file : public with_folder {
protected:
    /// Everything that a file says; empty where it is refused.
    static std::string answer(std::filesystem::path const& file, grid_file_options const& options) {
        try {
            auto const source = open_grid(file, options);
            grid_shape const& shape = source->shape();
            std::vector<std::byte> values(bytes_of(shape, points_of(shape)));
            source->read(points_of(shape), values);
            std::string said = std::string(name_of(shape.type)) + ' ' + std::to_string(shape.components);
            for (auto const& axis : shape.axes)
                for (double const each : axis) said += ' ' + std::to_string(each);
            return said.append(reinterpret_cast<char const*>(values.data()), values.size());
        } catch (io_error const& caught) {
            EXPECT_TRUE(std::string(caught.what()).starts_with(file.string())) << caught.what();
        } catch (usage_error const& caught) {
            EXPECT_TRUE(std::string(caught.what()).starts_with(file.string())) << caught.what();
        }
        return {};
    }

    /// Tries every length; the ranks share them.
    void expect_no_other_answer(std::filesystem::path const& whole, grid_file_options const& options = {}) {
        std::string const content = content_of(whole);
        std::string const right = answer(whole, options);
        ASSERT_FALSE(right.empty());
        auto const mine = path(std::to_string(rank()) + "_cut_" + whole.filename().string());
        std::ofstream(mine, std::ios::binary)
            .write(content.data(), static_cast<std::streamsize>(content.size()));
        for (std::size_t length = content.size(); length-- > 0;) {
            if (static_cast<int>(length % static_cast<std::size_t>(size())) != rank()) continue;
            std::filesystem::resize_file(mine, length);
            std::string const found = answer(mine, options);
            ASSERT_TRUE(found.empty() || found == right) << mine << ": cut off after " << length;
        }
    }

    static bool has_vtk() { return complaint("none.vti").find("built without VTK") == std::string::npos; }
};

std::string legacy_head(char const* kind) {
    return std::string("# vtk DataFile Version 3.0\na grid\n") + kind +
           "\nDATASET RECTILINEAR_GRID\nDIMENSIONS 3 2 2\n";
}

TEST_F(cut_file, of_vtk_as_text) {
    expect_no_other_answer(file("grid.vtk",
        legacy_head("ASCII") + "X_COORDINATES 3 float\n0 1 12\nY_COORDINATES 2 float\n0 1\nZ_COORDINATES 2 "
                               "float\n0 1\nPOINT_DATA 12\nSCALARS heat float\nLOOKUP_TABLE default\n"
                               "10 11 12 13 14 15 16 17 18 19 20 21\n"));
}

TEST_F(cut_file, of_vtk_in_binary) {
    std::string bytes(12 * 4, '\1');
    expect_no_other_answer(
        file("grid.vtk", legacy_head("BINARY") +
                             "X_COORDINATES 3 unsigned_char\n\1\2\3\nY_COORDINATES 2 unsigned_char\n\1\2\n"
                             "Z_COORDINATES 2 unsigned_char\n\1\2\nPOINT_DATA 12\nSCALARS heat "
                             "float\nLOOKUP_TABLE default\n" +
                             bytes + "\n"));
}

TEST_F(cut_file, of_vtk_in_xml) {
    if (!has_vtk()) GTEST_SKIP() << "Weft was built without VTK";
    std::string const head =
        "<?xml version=\"1.0\"?><VTKFile type=\"ImageData\" version=\"0.1\" "
        "byte_order=\"LittleEndian\"><ImageData WholeExtent=\"0 1 0 0 0 1\" Origin=\"0 0 0\" "
        "Spacing=\"1 1 1\"><Piece Extent=\"0 1 0 0 0 1\"><PointData Scalars=\"a\"><DataArray "
        "type=\"Int32\" Name=\"a\" format=";
    std::string const foot = "</PointData></Piece></ImageData>";
    expect_no_other_answer(
        file("text.vti", head + "\"ascii\">10 11 12 13</DataArray>" + foot + "</VTKFile>\n"));
    std::string raw("\x10\0\0\0", 4);
    raw += bytes_of_values(std::vector<std::int32_t>{5, 6, 7, 8});
    expect_no_other_answer(
        file("raw.vti", head + "\"appended\" offset=\"0\"/>" + foot + "<AppendedData encoding=\"raw\">_" +
                            raw + "</AppendedData></VTKFile>\n"));
}

TEST_F(cut_file, with_pieces_that_leave_points_out) {
    if (!has_vtk()) GTEST_SKIP() << "Weft was built without VTK";
    auto const with = [&](std::string const& whole, std::string const& pieces) {
        return complaint(file("pieces.vti",
            "<?xml version=\"1.0\"?><VTKFile type=\"ImageData\" version=\"0.1\" byte_order=\"LittleEndian\">"
            "<ImageData WholeExtent=\"" +
                whole + "\" Origin=\"0 0 0\" Spacing=\"1 1 1\">" + pieces + "</ImageData></VTKFile>\n"));
    };
    auto const piece = [](std::string const& extent) {
        return "<Piece Extent=\"" + extent +
               "\"><PointData Scalars=\"a\"><DataArray type=\"Int32\" Name=\"a\" "
               "format=\"ascii\">1 2 3 4</DataArray></PointData></Piece>";
    };
    EXPECT_EQ(with("0 1 0 0 0 1", piece("0 1 0 0 0 1")), "nothing was thrown");
    EXPECT_EQ(with("0 1 0 0 0 2", piece("0 1 0 0 0 1") + piece("0 1 0 0 1 2")), "nothing was thrown");
    // The values of the others would be whatever was in memory.
    EXPECT_NE(with("0 1 0 0 -1 1", piece("0 1 0 0 0 1")).find("do not have all points"), std::string::npos);
    EXPECT_NE(with("0 1 0 0 0 4", piece("0 1 0 0 0 1") + piece("0 1 0 0 3 4")).find("do not have all points"),
        std::string::npos);
    std::string const broken = with("0 1\n0 0 0 x", piece("0 1 0 0 0 1"));
    EXPECT_EQ(broken.find('\n'), std::string::npos) << broken;
}

TEST_F(cut_file, of_nrrd) {
    std::string const head = "NRRD0004\ntype: short\ndimension: 2\nsizes: 4 3\nendian: little\nencoding: ";
    expect_no_other_answer(
        file("raw.nrrd", head + "raw\n\n" + bytes_of_values(values_in<std::int16_t>({3, {}, {4, 3, 1}}))));
    expect_no_other_answer(file("text.nrrd", head + "ascii\n\n10 11 12 13 14 15 16 17 18 19 20 21\n"));
}

TEST_F(cut_file, of_netcdf) {
    for (int const format : {0, NC_64BIT_OFFSET, NC_64BIT_DATA}) {
        auto const whole = file("grid.nc", "");
        if (rank() == 0) {
            int id = -1, t = -1, y = -1, x = -1, fixed = -1, moving = -1;
            ASSERT_EQ(nc_create(whole.c_str(), NC_CLOBBER | format, &id), NC_NOERR);
            nc_def_dim(id, "t", NC_UNLIMITED, &t);
            nc_def_dim(id, "y", 3, &y);
            nc_def_dim(id, "x", 5, &x);
            int const dims[] = {t, y, x};
            nc_def_var(id, "x", NC_DOUBLE, 1, &x, &fixed);
            nc_def_var(id, "moving", NC_SHORT, 3, dims, &moving);
            nc_put_att_text(id, moving, "units", 1, "K");
            nc_enddef(id);
            double const axis[] = {1, 2, 3, 4, 5};
            nc_put_var_double(id, fixed, axis);
            std::vector<short> values(30, 0x0101);
            std::size_t const start[] = {0, 0, 0};
            std::size_t const count[] = {2, 3, 5};
            ASSERT_EQ(nc_put_vara_short(id, moving, start, count, values.data()), NC_NOERR);
            ASSERT_EQ(nc_close(id), NC_NOERR);
        }
        meet();
        if (format == 0) expect_no_other_answer(whole, {.variable = "moving"});
        expect_no_other_answer(whole, {.variable = "moving", .step = 1});
    }
}

TEST_F(cut_file, of_tiff_with_several_pages) {
    auto const whole = file("pages.tif", "");
    if (rank() == 0) {
        TIFF* const out = TIFFOpen(whole.c_str(), "w");
        ASSERT_NE(out, nullptr);
        for (int page = 0; page < 3; ++page) {
            TIFFSetField(out, TIFFTAG_IMAGEWIDTH, 6);
            TIFFSetField(out, TIFFTAG_IMAGELENGTH, 4);
            TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, 8);
            TIFFSetField(out, TIFFTAG_SAMPLESPERPIXEL, 1);
            TIFFSetField(out, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
            TIFFSetField(out, TIFFTAG_ROWSPERSTRIP, 4);
            std::string row(24, static_cast<char>('1' + page));
            TIFFWriteEncodedStrip(out, 0, row.data(), 24);
            TIFFWriteDirectory(out);
        }
        TIFFClose(out);
    }
    meet();
    expect_no_other_answer(whole);
}

TEST_F(cut_file, of_raw_values) {
    expect_no_other_answer(file("volume.raw", "abcdefgh"), {.dims = {2, 2, 2}, .type = value_type::uint8});
}

TEST_F(cut_file, of_hdf5) {
    for (bool const newest : {false, true}) {
        auto const whole = file(newest ? "newest.h5" : "oldest.h5", "");
        if (rank() == 0) {
            hid_t const how = newest ? packed_chunks({1, 2, 3}) : H5P_DEFAULT;
            auto const values = values_in<std::int16_t>({3, {}, {4, 3, 2}});
            hdf5_writer(whole, newest)
                .add("/a", H5T_STD_I16LE, H5T_NATIVE_INT16, {2, 3, 4}, values.data(), how);
        }
        meet();
        expect_no_other_answer(whole);
    }
}

TEST_F(cut_file, of_nifti) {
    std::string head(352, '\0');
    auto const put = [&](std::size_t at, auto value) { std::memcpy(head.data() + at, &value, sizeof value); };
    put(0, std::int32_t{348});
    for (std::size_t d = 0; d < 8; ++d)
        put(40 + 2 * d, static_cast<std::int16_t>(d == 0 ? 3 : d < 4 ? 2 : 1));
    put(70, std::int16_t{4});
    put(72, std::int16_t{16});
    put(108, 352.0F);
    std::memcpy(head.data() + 344, "n+1", 4);
    expect_no_other_answer(file("volume.nii", head + std::string(16, '\7')));
}

} // namespace
