#include <grids/values/value_reader.hpp>

#include <files/file_handle.hpp>
#include <grids/values/box_copy.hpp>
#include <grids/values/byte_order.hpp>
#include <io/packed/unpackers.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace weft {

namespace {

class file_bytes final : public byte_reader {
public:
    file_bytes(std::filesystem::path const& file, std::int64_t first)
        : file_(file_handle::open_to_read(file)), first_(first) {}

    void read_all(std::span<std::byte> into, std::int64_t offset) override {
        file_.read_all(into, first_ + offset);
    }

private:
    file_handle file_;
    std::int64_t first_;
};

class bzip2_bytes final : public byte_reader {
public:
    bzip2_bytes(std::filesystem::path file, std::int64_t first, std::int64_t skipped)
        : path_(std::move(file)), first_(first), skipped_(skipped) {}

    void read_all(std::span<std::byte> into, std::int64_t offset) override {
        offset += skipped_;
        if (!stream_ || offset < at_) {
            stream_ = io::open_bzip2(file_handle::open_to_read(path_), first_);
            at_ = 0;
        }
        std::vector<std::byte> passed(std::size_t{1} << 16);
        while (at_ < offset) {
            auto const left = static_cast<std::size_t>(offset - at_);
            take(std::span(passed).first(std::min(passed.size(), left)));
        }
        take(into);
    }

private:
    void take(std::span<std::byte> into) {
        while (!into.empty()) {
            std::size_t const got = stream_->read(reinterpret_cast<char*>(into.data()), into.size());
            if (got == 0) throw io_error(path_.string() + ": ends before its values; copy it again");
            at_ += static_cast<std::int64_t>(got);
            into = into.subspan(got);
        }
    }

    std::filesystem::path path_;
    std::int64_t first_;
    std::int64_t skipped_;
    std::unique_ptr<io::byte_stream> stream_;
    std::int64_t at_ = 0; // bytes decompressed so far
};

class byte_values final : public value_reader {
public:
    byte_values(std::unique_ptr<byte_reader> bytes, std::size_t bytes_each, bool swapped)
        : bytes_(std::move(bytes)), bytes_each_(bytes_each), swapped_(swapped) {}

    void read(std::int64_t first, std::span<std::byte> into) override {
        bytes_->read_all(into, first * static_cast<std::int64_t>(bytes_each_));
        if (swapped_) swap_bytes(into, bytes_each_);
    }

private:
    std::unique_ptr<byte_reader> bytes_;
    std::size_t bytes_each_;
    bool swapped_;
};

class grid_in_pieces final : public grid_source {
public:
    grid_in_pieces(grid_shape shape, std::vector<grid_piece> pieces)
        : shape_(std::move(shape)), pieces_(std::move(pieces)) {}

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        for (grid_piece& each : pieces_) {
            box<std::int64_t> common = each.bounds;
            bool is_whole = true;
            for (std::size_t d = 0; d < 3; ++d) {
                common.lo[d] = std::max(common.lo[d], points.lo[d]);
                common.hi[d] = std::max(common.lo[d], std::min(common.hi[d], points.hi[d]));
                is_whole = is_whole && common.lo[d] == points.lo[d] && common.hi[d] == points.hi[d];
            }
            if (is_whole)
                take(each, points, into);
            else
                take_part(each, common, points, into);
        }
    }

private:
    [[nodiscard]] std::size_t point_bytes() const noexcept {
        return size_of(shape_.type) * static_cast<std::size_t>(shape_.components);
    }

    /// Reads the part of a box that lies in the piece.
    void take(grid_piece& from, box<std::int64_t> const& points, std::span<std::byte> into) const {
        std::size_t const point = point_bytes();
        for_rows(points, from.bounds, [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
            from.values->read(
                offset * shape_.components, into.subspan(static_cast<std::size_t>(first) * point,
                                                static_cast<std::size_t>(count) * point));
        });
    }

    void take_part(grid_piece& from, box<std::int64_t> const& part, box<std::int64_t> const& points,
        std::span<std::byte> into) const {
        std::size_t const point = point_bytes();
        std::vector<std::byte> values(bytes_of(shape_, part));
        if (values.empty()) return;
        take(from, part, values);
        for_rows(part, points, [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
            std::copy_n(values.begin() + first * static_cast<std::int64_t>(point),
                count * static_cast<std::int64_t>(point),
                into.begin() + offset * static_cast<std::int64_t>(point));
        });
    }

    grid_shape shape_;
    std::vector<grid_piece> pieces_;
};

std::vector<double> doubles_of(grid_source& places, box<std::int64_t> const& points) {
    std::vector<std::byte> bytes(bytes_of(places.shape(), points));
    places.read(points, bytes);
    std::vector<double> numbers;
    visit_values(
        places.shape().type, bytes, [&](auto values) { numbers.assign(values.begin(), values.end()); });
    return numbers;
}

} // namespace

std::unique_ptr<byte_reader> bytes_in_file(std::filesystem::path const& file, std::int64_t first) {
    return std::make_unique<file_bytes>(file, first);
}

std::unique_ptr<byte_reader> bytes_in_bzip2(
    std::filesystem::path const& file, std::int64_t first, std::int64_t skipped) {
    return std::make_unique<bzip2_bytes>(file, first, skipped);
}

std::unique_ptr<value_reader> values_of_bytes(
    std::unique_ptr<byte_reader> bytes, std::size_t bytes_each, bool swapped) {
    return std::make_unique<byte_values>(std::move(bytes), bytes_each, swapped && bytes_each > 1);
}

std::unique_ptr<grid_source> grid_of_pieces(grid_shape shape, std::vector<grid_piece> pieces) {
    return std::make_unique<grid_in_pieces>(std::move(shape), std::move(pieces));
}

void take_axes_of_places(grid_source& places, grid_shape& into) {
    std::array<std::int64_t, 3> const& points = places.shape().points;
    for (std::size_t d = 0; d < 3; ++d) {
        box<std::int64_t> line{3, {}, {1, 1, 1}};
        line.hi[d] = points[d];
        std::vector<double> const at = doubles_of(places, line);
        into.axes[d].clear();
        for (std::size_t i = d; i < at.size(); i += 3) into.axes[d].push_back(at[i]);
    }
    std::array<double, 3> allowed;
    for (std::size_t d = 0; d < 3; ++d)
        allowed[d] = 1e-6 * std::abs(into.axes[d].back() - into.axes[d].front());
    for (std::int64_t z = 0; z < points[2]; ++z) {
        std::vector<double> const at = doubles_of(places, {3, {0, 0, z}, {points[0], points[1], z + 1}});
        std::size_t next = 0;
        for (std::int64_t y = 0; y < points[1]; ++y)
            for (std::int64_t x = 0; x < points[0]; ++x) {
                std::array<std::int64_t, 3> const place{x, y, z};
                for (std::size_t d = 0; d < 3; ++d) {
                    double const expected = into.axes[d][static_cast<std::size_t>(place[d])];
                    if (std::abs(at[next++] - expected) <= allowed[d]) continue;
                    into.bent = "its point (" + std::to_string(x) + ", " + std::to_string(y) + ", " +
                                std::to_string(z) + ") is not on straight axes";
                    number_axes(into);
                    return;
                }
            }
    }
}

} // namespace weft
