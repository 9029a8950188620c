#include <meshes/vtk_legacy_cells.hpp>

#include <core/lower_case.hpp>
#include <grids/values/byte_order.hpp>
#include <grids/values/grid_memory.hpp>
#include <grids/values/text_cursor.hpp>
#include <grids/vtk/vtk_metadata.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The format: The VTK User's Guide, "VTK File Formats", simple legacy formats. Files of version 5 have
// offsets and corners in two arrays.

namespace weft {

namespace {

class legacy_cells {
public:
    explicit legacy_cells(std::filesystem::path const& file) : in_(file) {}

    void check() {
        (void)in_.rest_of_line(); // the version
        (void)in_.rest_of_line(); // the title
        std::string const kind = in_lower_case(in_.word("ASCII or BINARY"));
        if (kind != "ascii" && kind != "binary") in_.fail("expected ASCII or BINARY, found \"" + kind + '"');
        is_binary_ = kind == "binary";
        for (std::string word = key(); !word.empty(); word = key()) {
            if (word == "dataset") {
                (void)in_.word("a kind of data set");
            } else if (word == "field") {
                pass_field();
            } else if (word == "metadata") {
                pass_vtk_metadata(in_, last_components_);
            } else if (word == "points") {
                std::int64_t const points = count("a number of points");
                std::int64_t const bytes = bytes_of_type();
                last_components_ = 3;
                pass(3 * points, bytes);
            } else if (word == "cells") {
                check_cells();
            } else if (word == "cell_types") {
                std::int64_t const types = count("a number of cells");
                if (types != cells_)
                    in_.fail("expected CELL_TYPES of " + std::to_string(cells_) + " cells, found " +
                             std::to_string(types));
                (void)in_.rest_of_line();
                pass(types, 4);
                return;
            } else {
                in_.fail("expected POINTS, CELLS or CELL_TYPES, found \"" + word.substr(0, 40) + '"');
            }
        }
        if (cells_ > 0) in_.fail("expected CELL_TYPES, found the end of the file");
    }

private:
    std::string key() { return in_lower_case(in_.word_or_end()); }

    std::int64_t count(char const* expected) {
        std::int64_t const found = in_.whole_number(expected);
        if (found < 0 || found > std::int64_t{1} << 48)
            in_.fail(std::string("expected ") + expected + ", found " + std::to_string(found));
        return found;
    }

    /// Returns the bytes of a value of the type at the end of the line.
    std::int64_t bytes_of_type() {
        constexpr std::pair<std::string_view, std::int64_t> types[] = {{"float", 4}, {"double", 8},
            {"int", 4}, {"unsigned_int", 4}, {"long", 8}, {"unsigned_long", 8}, {"vtktypeint64", 8},
            {"vtktypeuint64", 8}, {"vtkidtype", 4}, {"short", 2}, {"unsigned_short", 2}, {"char", 1},
            {"signed_char", 1}, {"unsigned_char", 1}, {"bit", 0}, {"string", -1}, {"utf8_string", -1}};
        std::string const word = in_lower_case(in_.word("a type of values"));
        for (auto const& [name, bytes] : types)
            if (word == name) {
                (void)in_.rest_of_line();
                return bytes;
            }
        in_.fail("expected a type of values, such as float, found \"" + word.substr(0, 40) + '"');
    }

    void pass(std::int64_t values, std::int64_t bytes) {
        if (bytes < 0)
            pass_vtk_texts(in_, is_binary_, values);
        else if (is_binary_)
            in_.skip_bytes(bytes == 0 ? (values + 7) / 8 : values * bytes);
        else
            in_.skip_words(values);
    }

    void pass_field() {
        (void)in_.word("the name of a field");
        for (std::int64_t left = count("a number of arrays"); left > 0; --left) {
            std::string const array = in_.word("the name of an array");
            if (in_lower_case(array) == "metadata") { // of the previous array
                pass_vtk_metadata(in_, last_components_);
                ++left;
                continue;
            }
            std::int64_t const components = count("a number of components");
            std::int64_t const tuples = count("a number of tuples");
            auto const values = product_of({components, tuples, 8});
            if (!values) in_.fail("expected a number of values, found " + std::to_string(tuples));
            last_components_ = components;
            pass(*values / 8, bytes_of_type());
        }
    }

    /// Reads integers, of the given bytes if they are binary.
    std::vector<std::int64_t> numbers(std::int64_t many, std::int64_t bytes) {
        std::string const name = in_.file().path().string();
        check_memory(name, product_of({many, 8}), "its cells");
        std::vector<std::int64_t> found;
        if (!is_binary_) {
            for (std::int64_t i = 0; i < many; ++i) found.push_back(in_.whole_number("a number of a cell"));
            return found;
        }
        std::int64_t const start = in_.offset();
        in_.skip_bytes(many * bytes);
        std::vector<std::byte> raw(static_cast<std::size_t>(many * bytes));
        in_.file().read_all(raw, start);
        swap_from_big_endian(raw, static_cast<std::size_t>(bytes));
        found.resize(static_cast<std::size_t>(many));
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (bytes == 8) {
                std::memcpy(&found[i], raw.data() + 8 * i, 8);
            } else {
                std::int32_t value = 0;
                std::memcpy(&value, raw.data() + 4 * i, 4);
                found[i] = value;
            }
        }
        return found;
    }

    void check_cells() {
        std::int64_t const first = count("a number of cells");
        std::int64_t const second = count("a number of corners");
        (void)in_.rest_of_line();
        std::int64_t const start = in_.offset();
        std::int64_t const line = in_.line();
        if (key_here(start, line) == "offsets")
            check_offsets(first, second);
        else
            check_lengths(first, second);
    }

    /// Returns the next seven bytes as text, without moving on.
    std::string key_here(std::int64_t start, std::int64_t line) {
        std::string head(7, '\0');
        head.resize(in_.file().read(head.data(), head.size(), start));
        in_.go_to(start, line);
        return in_lower_case(head);
    }

    void check_lengths(std::int64_t cells, std::int64_t size) {
        cells_ = cells;
        std::vector<std::int64_t> const all = numbers(size, 4);
        std::size_t at = 0;
        for (std::int64_t cell = 0; cell < cells; ++cell) {
            if (at >= all.size() || all[at] < 0 || all[at] >= static_cast<std::int64_t>(all.size() - at))
                in_.fail("expected " + std::to_string(cells) + " cells in " + std::to_string(size) +
                         " numbers, found the end of them at cell " + std::to_string(cell));
            at += static_cast<std::size_t>(all[at]) + 1;
        }
        if (at != all.size())
            in_.fail("expected " + std::to_string(cells) + " cells in " + std::to_string(size) +
                     " numbers, found " + std::to_string(all.size() - at) + " numbers too many");
    }

    void check_offsets(std::int64_t offsets, std::int64_t corners) {
        (void)in_.word("OFFSETS");
        std::int64_t const bytes = bytes_of_type();
        if (bytes != 8 && bytes != 4) in_.fail("expected offsets of 32 or 64 bits");
        std::vector<std::int64_t> const all = numbers(offsets, bytes);
        if (!all.empty() && (all.front() != 0 || all.back() != corners || !std::ranges::is_sorted(all)))
            in_.fail("expected offsets of cells that ascend from 0 to " + std::to_string(corners));
        cells_ = std::max<std::int64_t>(offsets - 1, 0);
        if (key() != "connectivity") in_.fail("expected CONNECTIVITY behind OFFSETS");
        pass(corners, bytes_of_type());
    }

    text_cursor in_;
    bool is_binary_ = false;
    std::int64_t cells_ = 0;
    std::int64_t last_components_ = 1; // of the previous array, whose components METADATA may name
};

} // namespace

void check_vtk_legacy_cells(std::filesystem::path const& file) {
    legacy_cells(file).check();
}

} // namespace weft
