#include <grids/grid_files.hpp>
#include <grids/vtk/vtk_xml_grid.hpp>

#include <weft/core/error.hpp>

#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace weft;
using namespace weft_test;

namespace {

constexpr std::array<std::int64_t, 3> points_of_test{5, 4, 3};

std::string in_base64(std::string const& bytes, std::size_t letters_a_line = 0) {
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    std::size_t letters = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = bits << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i) {
            text += at + i > bytes.size() ? '=' : digits[bits >> (18 - 6 * i) & 63];
            if (letters_a_line > 0 && ++letters % letters_a_line == 0) text += "\n  ";
        }
    }
    return text;
}

template <class Word>
std::string word(std::size_t number) {
    return bytes_of_values(std::vector<Word>{static_cast<Word>(number)});
}

/// The words before blocks, and the blocks.
template <class Word>
std::pair<std::string, std::string> in_blocks(std::string const& bytes, std::size_t each) {
    std::string sizes, blocks;
    std::size_t count = 0;
    for (std::size_t at = 0; at < bytes.size(); at += each, ++count) {
        std::string const block = bytes.substr(at, each);
        std::string packed(compressBound(block.size()), '\0');
        uLongf size = packed.size();
        compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<Bytef const*>(block.data()),
            block.size());
        sizes += word<Word>(size);
        blocks += packed.substr(0, size);
    }
    return {word<Word>(count) + word<Word>(each) + word<Word>(bytes.size() % each) + sizes, blocks};
}

enum class written_as : std::uint8_t { text, inline_base64, raw_behind, base64_behind };

struct encoding {
    written_as how;
    bool packed = false;
    std::size_t letters_a_line = 0;
};

/// Makes files of the test grid in pieces.
class file_maker {
public:
    file_maker(std::string kind, encoding const& as) : kind_(std::move(kind)), as_(as) {}

    template <class T>
    std::string array(
        std::string const& type, std::string const& name, int components, std::vector<T> const& values) {
        std::string const head = "<DataArray type=\"" + type + "\" Name=\"" + name +
                                 "\" NumberOfComponents=\"" + std::to_string(components) + "\" format=";
        if (as_.how == written_as::text) {
            std::string text;
            for (T const each : values) text += std::to_string(each) + ' ';
            text.pop_back(); // the end of the array ends the last one
            return head + "\"ascii\">" + text + "</DataArray>";
        }
        std::string const bytes = bytes_of_values(values);
        auto const text = [&](std::string const& plain) { return in_base64(plain, as_.letters_a_line); };
        bool const is_raw = as_.how == written_as::raw_behind;
        std::string stored;
        if (as_.packed) {
            auto const [words, blocks] = in_blocks<std::uint32_t>(bytes, 48);
            stored = is_raw ? words + blocks : text(words) + text(blocks);
        } else {
            std::string const all = word<std::uint32_t>(bytes.size()) + bytes;
            stored = is_raw ? all : text(all);
        }
        if (as_.how == written_as::inline_base64)
            return head + "\"binary\">\n   " + stored + "\n</DataArray>";
        std::string const tag = head + "\"appended\" offset=\"" + std::to_string(behind_.size()) + "\"/>";
        behind_ += stored;
        return tag;
    }

    void piece(box<std::int64_t> const& points, std::string const& places) {
        std::string extent;
        for (std::size_t d = 0; d < 3; ++d)
            extent += std::to_string(points.lo[d] + 2) + ' ' + std::to_string(points.hi[d] + 1) + ' ';
        box<std::int64_t> cells = points;
        for (std::size_t d = 0; d < 3; ++d) --cells.hi[d];
        text_ +=
            "<Piece Extent=\"" + extent + "\">\n<PointData Scalars=\"heat\">" +
            array("Int16", "other", 1, std::vector<std::int16_t>(values_in<std::int16_t>(points).size())) +
            array("Float32", "heat", 1, values_in<float>(points)) +
            array("Float64", "a &amp; b", 2, values_in<double>(points, 2)) + "</PointData>\n<CellData>" +
            array("Int32", "of cells", 1, values_in<std::int32_t>(cells)) + "</CellData>\n" + places +
            "</Piece>\n";
    }
    void add(std::string const& text) { text_ += text; }

    [[nodiscard]] std::string file() const {
        std::string const behind = as_.how == written_as::raw_behind      ? "raw"
                                   : as_.how == written_as::base64_behind ? "base64"
                                                                          : "";
        return "<?xml version=\"1.0\"?><!-- a > b <Piece> --><VTKFile type=\"" + kind_ +
               "\" version=\"0.1\" byte_order=\"LittleEndian\"" +
               (as_.packed ? " compressor=\"vtkZLibDataCompressor\"" : "") + "><" + kind_ +
               " WholeExtent=\"2 6 2 5 2 4\" Origin=\"1 2 3\" Spacing=\"0.5 1 2\">" + text_ + "</" + kind_ +
               ">" +
               (behind.empty()
                       ? ""
                       : "<AppendedData encoding=\"" + behind + "\">\n  _" + behind_ + "</AppendedData>") +
               "</VTKFile>\n";
    }

private:
    std::string kind_;
    encoding as_;
    std::string text_;
    std::string behind_;
};

std::vector<box<std::int64_t>> halves() {
    return {{3, {2, 0, 0}, {5, 4, 3}}, {3, {0, 0, 0}, {3, 4, 3}}}; // not in their order
}

double coordinate(std::size_t d, std::int64_t i) {
    return static_cast<double>(i * i + 3 * static_cast<std::int64_t>(d));
}

/// Coordinates of the axes, or the points, of a box.
std::string places_of(file_maker& maker, std::string const& kind, box<std::int64_t> const& in, double shift) {
    if (kind == "ImageData") return {};
    if (kind == "RectilinearGrid") {
        std::string text = "<Coordinates>";
        for (std::size_t d = 0; d < 3; ++d) {
            std::vector<double> axis;
            for (std::int64_t i = in.lo[d]; i < in.hi[d]; ++i) axis.push_back(coordinate(d, i));
            text += maker.array("Float64", "axis", 1, axis);
        }
        return text + "</Coordinates>";
    }
    std::vector<float> all;
    for (std::int64_t z = in.lo[2]; z < in.hi[2]; ++z)
        for (std::int64_t y = in.lo[1]; y < in.hi[1]; ++y)
            for (std::int64_t x = in.lo[0]; x < in.hi[0]; ++x) {
                bool const moved = x == 4 && y == 3 && z == 2;
                all.push_back(static_cast<float>(coordinate(0, x) + (moved ? shift : 0)));
                all.push_back(static_cast<float>(coordinate(1, y)));
                all.push_back(static_cast<float>(coordinate(2, z)));
            }
    return "<Points>" + maker.array("Float32", "Points", 3, all) + "</Points>";
}

constexpr char const* nothing = "<Piece Extent=\"2 1 2 1 2 1\"></Piece><Piece Extent=\"0 -1 0 -1 0 -1\"/>";

class vtk_xml_file_test : public with_folder {
protected:
    std::filesystem::path grid(std::string const& kind, encoding const& as,
        std::vector<box<std::int64_t>> const& pieces, double shift = 0) {
        file_maker made(kind, as);
        made.add(nothing);
        for (auto const& each : pieces) made.piece(each, places_of(made, kind, each, shift));
        made.add(nothing);
        return file(kind == "ImageData"         ? "grid.VTI"
                    : kind == "RectilinearGrid" ? "grid.vtr"
                                                : "grid.vts",
            made.file());
    }
};

constexpr encoding encodings[] = {{written_as::text}, {written_as::inline_base64},
    {written_as::inline_base64, true}, {written_as::inline_base64, false, 76},
    {written_as::inline_base64, true, 5}, {written_as::raw_behind}, {written_as::raw_behind, true},
    {written_as::base64_behind}, {written_as::base64_behind, true}, {written_as::base64_behind, true, 60}};

TEST_F(vtk_xml_file_test, boxes_of_all_encodings_kinds_and_pieces) {
    for (std::string const kind : {"ImageData", "RectilinearGrid", "StructuredGrid"})
        for (encoding const& as : encodings)
            for (auto const& pieces : {std::vector<box<std::int64_t>>{{3, {}, {5, 4, 3}}}, halves()}) {
                auto const path = grid(kind, as, pieces);
                auto const source = open_vtk_xml_grid(path, {});
                ASSERT_NE(source, nullptr);
                EXPECT_EQ(source->shape().points, points_of_test);
                expect_test_grid<float>(*source);
                expect_test_grid<double>(*open_vtk_xml_grid(path, {.variable = "a & b"}), 2);
                auto const cells = open_vtk_xml_grid(path, {.variable = "of cells"});
                EXPECT_EQ(cells->shape().points, (std::array<std::int64_t, 3>{4, 3, 2}));
                expect_test_grid<std::int32_t>(*cells);
                for (std::size_t d = 0; d < 3; ++d)
                    for (std::int64_t i = 0; i < points_of_test[d]; ++i) {
                        double const even = static_cast<double>(i + 2) * (d == 0      ? 0.5
                                                                             : d == 1 ? 1
                                                                                      : 2) +
                                            static_cast<double>(d + 1);
                        EXPECT_EQ(source->shape().axes[d][static_cast<std::size_t>(i)],
                            kind == "ImageData" ? even : coordinate(d, i));
                    }
            }
    auto const bent =
        open_vtk_xml_grid(grid("StructuredGrid", {written_as::raw_behind, true}, halves(), 0.25), {});
    EXPECT_NE(bent->shape().bent.find("(4, 3, 2) is not on straight axes"), std::string::npos);
}

TEST_F(vtk_xml_file_test, text_is_read_in_any_order) {
    std::string text;
    constexpr std::int64_t count = 200000;
    for (std::int64_t i = 0; i < count; ++i) text += std::to_string(i) + (i % 7 == 0 ? "\n" : "  ");
    auto const source = open_grid(
        file("long.vti",
            "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 199999 0 0 0 0\"><Piece Extent=\"0 "
            "199999 0 0 0 0\"><PointData><DataArray type=\"UInt64\" Name=\"i\">" +
                text + "</DataArray></PointData></Piece></ImageData></VTKFile>"),
        {});
    for (std::int64_t const at :
        {std::int64_t{131072}, std::int64_t{3}, count - 1, std::int64_t{65535}, std::int64_t{150000}})
        EXPECT_EQ(read_box<std::uint64_t>(*source, {3, {at, 0, 0}, {at + 1, 1, 1}})[0],
            static_cast<std::uint64_t>(at));
}

TEST_F(vtk_xml_file_test, damage_is_an_error) {
    auto const complaint_of = [&](std::string const& text) {
        try {
            auto const source = open_grid(file("grid.vti", text), {});
            std::vector<std::byte> values(bytes_of(source->shape(), points_of(source->shape())));
            source->read(points_of(source->shape()), values);
        } catch (io_error const& error) { return std::string(error.what()); }
        return std::string("nothing was thrown");
    };
    for (encoding const& as : encodings) {
        file_maker made("ImageData", as);
        made.piece({3, {}, {5, 4, 3}}, "");
        std::string const whole = made.file();
        EXPECT_EQ(complaint_of(whole), "nothing was thrown");
        std::size_t const heat = as.how == written_as::text
                                     ? whole.find("</DataArray>", whole.find("heat\" N"))
                                     : std::string::npos;
        if (as.how != written_as::text) continue;
        for (std::string const spoilt : {"x", "e", "-"}) {
            std::string text = whole;
            text.insert(heat, spoilt);
            EXPECT_NE(complaint_of(text).find("grid.vti:"), std::string::npos) << complaint_of(text);
        }
        std::string text = whole;
        text.erase(text.rfind(' ', heat), heat - text.rfind(' ', heat));
        EXPECT_NE(complaint_of(text).find("found the end of the values"), std::string::npos)
            << complaint_of(text);
    }
    file_maker packed("ImageData", {written_as::raw_behind, true});
    packed.piece({3, {}, {5, 4, 3}}, "");
    std::string const whole = packed.file();
    std::size_t const values = whole.find('_', whole.find("<AppendedData")) + 1;
    int refused = 0;
    for (std::size_t at = values; at < whole.find("</AppendedData>"); at += 7) {
        std::string text = whole;
        text[at] = static_cast<char>(text[at] ^ 0x55);
        refused += complaint_of(text) != "nothing was thrown" ? 1 : 0;
    }
    EXPECT_GT(refused, 8); // of the bytes of the field that is read, those of blocks and of their sizes
    file_maker lacking("ImageData", {written_as::text});
    lacking.piece({3, {}, {3, 4, 3}}, "");
    lacking.add("<Piece Extent=\"4 6 2 5 2 4\"><PointData></PointData></Piece>");
    EXPECT_NE(complaint_of(lacking.file()).find("its piece of the extent 4 6 2 5 2 4 has no values 'heat'"),
        std::string::npos);
}

} // namespace
