#include <tracing/seeds.hpp>

#include <tracing/world.hpp>

#include <core/counter_random.hpp>
#include <files/file_handle.hpp>
#include <grids/values/grid_memory.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/even_shares.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <new>
#include <optional>
#include <utility>

namespace weft {

namespace {

std::vector<std::string> split(std::string const& text, char at) {
    std::vector<std::string> parts(1);
    for (char const each : text)
        if (each == at)
            parts.emplace_back();
        else
            parts.back() += each;
    return parts;
}

/// Returns true if a text without its blanks is a number.
template <class Number>
bool reads_as(std::string const& text, Number& value) {
    std::size_t const start = std::min(text.find_first_not_of(" \t"), text.size());
    std::size_t const end = text.find_last_not_of(" \t\r") + 1;
    auto const [stop, error] = std::from_chars(text.data() + start, text.data() + end, value);
    return error == std::errc{} && stop == text.data() + end && start < end;
}

template <class Number>
Number number_in(std::string const& text, std::string const& whole) {
    Number value{};
    if (!reads_as(text, value))
        throw usage_error("`seeds` " + whole + ": expected a number, found '" + text + "'");
    return value;
}

/// Returns the range of `count` ids that this rank makes.
detail::even_shares::range share_of(communicator const& comm, std::int64_t count) {
    return detail::even_shares(count, comm.size())[comm.rank()];
}

/// A box, and the number of equal parts along each axis.
struct lattice {
    std::array<std::int64_t, 3> count{1, 1, 1};
    vector3 lo{};
    vector3 hi{};
};

std::vector<seed> seeds_of(communicator const& comm, lattice const& of) {
    auto const mine = share_of(comm, of.count[0] * of.count[1] * of.count[2]);
    std::vector<seed> seeds;
    for (std::int64_t id = mine.first; id < mine.last; ++id) {
        std::int64_t rest = id;
        seed& made = seeds.emplace_back(seed{id, {}});
        for (std::size_t d = 0; d < 3; ++d) {
            double const part =
                (static_cast<double>(rest % of.count[d]) + 0.5) / static_cast<double>(of.count[d]);
            made.place[d] = of.lo[d] + part * (of.hi[d] - of.lo[d]);
            rest /= of.count[d];
        }
    }
    return seeds;
}

/// Returns seeds in the world as seeds along the axes of the domain.
std::vector<seed> from_world(std::vector<seed> seeds, flow_domain const& domain) {
    if (!domain.place.moves()) return seeds;
    placement const back = domain.place.inverse();
    for (seed& each : seeds) each.place = back.to_world(each.place);
    return seeds;
}

lattice whole(flow_domain const& domain) {
    lattice of;
    for (std::size_t d = 0; d < 3; ++d) {
        of.lo[d] = domain.axes[d].lo();
        of.hi[d] = domain.axes[d].hi();
    }
    return of;
}

/// Refuses more seeds than fit into memory: a seed is stored at its start, in a message and at its end.
void check_number(std::optional<std::int64_t> count, std::string const& text) {
    constexpr std::int64_t bytes_a_seed = 256;
    auto const bytes = count ? product_of({*count, bytes_a_seed}) : std::nullopt;
    if (bytes && *bytes <= memory_here()) return;
    throw usage_error("`seeds` " + text + ": are " + (count ? std::to_string(*count) : "more than 2^62") +
                      " seeds; this machine has memory for " + std::to_string(memory_here() / bytes_a_seed));
}

void check_counts(lattice const& of, std::string const& text) {
    for (std::int64_t const count : of.count)
        if (count < 0 || count > std::int64_t{1} << 20)
            throw usage_error("`seeds` " + text + ": from 0 to 1048576 seeds are possible along an axis");
    check_number(product_of({of.count[0], of.count[1], of.count[2]}), text);
}

lattice parse_box(flow_domain const& domain, std::string const& arguments, std::string const& text) {
    std::vector<std::string> const parts = split(arguments, ',');
    if (parts.size() != 3 && parts.size() != 9)
        throw usage_error("`seeds` " + text + ": expected box:NX,NY,NZ or box:NX,NY,NZ,X0,X1,Y0,Y1,Z0,Z1");
    lattice of = whole(domain);
    for (std::size_t d = 0; d < 3; ++d) {
        of.count[d] = number_in<std::int64_t>(parts[d], text);
        if (parts.size() == 3) continue;
        of.lo[d] = number_in<double>(parts[3 + 2 * d], text);
        of.hi[d] = number_in<double>(parts[4 + 2 * d], text);
    }
    check_counts(of, text);
    return of;
}

lattice parse_plane(flow_domain const& domain, std::string const& arguments, std::string const& text) {
    std::vector<std::string> const parts = split(arguments, ',');
    std::size_t const normal = parts[0].empty() ? 3 : std::string("xyz").find(parts[0][0]);
    if (parts.size() != 3 || parts[0].size() < 3 || parts[0][1] != '=' || normal > 2)
        throw usage_error("`seeds` " + text + ": expected plane:x=PLACE,NY,NZ, plane:y=... or plane:z=...");
    lattice of = whole(in_world(domain));
    of.lo[normal] = of.hi[normal] = number_in<double>(parts[0].substr(2), text);
    std::size_t next = 1;
    for (std::size_t d = 0; d < 3; ++d)
        if (d != normal) of.count[d] = number_in<std::int64_t>(parts[next++], text);
    check_counts(of, text);
    return of;
}

std::vector<seed> random_seeds(
    communicator const& comm, flow_domain const& domain, std::int64_t count, std::uint64_t random) {
    counter_random const bits(random);
    lattice const in = whole(domain);
    auto const mine = share_of(comm, count);
    std::vector<seed> seeds;
    for (std::int64_t id = mine.first; id < mine.last; ++id) {
        seed& made = seeds.emplace_back(seed{id, {}});
        for (std::size_t d = 0; d < 3; ++d) {
            std::uint64_t const draw = bits(3 * static_cast<std::uint64_t>(id) + d) >> 11;
            made.place[d] = in.lo[d] + static_cast<double>(draw) * 0x1p-53 * (in.hi[d] - in.lo[d]);
        }
    }
    return seeds;
}

/// Returns true if a line has names instead of numbers.
bool names_columns(std::vector<std::string> const& parts) {
    double number = 0;
    return std::ranges::none_of(parts, [&](std::string const& each) { return reads_as(each, number); });
}

/// Rank 0 reads the seeds: there are few compared to the values of the field.
std::vector<seed> seeds_in(communicator const& comm, std::string const& file) {
    std::vector<seed> seeds;
    if (comm.rank() != 0) return seeds;
    (void)file_handle::open_to_read(file); // fails with a clear error for a folder
    std::ifstream in(file);
    if (!in) throw io_error(system_complaint(file, "read", errno));
    std::string line;
    for (std::int64_t number = 1; std::getline(in, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        std::vector<std::string> const parts = split(line, ',');
        seed made{static_cast<std::int64_t>(seeds.size()), {}};
        bool good = parts.size() >= 3;
        for (std::size_t d = 0; d < 3 && good; ++d) good = reads_as(parts[d], made.place[d]);
        if (!good && number == 1 && names_columns(parts)) continue;
        if (!good)
            throw io_error(file + ":" + std::to_string(number) +
                           ": expected a seed as x,y,z (more columns are not read), found \"" + line + "\"");
        seeds.push_back(made);
    }
    if (in.bad()) throw io_error(system_complaint(file, "read", errno));
    if (seeds.empty())
        throw io_error(
            file + ": expected seeds, a line x,y,z each, found none (names of columns are no seed)");
    return seeds;
}

/// Returns this rank's points along the slowest axis with several points.
box<std::int64_t> slab_of(communicator const& comm, flow_domain const& domain) {
    box<std::int64_t> slab = domain.points_around(domain.cells());
    for (std::size_t d = 0; d < 3; ++d)
        if (domain.period[d] > 0) --slab.hi[d]; // the last point is the first one again
    std::size_t slowest = 2;
    while (slowest > 0 && slab.hi[slowest] == 1) --slowest;
    auto const mine = share_of(comm, slab.hi[slowest]);
    slab.lo[slowest] = mine.first;
    slab.hi[slowest] = mine.last;
    return slab;
}

struct every_rule {
    std::int64_t nth = 0; ///< 0: chosen so that there are about 500 seeds
    double least = 0.1;   ///< share of the greatest speed
};

every_rule parse_every(std::string const& arguments, std::string const& text) {
    std::vector<std::string> const parts = split(arguments, ',');
    every_rule rule;
    if (parts[0] != "auto") {
        rule.nth = number_in<std::int64_t>(parts[0], text);
        if (rule.nth < 1) throw usage_error("`seeds` " + text + ": every Nth point, with N from 1");
    }
    if (parts.size() > 2 || (parts.size() == 2 && parts[1].rfind("min=", 0) != 0))
        throw usage_error("`seeds` " + text + ": expected every:N or every:N,min=SHARE");
    if (parts.size() == 2) rule.least = number_in<double>(parts[1].substr(4), text);
    return rule;
}

std::vector<seed> seeds_at_points(communicator const& comm, flow const& field, every_rule rule) {
    flow_domain const& domain = *field.domain();
    box<std::int64_t> const slab = slab_of(comm, domain);
    std::vector<seed> found;
    std::vector<double> speeds;
    double greatest = 0;
    agreed(comm, [&] {
        for (std::size_t d = 0; d < 3; ++d)
            if (slab.lo[d] == slab.hi[d]) return; // there are more ranks than layers
        field_block const values = field.read(slab, field.cut_into(1));
        coordinates<std::int64_t> at{};
        for (at[2] = slab.lo[2]; at[2] < slab.hi[2]; ++at[2])
            for (at[1] = slab.lo[1]; at[1] < slab.hi[1]; ++at[1])
                for (at[0] = slab.lo[0]; at[0] < slab.hi[0]; ++at[0]) {
                    vector3 const v = values.at(0, at);
                    double const speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
                    greatest = std::max(greatest, speed);
                    speeds.push_back(speed);
                }
    });
    // Nonnegative doubles have the order of their bits.
    greatest = std::bit_cast<double>(max(comm, std::bit_cast<std::int64_t>(greatest)));
    double const least = rule.least * greatest;
    auto const fast = std::count_if(speeds.begin(), speeds.end(), [&](double s) { return s >= least; });
    prefix const numbers = exclusive_sum(comm, fast);
    if (rule.nth == 0) rule.nth = std::max<std::int64_t>(1, (numbers.total + 499) / 500);
    std::int64_t number = numbers.before;
    std::int64_t const wide = slab.hi[0] - slab.lo[0];
    std::int64_t const high = slab.hi[1] - slab.lo[1];
    agreed(comm, [&] {
        for (std::size_t i = 0; i < speeds.size(); ++i) {
            if (!(speeds[i] >= least) || number++ % rule.nth != 0) continue;
            auto const place = static_cast<std::int64_t>(i);
            auto const at = [&](std::size_t d, std::int64_t point) {
                return domain.axes[d].points()[static_cast<std::size_t>(slab.lo[d] + point)];
            };
            found.push_back({(number - 1) / rule.nth,
                {at(0, place % wide), at(1, place / wide % high), at(2, place / wide / high)}});
        }
    });
    return found;
}

} // namespace

namespace {

/// Makes seeds of all kinds but those that need the values of the field. Local.
std::vector<seed> seeds_by_rule(communicator const& comm, flow_domain const& domain, std::string const& kind,
    std::string const& arguments, std::string const& text, std::uint64_t random) {
    if (kind == "box") {
        lattice const of = parse_box(domain, arguments, text);
        bool const has_corners = std::ranges::count(arguments, ',') > 2; // given in the world
        return has_corners ? from_world(seeds_of(comm, of), domain) : seeds_of(comm, of);
    }
    if (kind == "plane") return from_world(seeds_of(comm, parse_plane(domain, arguments, text)), domain);
    if (kind == "random") {
        auto const count = number_in<std::int64_t>(arguments, text);
        if (count < 0) throw usage_error("`seeds` " + text + ": the number of seeds is negative");
        check_number(count, text);
        return random_seeds(comm, domain, count, random);
    }
    if (kind == "file") return from_world(seeds_in(comm, arguments), domain);
    throw usage_error(
        "`seeds` " + text + ": expected every:, box:, plane:, random: or file: at its beginning");
}

} // namespace

std::vector<seed> make_seeds(
    communicator const& comm, flow const& field, std::string const& text, std::uint64_t random) try {
    std::size_t const colon = text.find(':');
    std::string const kind = text.substr(0, colon);
    std::string const arguments = colon == std::string::npos ? "" : text.substr(colon + 1);
    if (kind == "every") return seeds_at_points(comm, field, parse_every(arguments, text));
    std::vector<seed> seeds;
    agreed(comm, [&] { seeds = seeds_by_rule(comm, *field.domain(), kind, arguments, text, random); });
    return seeds;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("seeds");
    throw;
}

} // namespace weft
