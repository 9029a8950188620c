#include <grids/formats/raw_grid.hpp>

#include <files/file_handle.hpp>
#include <grids/values/box_copy.hpp>
#include <grids/values/byte_order.hpp>
#include <grids/values/grid_memory.hpp>

#include <weft/core/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <utility>

namespace weft {

namespace {

/// Reads a box of values that are stored contiguously from byte `begin` on.
template <class File>
void read_rows(File& file, grid_shape const& shape, std::int64_t begin, bool swapped,
    box<std::int64_t> const& points, std::span<std::byte> into) {
    std::size_t const point = size_of(shape.type) * static_cast<std::size_t>(shape.components);
    for_rows(points, points_of(shape), [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
        file.read_all(
            into.subspan(static_cast<std::size_t>(first) * point, static_cast<std::size_t>(count) * point),
            begin + offset * static_cast<std::int64_t>(point));
    });
    if (swapped) swap_bytes(into, size_of(shape.type));
}

class raw_grid final : public grid_source {
public:
    raw_grid(std::filesystem::path const& file, grid_shape shape, std::int64_t first, bool swapped)
        : file_(file_handle::open_to_read(file)),
          shape_(std::move(shape)),
          first_(first),
          swapped_(swapped) {}

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        read_rows(file_, shape_, first_, swapped_, points, into);
    }

private:
    file_handle file_;
    grid_shape shape_;
    std::int64_t first_; // offset of the first value
    bool swapped_;       // values are in the other byte order
};

class packed_grid final : public grid_source {
public:
    packed_grid(gzip_stream packed, grid_shape shape, std::int64_t first, bool swapped, bool ends)
        : packed_(std::move(packed)),
          shape_(std::move(shape)),
          first_(first),
          swapped_(swapped),
          ends_(ends) {}

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        if (into.empty()) return;
        read_rows(packed_, shape_, first_, swapped_, points, into);
        bool const has_last = points.hi[0] == shape_.points[0] && points.hi[1] == shape_.points[1] &&
                              points.hi[2] == shape_.points[2];
        if (ends_ && has_last) packed_.check_end();
    }

private:
    gzip_stream packed_;
    grid_shape shape_;
    std::int64_t first_; // offset of the first value, decompressed
    bool swapped_;
    bool ends_; // nothing follows the values, so their checksum can be verified
};

/// Opens a file that has `header_bytes` and all values, and nothing else.
std::unique_ptr<grid_source> open_values(
    std::filesystem::path const& file, grid_shape shape, std::int64_t header_bytes, bool swapped) {
    check_shape(file.string(), shape);
    auto const values = static_cast<std::int64_t>(bytes_of(shape, points_of(shape)));
    std::int64_t const size = file_handle::open_to_read(file).size();
    if (header_bytes < 0 || header_bytes > size || size - header_bytes != values)
        throw io_error(
            file.string() + ": has " + std::to_string(size) + " bytes, but " +
            (header_bytes == 0 ? "" : "behind " + std::to_string(header_bytes) + " that are skipped ") +
            std::to_string(shape.points[0]) + " x " + std::to_string(shape.points[1]) + " x " +
            std::to_string(shape.points[2]) + " points of " + std::to_string(shape.components) + " " +
            name_of(shape.type) + " take " + std::to_string(values));
    return values_in_file(file, std::move(shape), header_bytes, swapped);
}

/// Returns CARRIER.raw or CARRIER.anything.raw in the folder of CARRIER.json.
std::filesystem::path raw_beside(std::filesystem::path const& description) {
    std::filesystem::path folder = description.parent_path();
    if (folder.empty()) folder = ".";
    std::string const start = description.stem().string() + ".";
    std::filesystem::path found;
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
        std::string const name = entry.path().filename().string();
        if (name.rfind(start, 0) != 0 || entry.path().extension() != ".raw") continue;
        if (!found.empty())
            throw io_error(description.string() + ": both " + found.filename().string() + " and " + name +
                           " could be its values; name one with the key \"file\"");
        found = entry.path();
    }
    if (found.empty())
        throw io_error(description.string() + ": there is no " + start +
                       "raw beside it; name the file of the values with the key \"file\"");
    return found;
}

/// Returns true if a description's layout, such as "float32 BE, interleaved (u,v,w), x fastest, then y, then
/// z", has the other byte order. Throws: `io_error` for an unsupported layout.
bool is_swapped(std::string const& layout, grid_shape const& shape, std::string const& file) {
    bool swapped = false;
    std::string word;
    for (char const each : layout + ' ') {
        if (std::string_view(" ,()").find(each) == std::string_view::npos) {
            word += each;
            continue;
        }
        if (word == "LE" || word == "BE") {
            swapped = (word == "LE") != (std::endian::native == std::endian::little);
        } else if (!word.empty() && word != name_of(shape.type)) {
            constexpr std::string_view known[] = {
                "interleaved", "u", "v", "w", "x", "fastest", "then", "y", "z"};
            if (std::ranges::find(known, word) == std::end(known))
                throw io_error(file + ": its layout has '" + word + "'; expected " + name_of(shape.type) +
                               ", LE or BE, interleaved, x fastest, then y, then z");
        }
        word.clear();
    }
    for (char const* const axis : {"y fastest", "z fastest"})
        if (layout.find(axis) != std::string::npos)
            throw io_error(file + ": its layout has " + axis + "; expected x fastest, then y, then z");
    return swapped;
}

/// Refuses a description with a key that could change the meaning of values.
void check_keys(nlohmann::json const& description, std::string const& file) {
    constexpr std::string_view known[] = {"dims_xyz", "components", "type", "layout", "header_bytes", "x",
        "y", "z", "file", "name", "title", "description", "comment", "note", "source"};
    for (auto const& each : description.items())
        if (std::ranges::find(known, each.key()) == std::end(known))
            throw io_error(
                file + ": has the key \"" + each.key().substr(0, 40) +
                "\", which weft does not know and so cannot heed; known are dims_xyz, components, type, "
                "layout, header_bytes, x, y, z and file, and words under note");
}

} // namespace

std::unique_ptr<grid_source> values_in_file(
    std::filesystem::path const& file, grid_shape shape, std::int64_t first, bool swapped) {
    return std::make_unique<raw_grid>(file, std::move(shape), first, swapped);
}

std::unique_ptr<grid_source> values_in_gzip(
    gzip_stream packed, grid_shape shape, std::int64_t first, bool swapped, bool ends) {
    return std::make_unique<packed_grid>(std::move(packed), std::move(shape), first, swapped, ends);
}

std::unique_ptr<grid_source> open_raw_grid(
    std::filesystem::path const& file, grid_file_options const& options) {
    if (options.dims[0] < 1 || options.dims[1] < 1 || options.dims[2] < 1)
        throw usage_error(file.string() + ": a raw file does not say how long it is along x, y and z; add "
                                          "`dims` X,Y,Z");
    if (!options.type)
        throw usage_error(file.string() +
                          ": a raw file does not say the type of its values; add `type` uint8, uint16 or "
                          "float32, or another one");
    grid_shape shape;
    shape.points = options.dims;
    shape.components = options.components;
    shape.type = *options.type;
    check_shape(file.string(), shape);
    number_axes(shape);
    return open_values(file, std::move(shape), options.header_bytes,
        options.byte_order.value_or(std::endian::native) != std::endian::native);
}

std::unique_ptr<grid_source> open_described_grid(
    std::filesystem::path const& file, grid_file_options const&) {
    std::ifstream in(file);
    if (!in) throw io_error(system_complaint(file, "read", errno));
    grid_shape shape;
    std::filesystem::path values;
    bool swapped = false;
    std::int64_t header_bytes = 0;
    try {
        nlohmann::json const description = nlohmann::json::parse(in);
        check_keys(description, file.string());
        shape.points = description.at("dims_xyz").get<std::array<std::int64_t, 3>>();
        shape.components = description.value("components", 3);
        header_bytes = description.value("header_bytes", std::int64_t{0});
        shape.type = value_type_named(description.value("type", std::string("float32")));
        char const* const names[] = {"x", "y", "z"};
        check_shape(file.string(), shape);
        number_axes(shape);
        for (std::size_t d = 0; d < 3; ++d) {
            if (!description.contains(names[d])) continue;
            shape.axes[d] = description[names[d]].get<std::vector<double>>();
            if (static_cast<std::int64_t>(shape.axes[d].size()) != shape.points[d])
                throw io_error(file.string() + ": \"" + names[d] + "\" has " +
                               std::to_string(shape.axes[d].size()) + " coordinates for " +
                               std::to_string(shape.points[d]) + " points");
        }
        if (description.contains("layout"))
            swapped = is_swapped(description["layout"].get<std::string>(), shape, file.string());
        if (description.contains("file"))
            values = file.parent_path() / description["file"].get<std::string>();
    } catch (nlohmann::json::exception const& wrong) {
        throw io_error(file.string() + ": does not describe a grid: " + wrong.what());
    } catch (usage_error const& wrong) { throw io_error(file.string() + ": " + wrong.what()); }
    if (values.empty()) values = raw_beside(file);
    try {
        return open_values(values, std::move(shape), header_bytes, swapped);
    } catch (io_error const& wrong) {
        throw io_error(file.string() + ": its values cannot be read: " + wrong.what());
    }
}

} // namespace weft
