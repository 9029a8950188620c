#include <grids/vtk/vtk_xml_file.hpp>

#include <grids/values/grid_memory.hpp>
#include <grids/values/text_values.hpp>
#include <grids/vtk/vtk_base64.hpp>
#include <grids/vtk/vtk_blocks.hpp>
#include <grids/vtk/vtk_xml.hpp>

#include <weft/core/error.hpp>

#include <bit>
#include <charconv>
#include <string_view>
#include <utility>

namespace weft {

namespace {

/// Reads N numbers; empty if the text has another number of them, or other words.
template <class Number, std::size_t N>
std::optional<std::array<Number, N>> numbers_in(std::string_view text) {
    std::array<Number, N> numbers{};
    char const* at = text.data();
    char const* const end = at + text.size();
    auto const pass_blanks = [&] {
        while (at != end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
    };
    for (Number& each : numbers) {
        pass_blanks();
        auto const [stop, error] = std::from_chars(at, end, each);
        if (error != std::errc{}) return {};
        at = stop;
    }
    pass_blanks();
    return at == end ? std::optional(numbers) : std::nullopt;
}

bool is_kind(std::string const& kind) {
    return kind == "ImageData" || kind == "RectilinearGrid" || kind == "StructuredGrid";
}

} // namespace

std::optional<value_type> vtk_xml_file::type_of(vtk_xml_array const& array) {
    constexpr std::pair<std::string_view, value_type> types[] = {{"Int8", value_type::int8},
        {"UInt8", value_type::uint8}, {"Int16", value_type::int16}, {"UInt16", value_type::uint16},
        {"Int32", value_type::int32}, {"UInt32", value_type::uint32}, {"Int64", value_type::int64},
        {"UInt64", value_type::uint64}, {"Float32", value_type::float32}, {"Float64", value_type::float64}};
    for (auto const& [known, type] : types)
        if (known == array.type) return type;
    return {};
}

vtk_xml_file::vtk_xml_file(std::filesystem::path const& file) : file_(file) {
    vtk_xml_head const head = read_vtk_xml_head(file_handle::open_to_read(file));
    values_ = head.values;
    for (vtk_xml_tag const& tag : head.tags) // comes last, but affects earlier arrays
        if (tag.is("AppendedData")) {
            std::string const encoding = tag.attribute("encoding").value_or("");
            appended_as_ = encoding == "base64" ? vtk_encoding::base64 : vtk_encoding::raw;
            is_known = is_known && (encoding == "raw" || encoding == "base64");
        }
    constexpr std::size_t of_places = 2;
    constexpr std::size_t of_nothing = 3;
    std::size_t of = of_nothing; // the arrays of the current section: 0 for points, 1 for cells
    for (vtk_xml_tag const& tag : head.tags) {
        if (tag.is("VTKFile")) {
            kind = tag.attribute("type").value_or("");
            compressor_ = tag.attribute("compressor").value_or("");
            is_big_ = tag.attribute("byte_order") == "BigEndian";
            is_wide_ = tag.attribute("header_type") == "UInt64";
        } else if (is_kind(kind) && tag.is(kind)) {
            begin_whole(tag);
        } else if (tag.is("Piece")) {
            begin_piece(tag);
        } else if (pieces.empty()) {
            continue;
        } else if (tag.is("PointData") || tag.is("CellData")) {
            of = tag.is("PointData") ? 0 : 1;
            if (pieces.size() == 1)
                meant[of] = {tag.attribute("Vectors").value_or(""), tag.attribute("Scalars").value_or("")};
            if (tag.is_whole()) of = of_nothing;
        } else if (tag.is("Coordinates") || tag.is("Points")) {
            if (!tag.is_whole()) of = of_places;
        } else if (tag.is("/PointData") || tag.is("/CellData") || tag.is("/Coordinates") ||
                   tag.is("/Points") || tag.is("/Piece")) {
            of = of_nothing;
        } else if (tag.is("DataArray") && of != of_nothing) {
            auto array = array_of(tag);
            is_known = is_known && array;
            if (array)
                (of < of_places ? pieces.back().arrays[of] : pieces.back().places)
                    .push_back(std::move(*array));
        }
    }
    is_known =
        is_known && is_kind(kind) && !pieces.empty() && (compressor_.empty() || unpacker_named(compressor_));
}

void vtk_xml_file::begin_whole(vtk_xml_tag const& tag) {
    auto const read = [&]<class Number, std::size_t N>(char const* what, std::array<Number, N>& into) {
        auto const text = tag.attribute(what);
        if (!text) return;
        auto const found = numbers_in<Number, N>(*text);
        is_known = is_known && found;
        if (found) into = *found;
    };
    read("WholeExtent", extent);
    read("Origin", origin);
    read("Spacing", spacing);
    read("Direction", direction);
    is_known = is_known && !tag.attribute("TimeValues");
}

void vtk_xml_file::begin_piece(vtk_xml_tag const& tag) {
    if (is_empty_vtk_piece(tag)) return;
    auto const six = numbers_in<std::int64_t, 6>(tag.attribute("Extent").value_or(""));
    is_known = is_known && six;
    vtk_xml_piece& made = pieces.emplace_back();
    made.points.dimensions = 3;
    for (std::size_t d = 0; six && d < 3; ++d) {
        made.points.lo[d] = (*six)[2 * d] - extent[2 * d];
        made.points.hi[d] = (*six)[2 * d + 1] - extent[2 * d] + 1;
        is_known = is_known && made.points.lo[d] >= 0 && made.points.hi[d] <= points()[d];
    }
}

std::optional<vtk_xml_array> vtk_xml_file::array_of(vtk_xml_tag const& tag) const {
    vtk_xml_array made;
    made.name = tag.attribute("Name").value_or("");
    made.type = tag.attribute("type").value_or("");
    if (auto const text = tag.attribute("NumberOfComponents"))
        made.components = numbers_in<std::int64_t, 1>(*text).value_or(std::array<std::int64_t, 1>{0})[0];
    std::string const format = tag.attribute("format").value_or("ascii");
    made.begin = tag.end;
    if (format == "appended") {
        auto const offset = numbers_in<std::int64_t, 1>(tag.attribute("offset").value_or(""));
        if (!offset || (*offset)[0] < 0 || values_ == 0) return {};
        made.as = appended_as_;
        made.begin = values_ + (*offset)[0];
    } else if (format == "binary") {
        made.as = vtk_encoding::base64;
    } else if (format != "ascii") {
        return {};
    }
    bool const is_plain = made.components >= 1 && made.components <= 1 << 20 && !made.name.empty() &&
                          made.name != "vtkGhostLevels" && !tag.attribute("TimeStep");
    return is_plain && (!tag.is_whole() || format == "appended") ? std::optional(made) : std::nullopt;
}

std::array<std::int64_t, 3> vtk_xml_file::points() const noexcept {
    return {extent[1] - extent[0] + 1, extent[3] - extent[2] + 1, extent[5] - extent[4] + 1};
}

std::uint64_t vtk_xml_file::word_at(std::span<std::byte const> words, std::size_t number) const {
    std::size_t const bytes = is_wide_ ? 8 : 4;
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        word |= std::to_integer<std::uint64_t>(words[number * bytes + (is_big_ ? bytes - 1 - i : i)])
                << (8 * i);
    return word;
}

std::unique_ptr<value_reader> vtk_xml_file::values_of(
    vtk_xml_array const& array, value_type type, std::int64_t count) const {
    if (array.as == vtk_encoding::text) {
        text_cursor in(file_, word_ends::tags);
        return values_in_text(
            std::move(in), {{array.begin, line_of_byte(file_, array.begin)}}, type, array.type);
    }
    auto const bytes = product_of({count, static_cast<std::int64_t>(size_of(type))});
    if (!bytes) throw io_error(name() + ": has more values of '" + array.name + "' than can be counted");
    std::unique_ptr<byte_reader> head;
    if (array.as == vtk_encoding::raw)
        head = bytes_in_file(file_, array.begin);
    else
        head = std::make_unique<base64_bytes>(file_, array.begin);
    bool const swapped = is_big_ != (std::endian::native == std::endian::big);
    return values_of_bytes(unpacked(array, std::move(head), *bytes), size_of(type), swapped);
}

namespace {

/// The bytes after some others.
class bytes_behind final : public byte_reader {
public:
    bytes_behind(std::unique_ptr<byte_reader> all, std::int64_t first)
        : all_(std::move(all)), first_(first) {}
    void read_all(std::span<std::byte> into, std::int64_t offset) override {
        all_->read_all(into, first_ + offset);
    }

private:
    std::unique_ptr<byte_reader> all_;
    std::int64_t first_;
};

} // namespace

std::unique_ptr<byte_reader> vtk_xml_file::unpacked(
    vtk_xml_array const& array, std::unique_ptr<byte_reader> head, std::int64_t bytes) const {
    std::int64_t const word = is_wide_ ? 8 : 4;
    std::string const where = name() + ": '" + array.name + "'";
    auto const expect = [&](std::uint64_t found) {
        if (found != static_cast<std::uint64_t>(bytes))
            throw io_error(
                where + " has " + std::to_string(found) + " bytes, expected " + std::to_string(bytes));
    };
    std::vector<std::byte> words(static_cast<std::size_t>(3 * word));
    if (compressor_.empty()) { // the number of bytes, then the bytes
        head->read_all(std::span(words).first(static_cast<std::size_t>(word)), 0);
        expect(word_at(words, 0));
        return std::make_unique<bytes_behind>(std::move(head), word);
    }
    if (bytes == 0) return head;
    head->read_all(words, 0);
    std::int64_t const size = file_handle::open_to_read(file_).size();
    std::uint64_t const blocks = word_at(words, 0);
    std::uint64_t const each = word_at(words, 1);
    std::uint64_t const last = word_at(words, 2);
    if (blocks == 0 || blocks > static_cast<std::uint64_t>(size / word) || each == 0 || each >= 1ULL << 48 ||
        last >= 1ULL << 48)
        throw io_error(
            where + " has a damaged head of " + std::to_string(blocks) + " blocks; copy the file again");
    block_sizes sizes{static_cast<std::int64_t>(each), static_cast<std::int64_t>(last), {}};
    check_memory(name(), sizes.each, "a block of '" + array.name + "'");
    words.resize(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(word));
    head->read_all(words, 3 * word);
    std::int64_t packed = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
        std::uint64_t const here = word_at(words, i);
        if (here > static_cast<std::uint64_t>(size - packed))
            throw io_error(where + " has blocks beyond the end of the file; copy it again");
        sizes.packed.push_back(static_cast<std::int64_t>(here));
        packed += static_cast<std::int64_t>(here);
    }
    expect(static_cast<std::uint64_t>(sizes.total()));
    std::int64_t const head_bytes = (3 + static_cast<std::int64_t>(blocks)) * word;
    std::unique_ptr<byte_reader> inside;
    if (array.as == vtk_encoding::base64) // encoded separately
        inside = std::make_unique<base64_bytes>(file_, static_cast<base64_bytes&>(*head).behind(head_bytes));
    else
        inside = std::make_unique<bytes_behind>(std::move(head), head_bytes);
    return bytes_in_blocks(std::move(inside), std::move(sizes), unpacker_named(compressor_), where);
}

} // namespace weft
