// CSV files with a particle on each line. A header names the columns; without one, the first three are x, y,
// z.
#include "snapshot_formats.hpp"

#include <io/text/file_range.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace weft::snapshots {

namespace {

enum column : std::size_t { x, y, z, vx, vy, vz, mass, softening, id, columns };

constexpr std::size_t absent = static_cast<std::size_t>(-1);

std::string_view trimmed(std::string_view text) {
    auto const is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
    std::vector<std::string_view> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
        std::size_t const end = std::min(line.find(separator, begin), line.size());
        fields.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return fields;
}

std::optional<double> number_in(std::string_view text) {
    double value = 0;
    auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

/// The places of the columns, and the start of the lines of particles.
struct table_layout {
    char separator = ',';
    std::array<std::size_t, columns> place;
    std::size_t fields = 0;
    std::int64_t begin = 0;
};

std::optional<std::size_t> column_named(std::string const& name) {
    static constexpr std::array<std::pair<char const*, std::size_t>, 16> names = {
        {{"x", x}, {"y", y}, {"z", z}, {"vx", vx}, {"vy", vy}, {"vz", vz}, {"mass", mass}, {"m", mass},
            {"softening", softening}, {"eps", softening}, {"id", id}, {"pos_x", x}, {"pos_y", y},
            {"pos_z", z}, {"particle_id", id}, {"epsilon", softening}}};
    for (auto const& [known, what] : names)
        if (name == known) return what;
    return std::nullopt;
}

table_layout layout_of(file_handle const& file, std::string_view head) {
    table_layout layout;
    layout.place.fill(absent);
    while (head.substr(0, 1) == "#") { // comments above the first line
        std::size_t const end = head.find('\n');
        if (end == std::string_view::npos) break;
        layout.begin += static_cast<std::int64_t>(end + 1);
        head.remove_prefix(end + 1);
    }
    std::string_view const line = head.substr(0, head.find('\n'));
    std::ptrdiff_t most = 0;
    for (char const each : {',', ';', '\t'})
        if (std::ptrdiff_t const here = std::ranges::count(line, each); here > most) {
            most = here;
            layout.separator = each;
        }
    auto const fields = fields_of(line, layout.separator);
    layout.fields = fields.size();
    if (fields.size() < 3)
        throw io_error(file.path().string() + ":1: expected at least three columns, x, y and z");
    if (number_in(fields[0])) {
        for (std::size_t d = 0; d < 3; ++d) layout.place[d] = d;
        return layout;
    }
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (auto const what = column_named(in_lower_case(fields[i]))) layout.place[*what] = i;
    for (std::size_t d = 0; d < 3; ++d)
        if (layout.place[d] == absent)
            throw io_error(file.path().string() +
                           ":1: expected columns x, y and z in the header, and found no '" +
                           std::string(1, "xyz"[d]) + "'");
    layout.begin = std::min(layout.begin + static_cast<std::int64_t>(line.size()) + 1, file.size());
    return layout;
}

} // namespace

found_particles read_table(file_handle const& file, reader_place const& where) {
    constexpr std::size_t longest_head = 65536;
    std::string head(longest_head, '\0');
    head.resize(file.read(head.data(), head.size(), 0));
    found_particles found;
    found.read.format = "CSV";
    if (head.empty()) return found;
    table_layout const layout = layout_of(file, head);
    std::int64_t const bytes = file.size() - layout.begin;
    auto const border = [&](int rank) {
        return std::min(file.size(), io::line_start_from(file, layout.begin,
                                         layout.begin + detail::even_shares(bytes, where.ranks).begin(rank)));
    };
    std::int64_t const begin = border(where.rank);
    std::int64_t const end = where.rank + 1 < where.ranks ? border(where.rank + 1) : file.size();
    std::string text(static_cast<std::size_t>(std::max<std::int64_t>(end - begin, 0)), '\0');
    file.read_all(std::as_writable_bytes(std::span(text)), begin);

    found.masses_known = layout.place[mass] != absent;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const line_end = std::min(text.find('\n', at), text.size());
        std::string_view const line = std::string_view(text).substr(at, line_end - at);
        std::int64_t const line_begin = begin + static_cast<std::int64_t>(at);
        auto const complain = [&](std::string const& what) {
            throw io_error(file.path().string() + ":" + std::to_string(io::line_number_at(file, line_begin)) +
                           ": expected " + what);
        };
        at = line_end + 1;
        if (trimmed(line).empty()) continue;
        auto const fields = fields_of(line, layout.separator);
        if (fields.size() != layout.fields)
            complain(std::to_string(layout.fields) + " fields, found " + std::to_string(fields.size()));
        std::array<double, columns> values{};
        for (std::size_t c = 0; c < columns; ++c) {
            if (layout.place[c] == absent) continue;
            std::string_view const field = fields[layout.place[c]];
            auto const value = number_in(field);
            if (!value) complain("a number, found '" + std::string(field) + "'");
            values[c] = *value;
        }
        constexpr double most_id = 0x1p53; // a double above it may stand for several whole numbers
        if (!(std::abs(values[id]) <= most_id))
            complain("an id of at most 2^53, found '" + std::string(fields[layout.place[id]]) + "'");
        particle made;
        made.position = {values[x], values[y], values[z]};
        made.velocity = {values[vx], values[vy], values[vz]};
        made.mass = values[mass];
        made.softening = values[softening];
        made.id = layout.place[id] == absent ? -1 : static_cast<std::int64_t>(values[id]);
        found.read.particles.push_back(made);
    }
    return found;
}

} // namespace weft::snapshots
