#include <meshes/gmsh_mesh.hpp>

#include <grids/values/byte_order.hpp>
#include <grids/values/text_cursor.hpp>
#include <meshes/chosen_arrays.hpp>
#include <meshes/gmsh_element.hpp>
#include <meshes/place_finder.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

namespace {

class gmsh_file {
public:
    explicit gmsh_file(std::filesystem::path const& file) : at_(file), bytes_(at_.file().size()) {
        read_format();
        bool has_nodes = false;
        bool has_elements = false;
        for (std::string section; !(section = at_.word_or_end()).empty();) {
            if (!section.starts_with("$"))
                at_.fail("expected a section such as $Nodes, found '" + section + "'");
            if (section == "$Nodes") {
                read_nodes();
                has_nodes = true;
            } else if (section == "$Elements") {
                if (!has_nodes) at_.fail("expected $Nodes before $Elements");
                read_elements();
                has_elements = true;
            } else if (section == "$NodeData" || section == "$ElementData") {
                if (!has_elements) at_.fail("expected $Elements before " + section);
                read_data(section == "$ElementData");
            } else {
                skip(section);
                continue;
            }
            std::string const end = "$End" + section.substr(1);
            if (std::string const found = at_.word(end.c_str()); found != end)
                at_.fail("expected " + end + ", found '" + found + "'");
        }
        if (!has_elements) at_.fail("expected $Nodes and $Elements, found the end of the file");
    }

    [[nodiscard]] mesh_piece piece(mesh_request const& wanted) && {
        if (!made_.places.empty()) made_.arrays = chosen_arrays(at_.file().path().string(), arrays_, wanted);
        return std::move(made_);
    }

private:
    void read_format() {
        std::string first = at_.word("$MeshFormat");
        for (; first == "$Comments"; first = at_.word("$MeshFormat")) skip(first);
        if (first != "$MeshFormat") at_.fail("expected $MeshFormat, found '" + first + "'");
        double const version = at_.number("the version of the format");
        old_ = version >= 2 && version < 3;
        first_of_4_ = version == 4;
        if (!old_ && !first_of_4_ && version != 4.1)
            at_.fail("the mesh is of a version of the format that is not known; save it as 2.2, 4.0 or 4.1 "
                     "(gmsh FILE -save -format msh41)");
        binary_ = at_.whole_number("0 for text or 1 for binary") != 0;
        if (at_.whole_number("the length of a number, 8") != 8) at_.fail("expected numbers of 8 bytes");
        (void)at_.rest_of_line();
        if (binary_) {
            std::int32_t const one = bulk<std::int32_t>(1)[0];
            swapped_ = one == 0x01000000;
            if (one != 1 && !swapped_) at_.fail("expected the number 1 in binary");
        }
        if (at_.word("$EndMeshFormat") != "$EndMeshFormat") at_.fail("expected $EndMeshFormat");
    }

    /// Reads binary values. Checks the size of the file before it allocates memory.
    template <class T>
    [[nodiscard]] std::vector<T> bulk(std::int64_t count) {
        std::int64_t const here = at_.offset();
        if (count < 0 || count > (bytes_ - here) / static_cast<std::int64_t>(sizeof(T)))
            at_.fail("the file ends within a section of " + std::to_string(count) + " numbers");
        std::vector<T> read(static_cast<std::size_t>(count));
        std::span<std::byte> const into = std::as_writable_bytes(std::span(read));
        copy_bytes(into, here);
        if (swapped_) swap_bytes(into, sizeof(T));
        at_.go_to(here + static_cast<std::int64_t>(into.size()), at_.line());
        return read;
    }
    /// Copies bytes from a window of the file, so that small numbers are not read one by one.
    void copy_bytes(std::span<std::byte> into, std::int64_t from) {
        auto const size = static_cast<std::int64_t>(into.size());
        if (size >= window_bytes) return at_.file().read_all(into, from);
        if (from < window_at_ || from + size > window_at_ + static_cast<std::int64_t>(window_.size())) {
            window_.resize(static_cast<std::size_t>(std::min(window_bytes, bytes_ - from)));
            window_at_ = from;
            at_.file().read_all(window_, from);
        }
        std::copy_n(window_.begin() + (from - window_at_), size, into.begin());
    }
    /// Returns `count`, after a check that the file has at least as many bytes.
    [[nodiscard]] std::int64_t checked(std::int64_t count, char const* of) {
        if (count < 0 || count > bytes_)
            at_.fail("found " + std::to_string(count) + " " + of + " in a file of " + std::to_string(bytes_) +
                     " bytes");
        return count;
    }
    /// Reads integers: binary ones have 4 bytes in version 2 and if they are `small`, else 8.
    [[nodiscard]] std::vector<std::int64_t> wholes(std::int64_t count, bool small) {
        std::vector<std::int64_t> read;
        if (binary_ && (old_ || small)) {
            for (std::int32_t const each : bulk<std::int32_t>(count)) read.push_back(each);
        } else if (binary_) {
            read = bulk<std::int64_t>(count);
        } else {
            for (std::int64_t i = 0; i < count; ++i) read.push_back(at_.whole_number("a whole number"));
        }
        return read;
    }
    [[nodiscard]] std::int64_t whole(bool small) { return wholes(1, small)[0]; }
    [[nodiscard]] std::vector<double> reals(std::int64_t count) {
        if (binary_) return bulk<double>(count);
        std::vector<double> read;
        for (std::int64_t i = 0; i < count; ++i) read.push_back(at_.value());
        return read;
    }

    void add_node(std::int64_t number, double const* at) {
        nodes_.add(number);
        made_.places.push_back({at[0], at[1], at[2]});
    }

    void read_nodes() {
        if (nodes_.size() > 0) at_.fail("expected one section $Nodes, found another");
        (void)at_.rest_of_line();
        if (old_) {
            std::int64_t const count = checked(at_.whole_number("the number of nodes"), "nodes");
            (void)at_.rest_of_line();
            for (std::int64_t i = 0; i < count; ++i) {
                std::int64_t const number = whole(true);
                add_node(number, reals(3).data());
            }
        } else {
            std::vector<std::int64_t> const head = read_counts();
            for (std::int64_t block = 0; block < checked(head[0], "blocks of nodes"); ++block) {
                std::vector<std::int64_t> const of = wholes(3, true); // dimension, entity, parametric or not
                std::int64_t const count = checked(whole(false), "nodes");
                std::int64_t const dimension = of[first_of_4_ ? 1 : 0];
                std::int64_t const each = 3 + (of[2] != 0 ? std::clamp<std::int64_t>(dimension, 0, 3) : 0);
                if (first_of_4_) { // each number stands before its coordinates
                    for (std::int64_t i = 0; i < count; ++i) {
                        std::int64_t const number = whole(true);
                        add_node(number, reals(each).data());
                    }
                    continue;
                }
                std::vector<std::int64_t> const numbers = wholes(count, false);
                std::vector<double> const places = reals(count * each);
                for (std::int64_t i = 0; i < count; ++i)
                    add_node(numbers[static_cast<std::size_t>(i)], places.data() + i * each);
            }
            if (nodes_.size() != head[1])
                at_.fail(
                    "expected " + std::to_string(head[1]) + " nodes, found " + std::to_string(nodes_.size()));
        }
        nodes_.sort();
        if (std::int64_t const twice = nodes_.repeated(); twice >= 0)
            at_.fail("the node " + std::to_string(twice) + " occurs twice");
    }

    /// Reads the numbers of blocks and of their entries; from version 4.1 on, also the least and greatest
    /// tag.
    [[nodiscard]] std::vector<std::int64_t> read_counts() { return wholes(first_of_4_ ? 2 : 4, false); }

    [[nodiscard]] gmsh_element const& element_of(std::int64_t type) {
        gmsh_element const* const found = gmsh_element_of(type);
        if (!found)
            at_.fail(
                "the mesh has elements of Gmsh's type " + std::to_string(type) +
                "; known are tetrahedra, hexahedra, prisms and pyramids of first order (4 to 7), of second "
                "and some of third");
        return *found;
    }

    void add_element(std::int64_t number, gmsh_element const& as, std::int64_t const* corners) {
        if (!as.kind) {
            ++made_.left_out;
            return;
        }
        auto const count = static_cast<std::int64_t>(corners_of(*as.kind));
        if (as.nodes > count) ++made_.straightened;
        for (std::int64_t c = 0; c < count; ++c) {
            std::int64_t const place = nodes_.find(corners[c]);
            if (place < 0)
                at_.fail("the element " + std::to_string(number) + " has the node " +
                         std::to_string(corners[c]) + ", which does not exist");
            made_.corners.push_back(place);
        }
        made_.kinds.push_back(*as.kind);
        elements_.add(number);
    }

    /// Reads elements of one type: each has its number, a fixed number of other integers, and its corners.
    void read_run(std::int64_t type, std::int64_t count, std::int64_t others, bool small) {
        gmsh_element const& as = element_of(type);
        std::int64_t const each = 1 + checked(others, "tags of an element") + as.nodes;
        if (count > bytes_ / each) at_.fail("the file ends within its elements");
        std::vector<std::int64_t> const numbers = wholes(count * each, small);
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t const* const element = numbers.data() + i * each;
            add_element(element[0], as, element + 1 + others);
        }
    }

    void read_elements() {
        if (elements_.size() > 0) at_.fail("expected one section $Elements, found another");
        (void)at_.rest_of_line();
        if (!old_) {
            std::vector<std::int64_t> const head = read_counts();
            std::int64_t found = 0;
            for (std::int64_t block = 0; block < checked(head[0], "blocks of elements"); ++block) {
                std::vector<std::int64_t> const of = wholes(3, true); // dimension, entity, type
                std::int64_t const count = checked(whole(false), "elements");
                read_run(of[2], count, 0, first_of_4_);
                found += count;
            }
            if (found != head[1])
                at_.fail("expected " + std::to_string(head[1]) + " elements, found " + std::to_string(found));
        } else {
            std::int64_t const count = checked(at_.whole_number("the number of elements"), "elements");
            (void)at_.rest_of_line();
            for (std::int64_t done = 0; done < count;) {
                if (binary_) {
                    std::vector<std::int64_t> const of = wholes(3, true); // type, number of elements, tags
                    if (of[1] < 1 || of[1] > count - done)
                        at_.fail("expected " + std::to_string(count) + " elements, found more");
                    read_run(of[0], of[1], of[2], true);
                    done += of[1];
                } else {
                    std::vector<std::int64_t> const of = wholes(3, true); // the number, the type, the tags
                    gmsh_element const& as = element_of(of[1]);
                    std::vector<std::int64_t> const rest = wholes(checked(of[2], "tags") + as.nodes, true);
                    add_element(of[0], as, rest.data() + of[2]);
                    ++done;
                }
            }
        }
        elements_.sort();
        if (std::int64_t const twice = elements_.repeated(); twice >= 0)
            at_.fail("the element " + std::to_string(twice) + " occurs twice");
    }

    /// Reads the number of tags of one kind, which is small.
    [[nodiscard]] std::int64_t tags(char const* expected) {
        std::int64_t const count = at_.whole_number(expected);
        if (count < 0 || count > 100)
            at_.fail(std::string("expected ") + expected + ", 0 to 100, found " + std::to_string(count));
        return count;
    }

    void read_data(bool of_cells) {
        (void)at_.rest_of_line();
        std::string name;
        std::int64_t const texts = tags("the number of text tags");
        (void)at_.rest_of_line();
        for (std::int64_t i = 0; i < texts; ++i) {
            std::string text = at_.rest_of_line();
            if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
                text = text.substr(1, text.size() - 2);
            if (i == 0)
                name = std::move(text);
            else if (!text.empty())
                at_.fail("'" + name + "' goes by the interpolation scheme '" + text +
                         "'; expected values at corners, without a scheme");
        }
        for (std::int64_t left = tags("the number of real tags"); left > 0; --left)
            (void)at_.number("a real tag");
        std::int64_t const integers = tags("the number of integer tags");
        std::int64_t said[4] = {0, 0, 0, 0}; // the step, the components, the values, the part of the mesh
        for (std::int64_t i = 0; i < integers; ++i) {
            std::int64_t const tag = at_.whole_number("an integer tag");
            if (i < 4) said[i] = tag;
        }
        (void)at_.rest_of_line();
        if (integers < 3 || said[1] < 1 || said[1] > 9)
            at_.fail(
                "expected the step, the components (1, 3 or 9) and the number of values of '" + name + "'");
        std::int64_t const count = checked(said[2], "values");
        auto const components = static_cast<std::size_t>(said[1]);
        place_finder const& places = of_cells ? elements_ : nodes_;
        mesh_array made{{name, static_cast<int>(said[1]),
                            std::vector<double>(static_cast<std::size_t>(places.size()) * components,
                                std::numeric_limits<double>::quiet_NaN())},
            of_cells};
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t const number = binary_ ? bulk<std::int32_t>(1)[0] : at_.whole_number("a number");
            std::vector<double> const values = reals(said[1]);
            std::int64_t const place = places.find(number);
            if (place >= 0)
                std::copy(values.begin(), values.end(), made.what.values.begin() + place * said[1]);
            else if (!of_cells)
                at_.fail("'" + name + "' has a value of the node " + std::to_string(number) +
                         ", which does not exist");
        }
        keep(std::move(made), said[0]);
    }

    /// Keeps an array: the first step of each name. Arrays of parts of a mesh are merged.
    void keep(mesh_array made, std::int64_t step) {
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            named_values& first = arrays_[i].what;
            if (first.name != made.what.name || arrays_[i].of_cells != made.of_cells) continue;
            if (steps_[i] != step) return;
            if (first.components != made.what.components)
                at_.fail("parts of '" + first.name + "' have " + std::to_string(first.components) + " and " +
                         std::to_string(made.what.components) + " values each");
            for (std::size_t v = 0; v < first.values.size(); ++v)
                if (std::isnan(first.values[v])) first.values[v] = made.what.values[v];
            return;
        }
        arrays_.push_back(std::move(made));
        steps_.push_back(step);
    }

    /// Skips to the end of a section.
    void skip(std::string const& section) {
        std::string const end = "$End" + section.substr(1);
        std::int64_t line = at_.line();
        std::string text; // the end of the previous piece, then this piece
        for (std::int64_t from = at_.offset(); from < bytes_;) {
            std::size_t const kept = text.size();
            text.resize(kept + (std::size_t{1} << 16));
            text.resize(kept + at_.file().read(text.data() + kept, text.size() - kept, from));
            from += static_cast<std::int64_t>(text.size() - kept);
            line += std::count(text.begin() + static_cast<std::ptrdiff_t>(kept), text.end(), '\n');
            if (std::size_t const found = text.find(end); found != std::string::npos) {
                std::string_view const behind = std::string_view(text).substr(found + end.size());
                line -= std::ranges::count(behind, '\n');
                return at_.go_to(from - static_cast<std::int64_t>(behind.size()), line);
            }
            text.erase(0, text.size() - std::min(text.size(), end.size()));
        }
        at_.fail("expected " + end + ", found the end of the file");
    }

    static constexpr std::int64_t window_bytes = 1 << 20;

    text_cursor at_;
    std::int64_t bytes_;
    std::vector<std::byte> window_;
    std::int64_t window_at_ = 0;
    bool old_ = false;        // version 2
    bool first_of_4_ = false; // version 4.0
    bool binary_ = false;
    bool swapped_ = false;
    place_finder nodes_;
    place_finder elements_;
    mesh_piece made_;
    std::vector<mesh_array> arrays_;
    std::vector<std::int64_t> steps_; // of each array
};

} // namespace

mesh_piece read_gmsh_mesh(std::filesystem::path const& file, mesh_request const& wanted) {
    return gmsh_file(file).piece(wanted);
}

} // namespace weft
