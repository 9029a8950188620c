#include "edge_rows.hpp"

#include <weft/core/error.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace weft::io {

namespace {

/// An item that is no vertex or no weight.
struct bad_item {
    std::int64_t row;
    std::string text; ///< "[row, column]: expected ..., found ..."
};

template <class Item>
Item load(std::byte const* at, bool swapped) noexcept {
    std::byte bytes[sizeof(Item)];
    std::memcpy(bytes, at, sizeof(Item));
    if (swapped) std::reverse(bytes, bytes + sizeof(Item));
    Item item;
    std::memcpy(&item, bytes, sizeof(Item));
    return item;
}

template <class Item>
std::optional<std::int64_t> as_vertex(Item item) noexcept {
    if constexpr (std::floating_point<Item>) {
        constexpr double most = 9007199254740992; // 2^53, beyond which not all integers are there
        if (!(std::abs(item) <= most) || std::trunc(item) != item) return std::nullopt;
    } else {
        if (!std::in_range<std::int64_t>(item)) return std::nullopt;
    }
    return static_cast<std::int64_t>(item);
}

/// The rows of one rank.
class row_reader {
public:
    row_reader(edge_rows rows, weight_use weights)
        : rows_(std::move(rows)),
          weights_(weights),
          columns_(static_cast<std::size_t>(rows_.columns)),
          swapped_(rows_.big_endian != (std::endian::native == std::endian::big)) {}

    /// Appends the edges of `count` rows from `first` on; nothing, or the first bad item.
    std::optional<bad_item> read(std::int64_t first, std::int64_t count, edge_list& into) {
        held_.resize(static_cast<std::size_t>(count * rows_.columns * rows_.item_bytes));
        rows_.fetch(first, count, held_);
        switch (rows_.kind) {
        case 'f':
            return rows_.item_bytes == 4 ? convert<float>(first, count, into)
                                         : convert<double>(first, count, into);
        case 'i':
            switch (rows_.item_bytes) {
            case 1:
                return convert<std::int8_t>(first, count, into);
            case 2:
                return convert<std::int16_t>(first, count, into);
            case 4:
                return convert<std::int32_t>(first, count, into);
            default:
                return convert<std::int64_t>(first, count, into);
            }
        default:
            switch (rows_.item_bytes) {
            case 1:
                return convert<std::uint8_t>(first, count, into);
            case 2:
                return convert<std::uint16_t>(first, count, into);
            case 4:
                return convert<std::uint32_t>(first, count, into);
            default:
                return convert<std::uint64_t>(first, count, into);
            }
        }
    }

private:
    template <class Item>
    std::optional<bad_item> convert(std::int64_t first, std::int64_t count, edge_list& into) const {
        auto const rows = static_cast<std::size_t>(count);
        auto const item = [&](std::size_t row, std::size_t column) {
            std::size_t const place = rows_.by_column ? column * rows + row : row * columns_ + column;
            return load<Item>(held_.data() + place * sizeof(Item), swapped_);
        };
        auto const complain = [&](std::size_t row, std::size_t column, char const* expected) {
            std::int64_t const number = first + static_cast<std::int64_t>(row);
            return bad_item{number, "[" + std::to_string(number) + ", " + std::to_string(column) +
                                        "]: expected " + expected + ", found " +
                                        std::to_string(item(row, column))};
        };
        for (std::size_t row = 0; row < rows; ++row) {
            std::optional<std::int64_t> ends[2];
            for (std::size_t column = 0; column < 2; ++column) {
                ends[column] = as_vertex(item(row, column));
                if (!ends[column]) return complain(row, column, "a vertex, which is an integer of 64 bits");
            }
            into.edges.push_back({*ends[0], *ends[1]});
            if (weights_ == weight_use::none) continue;
            double const weight = columns_ == 3 ? static_cast<double>(item(row, 2)) : 1;
            if (weights_ == weight_use::lengths &&
                !(weight >= 0 && weight <= std::numeric_limits<double>::max()))
                return complain(row, 2, "a weight that is finite and at least 0");
            into.weights.push_back(weight);
        }
        return std::nullopt;
    }

    edge_rows rows_;
    weight_use weights_;
    std::size_t columns_;
    bool swapped_;
    std::vector<std::byte> held_;
};

} // namespace

void check_edge_shape(std::string const& name, std::span<std::int64_t const> shape) {
    if (shape.size() == 2 && (shape[1] == 2 || shape[1] == 3)) return;
    std::string text;
    for (std::int64_t const size : shape) text += (text.empty() ? "(" : ", ") + std::to_string(size);
    throw io_error(name + ": expected an array of shape (edges, 2) or (edges, 3), found " +
                   (text.empty() ? "(" : text) + ")");
}

edge_list read_edge_rows(communicator const& comm, std::string const& name,
    std::function<edge_rows()> const& open, weight_use weights,
    std::function<void(std::int64_t, std::int64_t)> const& progress) {
    edge_list graph;
    graph.naming = vertex_naming::numbers;
    graph.directed = true;
    std::optional<bad_item> bad;
    agreed(comm, [&] {
        edge_rows opened = open();
        graph.file_bytes = opened.file_bytes;
        graph.weighted = opened.columns == 3;
        graph.format = opened.format;
        uniform_distribution const shares(opened.rows, comm.size());
        row_reader rows(std::move(opened), weights);
        std::int64_t const begin = shares.begin(comm.rank());
        std::int64_t const end = begin + shares.size(comm.rank());
        graph.edges.reserve(static_cast<std::size_t>(end - begin));
        constexpr std::int64_t at_a_time = std::int64_t{1} << 16;
        for (std::int64_t row = begin; row < end && !bad; row += at_a_time) {
            bad = rows.read(row, std::min(at_a_time, end - row), graph);
            if (progress) progress(std::min(row + at_a_time, end) - begin, end - begin);
        }
    });
    std::int64_t const mine = bad ? bad->row : std::numeric_limits<std::int64_t>::max();
    std::int64_t const lowest = -max(comm, -mine);
    if (lowest != std::numeric_limits<std::int64_t>::max())
        agreed(comm, [&] {
            if (mine == lowest) throw io_error(name + bad->text);
        });
    return graph;
}

} // namespace weft::io
