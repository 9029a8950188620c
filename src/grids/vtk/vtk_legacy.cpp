#include <grids/vtk/vtk_legacy.hpp>

#include <core/lower_case.hpp>
#include <grids/values/grid_memory.hpp>
#include <grids/values/text_cursor.hpp>
#include <grids/values/text_values.hpp>
#include <grids/vtk/vtk_ghosts.hpp>
#include <grids/vtk/vtk_metadata.hpp>
#include <grids/vtk/vtk_stored_values.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <utility>

// The format: The VTK User's Guide, "VTK File Formats", simple legacy formats.

namespace weft {

namespace {

class legacy_file {
public:
    legacy_file(std::filesystem::path const& file, std::string const& variable) : in_(file) {
        read_head();
        read_sections();
        chosen = choose(variable);
        if (!chosen.type.as)
            throw usage_error(name() + ": '" + chosen.name + "' has values of type " + chosen.type.name +
                              ", which cannot be used");
        shape.type = *chosen.type.as;
        shape.components = chosen.components;
        shape.points = dims_;
        check_shape(name(), shape);
        take_axes();
    }

    [[nodiscard]] std::vector<std::string> fields() const {
        std::vector<std::string> names;
        for (vtk_stored_values const& each : arrays_)
            if (each.name != name_of_ghosts && each.name != "vtkGhostLevels") names.push_back(each.name);
        return names;
    }

    [[nodiscard]] std::string name() const { return in_.file().path().string(); }

    [[nodiscard]] std::unique_ptr<value_reader> reader_of(vtk_stored_values const& from) const {
        std::filesystem::path const& path = in_.file().path();
        if (!is_binary_) return values_in_text(text_cursor(path), from.places, *from.type.as, from.type.name);
        auto bytes = bytes_in_file(path, from.places[0].offset);
        if (from.type.bytes == 0) return vtk_bits_of(std::move(bytes));
        return values_of_bytes(
            std::move(bytes), size_of(*from.type.as), std::endian::native == std::endian::little);
    }

    /// Reads all values of an array.
    [[nodiscard]] std::vector<std::byte> load(vtk_stored_values const& from) const {
        auto const bytes = static_cast<std::size_t>(from.tuples * from.components) * size_of(*from.type.as);
        check_memory(name(), static_cast<std::int64_t>(bytes), "the values of '" + from.name + "'");
        std::vector<std::byte> values(bytes);
        reader_of(from)->read(0, values);
        return values;
    }

    [[nodiscard]] vtk_ghosts ghosts() { return {marks(true), marks(false)}; }

    grid_shape shape;
    vtk_stored_values chosen;

    [[nodiscard]] std::array<std::int64_t, 3> const& dims() const noexcept { return dims_; }

private:
    /// Returns the marks of all points, or of all cells; empty if absent. Files before VTK 6 have levels,
    /// which are above 0 for parts of other pieces.
    [[nodiscard]] std::vector<std::uint8_t> marks(bool at_points) {
        std::vector<std::uint8_t> found;
        for (vtk_stored_values const& each : ghosts_) {
            if (each.at_points != at_points) continue;
            if (!each.type.as || each.components != 1)
                throw io_error(name() + ": " + each.name + " has values of type " + each.type.name +
                               ", and a mark has one of type unsigned_char");
            visit_values(*each.type.as, load(each), [&](auto values) {
                for (auto const value : values)
                    found.push_back(each.name == name_of_ghosts
                                        ? static_cast<std::uint8_t>(static_cast<unsigned>(value))
                                        : static_cast<std::uint8_t>(value > 0 ? 1 : 0));
            });
            break;
        }
        return found;
    }

    void read_head() {
        std::string const banner = in_.rest_of_line();
        if (!banner.starts_with("# vtk DataFile Version"))
            throw io_error(name() + ":1: expected \"# vtk DataFile Version ...\", found \"" +
                           banner.substr(0, 40) + "\"");
        (void)in_.rest_of_line(); // the title
        std::string const kind = in_lower_case(in_.word("ASCII or BINARY"));
        if (kind != "ascii" && kind != "binary") in_.fail("expected ASCII or BINARY, found \"" + kind + '"');
        is_binary_ = kind == "binary";
    }

    std::int64_t count(char const* expected) {
        std::int64_t const found = in_.whole_number(expected);
        if (found < 0 || found > std::int64_t{1} << 48)
            in_.fail(std::string("expected ") + expected + ", found " + std::to_string(found));
        return found;
    }

    vtk_stored_type type_word() {
        std::string const word = in_lower_case(in_.word("a type of values"));
        if (auto const found = vtk_type_named(word)) return *found;
        in_.fail("expected a type of values, such as float, found \"" + word.substr(0, 40) + '"');
    }

    /// Skips values, which begin in the next line, and returns their place.
    vtk_stored_values pass(
        std::string array, vtk_stored_type const& type, std::int64_t components, std::int64_t tuples) {
        if (components < 1 || components > 1 << 20)
            in_.fail("expected from 1 to 1048576 values a point, found " + std::to_string(components));
        auto const values = product_of({components, tuples, 8});
        if (!values) in_.fail("expected a number of values, found " + std::to_string(tuples));
        vtk_stored_values found{std::move(array), type, static_cast<int>(components), tuples, {in_.place()}};
        last_components_ = components;
        if (type.bytes < 0)
            pass_vtk_texts(in_, is_binary_, *values / 8);
        else if (is_binary_)
            in_.skip_bytes(type.bytes == 0 ? (*values / 8 + 7) / 8 : *values / 8 * type.bytes);
        else
            found.places = in_.places_of_words(*values / 8);
        return found;
    }

    void read_sections() {
        for (std::string word = in_.word_or_end(); !word.empty(); word = in_.word_or_end()) {
            std::string const key = in_lower_case(word);
            if (key == "dataset")
                read_dataset_kind();
            else if (key == "dimensions")
                for (std::int64_t& each : dims_) each = count("a number of points");
            else if (key == "extent")
                read_extent();
            else if (key == "origin")
                for (double& each : origin_) each = in_.number("a coordinate");
            else if (key == "spacing" || key == "aspect_ratio")
                for (double& each : spacing_) each = in_.number("a distance");
            else if (key == "x_coordinates" || key == "y_coordinates" || key == "z_coordinates")
                read_coordinates(static_cast<std::size_t>(key[0] - 'x'));
            else if (key == "points")
                read_points();
            else if (key == "point_data" || key == "cell_data")
                begin_data(key == "point_data");
            else if (key == "field")
                read_field();
            else if (key == "metadata")
                pass_vtk_metadata(in_, last_components_);
            else
                read_attribute(key);
        }
        if (kind_.empty()) in_.fail("expected DATASET, found the end of the file");
    }

    void read_dataset_kind() {
        kind_ = in_lower_case(in_.word("a kind of data set"));
        if (kind_ != "structured_points" && kind_ != "rectilinear_grid" && kind_ != "structured_grid")
            throw io_error(name() + ": holds a data set " + kind_.substr(0, 40) +
                           "; image data, a rectilinear or a structured grid can be read");
    }

    /// Reads the first and last point along each axis, which replace DIMENSIONS.
    void read_extent() {
        for (std::size_t d = 0; d < 3; ++d) {
            first_[d] = in_.whole_number("the first point of an extent");
            std::int64_t const last = in_.whole_number("the last point of an extent");
            constexpr std::int64_t farthest = std::int64_t{1} << 31;
            if (first_[d] < -farthest || first_[d] > farthest || last < first_[d] ||
                last > first_[d] + (std::int64_t{1} << 48))
                in_.fail("expected an extent from a first to a last point, found " +
                         std::to_string(first_[d]) + " " + std::to_string(last));
            dims_[d] = last - first_[d] + 1;
        }
    }

    void read_coordinates(std::size_t d) {
        std::int64_t const points = count("a number of coordinates");
        vtk_stored_type const type = type_word();
        (void)in_.rest_of_line();
        axes_[d] = pass(std::string(1, "xyz"[d]), type, 1, points);
    }

    void read_points() {
        std::int64_t const points = count("a number of points");
        vtk_stored_type const type = type_word();
        (void)in_.rest_of_line();
        places_ = pass("points", type, 3, points);
    }

    void begin_data(bool at_points) {
        at_points_ = at_points;
        tuples_ = count("a number of values");
        (void)in_.rest_of_line();
        check_dimensions();
        std::int64_t expected = 1;
        for (std::int64_t const each : dims_)
            expected *= at_points ? each : std::max<std::int64_t>(each - 1, 1);
        if (tuples_ != expected)
            in_.fail("expected " + std::to_string(expected) + (at_points ? " points" : " cells") +
                     ", as DIMENSIONS says, found " + std::to_string(tuples_));
    }

    void check_dimensions() {
        if (kind_.empty()) in_.fail("expected DATASET first");
        if (!product_of({dims_[0], dims_[1], dims_[2], 64}) || dims_[0] * dims_[1] * dims_[2] == 0)
            in_.fail("expected DIMENSIONS of at least 1 point each, found " + std::to_string(dims_[0]) + " " +
                     std::to_string(dims_[1]) + " " + std::to_string(dims_[2]));
    }

    void keep(vtk_stored_values found, int order) {
        found.at_points = at_points_;
        found.order = order;
        if (tuples_ < 0 || found.tuples != tuples_) return;
        if (found.name == name_of_ghosts || found.name == "vtkGhostLevels") ghosts_.push_back(found);
        arrays_.push_back(std::move(found));
    }

    void read_field() {
        (void)in_.word("the name of a field");
        std::int64_t const arrays = count("a number of arrays");
        for (std::int64_t i = 0; i < arrays; ++i) {
            std::string array = in_.word("the name of an array");
            if (in_lower_case(array) == "metadata") { // of the previous array
                pass_vtk_metadata(in_, last_components_);
                array = in_.word("the name of an array");
            }
            std::int64_t const components = count("a number of components");
            std::int64_t const tuples = count("a number of tuples");
            vtk_stored_type const type = type_word();
            (void)in_.rest_of_line();
            if (components == 0 || tuples == 0) continue;
            keep(pass(decoded_vtk_name(array), type, components, tuples), 2);
        }
    }

    void read_attribute(std::string const& key) {
        struct kind {
            char const* key;
            std::int64_t components;
            int order;
        };
        constexpr kind kinds[] = {{"vectors", 3, 0}, {"normals", 3, 2}, {"tensors", 9, 2}, {"tensors6", 6, 2},
            {"global_ids", 1, 2}, {"pedigree_ids", 1, 2}};
        bool const is_table = key == "lookup_table";
        if (tuples_ < 0 && !is_table)
            in_.fail("expected a section of the format, found \"" + key.substr(0, 40) + '"');
        if (key == "scalars") {
            read_scalars();
        } else if (key == "color_scalars" || is_table) {
            std::string const array = decoded_vtk_name(in_.word("a name"));
            std::int64_t const number = count("a number");
            (void)in_.rest_of_line();
            vtk_stored_type const type =
                *vtk_type_named(is_binary_ ? "unsigned_char" : "float"); // bytes, or fractions of 1 as text
            vtk_stored_values found = pass(array, type, is_table ? 4 : number, is_table ? number : tuples_);
            if (!is_table) keep(std::move(found), 2);
        } else if (key == "texture_coordinates") {
            std::string const array = decoded_vtk_name(in_.word("a name"));
            std::int64_t const components = count("a number of coordinates");
            vtk_stored_type const type = type_word();
            (void)in_.rest_of_line();
            keep(pass(array, type, components, tuples_), 2);
        } else {
            auto const* const found =
                std::ranges::find_if(kinds, [&](kind const& each) { return key == each.key; });
            if (found == std::end(kinds))
                in_.fail("expected a section of the format, found \"" + key.substr(0, 40) + '"');
            std::string const array = decoded_vtk_name(in_.word("a name"));
            vtk_stored_type const type = type_word();
            (void)in_.rest_of_line();
            keep(pass(array, type, found->components, tuples_), found->order);
        }
    }

    void read_scalars() {
        std::string const array = decoded_vtk_name(in_.word("a name"));
        vtk_stored_type const type = type_word();
        std::string const components = in_.rest_of_line();
        std::int64_t each = 1;
        if (components.size() > 4 || components.find_first_not_of("0123456789") != std::string::npos)
            in_.fail("expected a number of components, found \"" + components.substr(0, 40) + '"');
        if (!components.empty()) each = std::stoll(components);
        // A line with the name of a colour table is optional.
        std::int64_t const offset = in_.offset();
        std::int64_t const line = in_.line();
        std::string const next = in_lower_case(in_.rest_of_line());
        if (!next.starts_with("lookup_table")) in_.go_to(offset, line);
        keep(pass(array, type, each, tuples_), 1);
    }

    vtk_stored_values choose(std::string const& variable) {
        if (arrays_.empty()) {
            if (tuples_ < 0)
                in_.fail("expected POINT_DATA or CELL_DATA with values, found the end of the file");
            throw usage_error(name() + ": has no values at its points or cells");
        }
        // At points before at cells; vectors before scalars before others.
        std::ranges::stable_sort(arrays_, [](vtk_stored_values const& a, vtk_stored_values const& b) {
            return std::pair(!a.at_points, a.order) < std::pair(!b.at_points, b.order);
        });
        if (variable.empty())
            for (vtk_stored_values const& each : arrays_)
                if (each.name != name_of_ghosts && each.name != "vtkGhostLevels") return each;
        std::string all;
        for (vtk_stored_values const& each : arrays_) {
            if (each.name == variable) return each;
            all += (all.empty() ? "" : ", ") + each.name;
        }
        if (variable.empty())
            throw usage_error(name() + ": has no values but marks of hidden points or cells");
        throw usage_error(name() + ": has no values called '" + variable + "'; there are " + all);
    }

    [[nodiscard]] std::vector<double> as_doubles(vtk_stored_values const& from) {
        if (!from.type.as) throw io_error(name() + ": has coordinates of type " + from.type.name);
        std::vector<double> numbers;
        std::vector<std::byte> const bytes = load(from);
        visit_values(
            *from.type.as, bytes, [&](auto values) { numbers.assign(values.begin(), values.end()); });
        return numbers;
    }

    void take_axes() {
        check_shape(name(), shape);
        if (kind_ == "structured_points")
            for (std::size_t d = 0; d < 3; ++d)
                for (std::int64_t i = 0; i < dims_[d]; ++i)
                    shape.axes[d].push_back(origin_[d] + static_cast<double>(first_[d] + i) * spacing_[d]);
        else if (kind_ == "rectilinear_grid")
            take_coordinates();
        else
            take_places();
        if (!chosen.at_points) move_to_cells(shape);
    }

    void take_coordinates() {
        for (std::size_t d = 0; d < 3; ++d) {
            if (axes_[d].tuples != dims_[d])
                throw io_error(name() + ": has " + std::to_string(axes_[d].tuples) + " coordinates along " +
                               "xyz"[d] + " for " + std::to_string(dims_[d]) + " points");
            shape.axes[d] = as_doubles(axes_[d]);
        }
    }

    void take_places() {
        if (places_.tuples != dims_[0] * dims_[1] * dims_[2])
            throw io_error(name() + ": has " + std::to_string(places_.tuples) +
                           " POINTS, but DIMENSIONS of " + std::to_string(dims_[0] * dims_[1] * dims_[2]));
        if (!places_.type.as) throw io_error(name() + ": has coordinates of type " + places_.type.name);
        grid_shape of_places;
        of_places.points = dims_;
        of_places.type = *places_.type.as;
        of_places.components = 3;
        std::vector<grid_piece> whole;
        whole.push_back({points_of(of_places), reader_of(places_)});
        take_axes_of_places(*grid_of_pieces(std::move(of_places), std::move(whole)), shape);
    }

    text_cursor in_;
    bool is_binary_ = false;
    std::string kind_;
    std::array<std::int64_t, 3> dims_{};
    std::array<std::int64_t, 3> first_{}; // number of the first point; the origin is that of point 0
    std::int64_t last_components_ = 1;    // of the previous array, whose components METADATA may name
    std::array<double, 3> origin_{};
    std::array<double, 3> spacing_{1, 1, 1};
    std::array<vtk_stored_values, 3> axes_;
    vtk_stored_values places_;
    bool at_points_ = true;
    std::int64_t tuples_ = -1; // of the section of values; -1: before the first
    std::vector<vtk_stored_values> arrays_;
    std::vector<vtk_stored_values> ghosts_;
};

} // namespace

std::unique_ptr<grid_source> open_vtk_legacy(
    std::filesystem::path const& file, grid_file_options const& options) {
    legacy_file found(file, options.variable);
    grid_mask mask = mask_of(found.ghosts(), found.dims(), found.shape.values_at, options.each_once);
    std::vector<grid_piece> whole;
    whole.push_back({points_of(found.shape), found.reader_of(found.chosen)});
    auto source = grid_of_pieces(std::move(found.shape), std::move(whole));
    return with_mask(std::move(source), std::move(mask), file.string());
}

std::vector<std::string> fields_of_vtk_legacy(std::filesystem::path const& file) {
    return legacy_file(file, {}).fields();
}

} // namespace weft
