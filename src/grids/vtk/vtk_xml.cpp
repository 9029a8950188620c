#include <grids/vtk/vtk_xml.hpp>

#include <files/file_handle.hpp>
#include <grids/values/byte_order.hpp>
#include <grids/values/grid_memory.hpp>
#include <io/text/scan.hpp>

#include <weft/blocks/box.hpp>
#include <weft/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

namespace {

/// Returns an extent as a box, whose ends are one past the last point along each axis.
box<std::int64_t> extent_of(std::string const& name, std::string const& text) {
    std::int64_t six[6] = {};
    char const* at = text.data();
    char const* const end = at + text.size();
    for (std::int64_t& each : six) {
        while (at != end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
        auto const [stop, error] = std::from_chars(at, end, each);
        if (error != std::errc{} || each < -(std::int64_t{1} << 31) || each >= std::int64_t{1} << 31)
            throw io_error(name + ": expected an extent of six numbers, found " + io::in_quotes(text));
        at = stop;
    }
    std::int64_t points[3];
    for (std::size_t d = 0; d < 3; ++d) {
        points[d] = six[2 * d + 1] - six[2 * d] + 1;
        if (points[d] < 1 || points[d] >= std::int64_t{1} << 31)
            throw io_error(name + ": expected an extent of at least 1 and less than 2^31 points along " +
                           "xyz"[d] + ", found " + std::to_string(points[d]) + ": " + io::in_quotes(text));
        check_memory(
            name, product_of({points[d], 16}), "the coordinates of " + std::to_string(points[d]) + " points");
    }
    check_memory(
        name, product_of({points[0], points[1], points[2]}), "values of the extent " + io::in_quotes(text));
    return {3, {six[0], six[2], six[4]}, {six[1] + 1, six[3] + 1, six[5] + 1}};
}

/// Turns a box of points into that of its cells; an axis of one point has one cell.
box<std::int64_t> cells_of(box<std::int64_t> points, box<std::int64_t> const& whole) {
    for (std::size_t d = 0; d < 3; ++d)
        if (whole.hi[d] - whole.lo[d] > 1) --points.hi[d];
    return points;
}

/// Returns the extents of pieces that are not empty.
std::vector<std::string> extents_of_pieces(vtk_xml_head const& head) {
    std::vector<std::string> extents;
    for (vtk_xml_tag const& tag : head.tags)
        if (auto extent = tag.attribute("Extent"); extent && tag.is("Piece") && !is_empty_vtk_piece(tag))
            extents.push_back(std::move(*extent));
    return extents;
}

/// Checks that pieces cover the grid: VTK would leave other values uninitialised.
void check_pieces(std::string const& name, std::string const& whole_extent,
    std::vector<std::string> const& pieces, bool of_points) {
    box<std::int64_t> const points = extent_of(name, whole_extent);
    if (pieces.size() == 1 && extent_of(name, pieces[0]) == points) return;
    box<std::int64_t> const whole = of_points ? points : cells_of(points, points);
    std::int64_t width[3];
    for (std::size_t d = 0; d < 3; ++d) width[d] = whole.hi[d] - whole.lo[d];
    std::vector<bool> found(static_cast<std::size_t>(width[0] * width[1] * width[2]), false);
    for (std::string const& each : pieces) {
        box<std::int64_t> piece = extent_of(name, each);
        if (!of_points) piece = cells_of(piece, points);
        for (std::size_t d = 0; d < 3; ++d) {
            piece.lo[d] = std::max(piece.lo[d], whole.lo[d]) - whole.lo[d];
            piece.hi[d] = std::min(piece.hi[d], whole.hi[d]) - whole.lo[d];
        }
        if (piece.lo[0] >= piece.hi[0]) continue;
        for (std::int64_t z = piece.lo[2]; z < piece.hi[2]; ++z)
            for (std::int64_t y = piece.lo[1]; y < piece.hi[1]; ++y) {
                auto const row = found.begin() + (z * width[1] + y) * width[0];
                std::fill(row + piece.lo[0], row + piece.hi[0], true);
            }
    }
    if (std::ranges::find(found, false) != found.end())
        throw io_error(name + ": its pieces do not have all " + (of_points ? "points" : "cells") +
                       " of its whole extent " + io::in_quotes(whole_extent));
}

/// Returns true if a file ends with the end of the document.
bool has_its_end(file_handle const& file) {
    std::int64_t const size = file.size();
    std::string tail(static_cast<std::size_t>(std::min<std::int64_t>(size, 4096)), '\0');
    tail.resize(file.read(tail.data(), tail.size(), size - static_cast<std::int64_t>(tail.size())));
    while (!tail.empty() && std::string_view(" \t\r\n").find(tail.back()) != std::string_view::npos)
        tail.pop_back();
    return tail.ends_with("</VTKFile>");
}

/// Checks appended values without compression: each array follows a word with its size.
void check_appended(file_handle const& file, vtk_xml_head const& head) {
    auto const says = [&](char const* what, char const* value) {
        auto const found = head.attributes(what);
        return std::ranges::find(found, value) != found.end();
    };
    if (head.values == 0 || !says("encoding", "raw") || !head.attributes("compressor").empty()) return;
    bool const is_wide = says("header_type", "UInt64");
    bool const is_big = says("byte_order", "BigEndian");
    std::int64_t const word = is_wide ? 8 : 4;
    for (std::string const& each : head.attributes("offset")) {
        std::int64_t offset = -1;
        std::from_chars(each.data(), each.data() + each.size(), offset);
        std::int64_t const left = file.size() - head.values - word;
        if (offset < 0 || offset > left)
            throw io_error(file.path().string() + ": its values at the offset \"" + each.substr(0, 40) +
                           "\" are beyond the end of the file; copy it again");
        std::byte bytes[8] = {};
        file.read_all(std::span(bytes, static_cast<std::size_t>(word)), head.values + offset);
        if (is_big) std::reverse(bytes, bytes + word);
        std::uint64_t length = 0;
        std::memcpy(&length, bytes, sizeof length);
        if (length > static_cast<std::uint64_t>(left - offset))
            throw io_error(file.path().string() + ": has " + std::to_string(length) +
                           " bytes of values at the offset " + each + ", but only " +
                           std::to_string(left - offset) + " up to its end; copy it again");
    }
}

} // namespace

namespace {

void check_end(file_handle const& file) {
    if (!has_its_end(file))
        throw io_error(
            file.path().string() +
            ": does not end with \"</VTKFile>\": it is no XML file of VTK, or a part of one; copy it again");
}

} // namespace

void check_vtk_xml(std::filesystem::path const& path) {
    file_handle const file = file_handle::open_to_read(path);
    std::string const name = path.string();
    check_end(file);
    vtk_xml_head const head = read_vtk_xml_head(file);
    std::vector<std::string> const whole = head.attributes("WholeExtent");
    if (whole.size() != 1)
        throw io_error(name + ": has " + std::to_string(whole.size()) + " whole extents; expected one");
    check_pieces(name, whole[0], extents_of_pieces(head), true);
    check_appended(file, head);
}

void check_vtk_xml_cells(std::filesystem::path const& path) {
    vtk_xml_head const head = read_vtk_xml_head(file_handle::open_to_read(path));
    check_pieces(path.string(), head.attributes("WholeExtent").at(0), extents_of_pieces(head), false);
}

void check_vtk_xml_mesh(std::filesystem::path const& path) {
    file_handle const file = file_handle::open_to_read(path);
    std::string const name = path.string();
    check_end(file);
    vtk_xml_head const head = read_vtk_xml_head(file);
    for (char const* const counted : {"NumberOfPoints", "NumberOfCells"})
        for (std::string const& each : head.attributes(counted)) {
            std::size_t const start = std::min(each.find_first_not_of(' '), each.size());
            std::int64_t count = -1;
            std::from_chars(each.data() + start, each.data() + each.size(), count);
            if (count < 0)
                throw io_error(name + ": expected a number that is not negative as " + counted + ", found " +
                               io::in_quotes(each));
            check_memory(name, product_of({count, 24}), std::string("its ") + counted);
        }
    check_appended(file, head);
}

std::vector<std::string> vtk_xml_attributes(std::filesystem::path const& path, std::string const& name) {
    file_handle const file = file_handle::open_to_read(path);
    check_end(file);
    return read_vtk_xml_head(file).attributes(name);
}

bool is_empty_vtk_piece(vtk_xml_tag const& tag) {
    auto const is_none = [&](char const* counted) {
        std::string const text = tag.attribute(counted).value_or("0");
        return text.find_first_not_of(" 0") == std::string::npos && text.find('0') != std::string::npos;
    };
    if (tag.attribute("NumberOfPoints")) return is_none("NumberOfPoints") && is_none("NumberOfCells");
    std::istringstream extent(tag.attribute("Extent").value_or(""));
    for (std::int64_t first = 0, last = 0; extent >> first >> last;)
        if (last < first) return true;
    return false;
}

std::optional<std::string> vtk_xml_without_empty_pieces(std::filesystem::path const& path) {
    file_handle const file = file_handle::open_to_read(path);
    vtk_xml_head const head = read_vtk_xml_head(file);
    std::vector<std::pair<std::int64_t, std::int64_t>> empty; // ranges of bytes of the file
    std::size_t pieces = 0;
    for (auto tag = head.tags.begin(); tag != head.tags.end(); ++tag) {
        if (!tag->is("Piece")) continue;
        ++pieces;
        if (!is_empty_vtk_piece(*tag)) continue;
        auto end = tag;
        if (!tag->is_whole())
            end =
                std::find_if(tag, head.tags.end(), [](vtk_xml_tag const& each) { return each.is("/Piece"); });
        if (end != head.tags.end()) empty.emplace_back(tag->begin, end->end);
    }
    if (empty.empty() || empty.size() == pieces) return {};
    check_memory(path.string(), file.size(), "a copy without its pieces of nothing");
    std::string text(static_cast<std::size_t>(file.size()), '\0');
    file.read_all(std::as_writable_bytes(std::span(text)), 0);
    for (auto const& [begin, end] : empty) std::fill(text.begin() + begin, text.begin() + end, ' ');
    return text;
}

} // namespace weft
