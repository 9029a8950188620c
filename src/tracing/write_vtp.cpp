#include <tracing/write_vtp.hpp>

#include <files/file_handle.hpp>
#include <files/output_file.hpp>

#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace weft {

namespace {

/// One array behind the text: its size in bytes, then its items.
struct appended_array {
    std::string text; ///< its element, without where it is
    std::int64_t item_bytes;
    prefix items;
    std::int64_t offset = 0;

    [[nodiscard]] std::int64_t bytes() const { return item_bytes * items.total; }
    [[nodiscard]] std::string element() const {
        return "<DataArray " + text + " format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>\n";
    }
};

constexpr std::int64_t size_bytes = sizeof(std::uint64_t);

/// Writes items that `item(i)` makes, some at a time.
template <class Item>
void write_items(file_handle const& file, std::int64_t at, std::int64_t count, Item&& item) {
    using value = decltype(item(std::int64_t{}));
    std::vector<value> some;
    for (std::int64_t first = 0; first < count;) {
        some.clear();
        for (; first < count && some.size() < 65536; ++first) some.push_back(item(first));
        file.write(std::as_bytes(std::span(some)), at);
        at += static_cast<std::int64_t>(some.size() * sizeof(value));
    }
}

} // namespace

void write_vtp(communicator const& comm, std::string const& file, line_set const& mine) {
    auto const lines_here = static_cast<std::int64_t>(mine.seeds.size());
    auto const points_here = static_cast<std::int64_t>(mine.points.size());
    prefix const points = exclusive_sum(comm, points_here);
    prefix const lines = exclusive_sum(comm, lines_here);
    appended_array speed{"type=\"Float32\" Name=\"speed\"", 4, points};
    appended_array seed{"type=\"Int64\" Name=\"seed\"", 8, lines};
    appended_array place{"type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\"", 12, points};
    appended_array connectivity{"type=\"Int64\" Name=\"connectivity\"", 8, points};
    appended_array offsets{"type=\"Int64\" Name=\"offsets\"", 8, lines};
    std::int64_t end = 0;
    for (appended_array* const each : {&speed, &seed, &place, &connectivity, &offsets}) {
        each->offset = end;
        end += size_bytes + each->bytes();
    }
    std::string const order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
    std::string const head =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"" + order +
        "\" header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"" + std::to_string(points.total) +
        "\" NumberOfVerts=\"0\" NumberOfLines=\"" + std::to_string(lines.total) +
        "\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData Scalars=\"speed\">\n" + speed.element() +
        "</PointData>\n<CellData>\n" + seed.element() + "</CellData>\n<Points>\n" + place.element() +
        "</Points>\n<Lines>\n" + connectivity.element() + offsets.element() +
        "</Lines>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    auto const base = static_cast<std::int64_t>(head.size());

    output_file part(comm, file);
    agreed(comm, [&] {
        file_handle out = part.open();
        if (comm.rank() == 0) {
            out.write(head.data(), head.size(), 0);
            for (appended_array const* const each : {&speed, &seed, &place, &connectivity, &offsets}) {
                auto const size = static_cast<std::uint64_t>(each->bytes());
                out.write(reinterpret_cast<char const*>(&size), sizeof size, base + each->offset);
            }
            std::string const foot = "\n</AppendedData>\n</VTKFile>\n";
            out.write(foot.data(), foot.size(), base + end);
        }
        auto const at = [&](appended_array const& array) {
            return base + array.offset + size_bytes + array.items.before * array.item_bytes;
        };
        auto const point = [&](std::int64_t i) { return mine.points[static_cast<std::size_t>(i)]; };
        write_items(out, at(speed), points_here, [&](std::int64_t i) { return point(i).speed; });
        write_items(out, at(seed), lines_here,
            [&](std::int64_t i) { return mine.seeds[static_cast<std::size_t>(i)]; });
        write_items(out, at(place), points_here, [&](std::int64_t i) {
            line_point const p = point(i);
            return std::array<float, 3>{p.place[0], p.place[1], p.place[2]};
        });
        write_items(out, at(connectivity), points_here, [&](std::int64_t i) { return points.before + i; });
        write_items(out, at(offsets), lines_here,
            [&](std::int64_t i) { return points.before + mine.ends[static_cast<std::size_t>(i)]; });
        out.close();
    });
    part.finish();
}

} // namespace weft
