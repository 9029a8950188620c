#include <grids/values/value_histogram.hpp>

#include <weft/blocks/block_reduction.hpp>
#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/collective/arrays.hpp>
#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/frames/block_to_block.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <tuple>

namespace weft {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// The values of a slab; for one-byte integers, each distinct value and its count.
struct slab_values {
    std::vector<std::byte> bytes;
    std::vector<std::int64_t> times; ///< count of each value; empty if each counts once
};

slab_values tally_of(std::vector<std::byte> const& bytes) {
    // Four tables, since equal successive values would wait for the same count.
    std::array<std::array<std::int64_t, 256>, 4> counts{};
    std::size_t at = 0;
    for (; at + 4 <= bytes.size(); at += 4)
        for (std::size_t table = 0; table < 4; ++table)
            ++counts[table][std::to_integer<std::size_t>(bytes[at + table])];
    for (; at < bytes.size(); ++at) ++counts[0][std::to_integer<std::size_t>(bytes[at])];
    slab_values found;
    for (std::size_t value = 0; value < 256; ++value) {
        std::int64_t const times = counts[0][value] + counts[1][value] + counts[2][value] + counts[3][value];
        if (times == 0) continue;
        found.bytes.push_back(static_cast<std::byte>(value));
        found.times.push_back(times);
    }
    return found;
}

/// The moments of the values of a slab.
struct moments {
    std::int64_t finite = 0;
    std::int64_t missing = 0;
    std::int64_t infinite = 0;
    value_bound least = std::numeric_limits<double>::infinity();
    value_bound greatest = -std::numeric_limits<double>::infinity();
    double sum = 0;
    double lost = 0; // rounding error of the sum

    void add(double value) noexcept {
        double const larger = sum + value;
        lost += std::abs(sum) >= std::abs(value) ? (sum - larger) + value : (value - larger) + sum;
        sum = larger;
    }
};

moments joined(moments left, moments const& right) {
    left.finite += right.finite;
    left.missing += right.missing;
    left.infinite += right.infinite;
    left.least = std::min(left.least, right.least);
    left.greatest = std::max(left.greatest, right.greatest);
    left.add(right.sum);
    left.lost += right.lost;
    return left;
}

/// The values of all slabs of this rank, accessed one by one as real numbers.
class slabs {
public:
    slabs(communicator const& comm, grid_source& source, std::int64_t wanted)
        : type_(source.shape().type), missing_(source.shape().missing), blocks_(cut(comm, source, wanted)) {}
    slabs(communicator const& comm, spread_values const& of, std::int64_t wanted)
        : type_(value_type::float64), blocks_(cut(comm, of, wanted)) {}

    [[nodiscard]] block_set<slab_values>& blocks() noexcept { return blocks_; }

    /// Calls `use(double, count)` for all values; missing ones are NaN.
    template <class Use>
    void for_values(slab_values const& slab, Use&& use) const {
        visit_values(type_, slab.bytes, [&](auto values) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                auto const value = static_cast<double>(values[i]);
                use(missing_ && value == *missing_ ? nothing : value, slab.times.empty() ? 1 : slab.times[i]);
            }
        });
    }

    /// Returns the least and greatest values of a slab with finite values.
    [[nodiscard]] std::pair<value_bound, value_bound> ends_of(slab_values const& slab) const {
        std::pair<value_bound, value_bound> found{0, 0};
        visit_values(type_, slab.bytes, [&]<class T>(std::span<T const> values) {
            T least = std::numeric_limits<T>::max();
            T greatest = std::numeric_limits<T>::lowest();
            for (T const each : values) {
                auto const value = static_cast<double>(each);
                if (!std::isfinite(value) || (missing_ && value == *missing_)) continue;
                least = std::min(least, each);
                greatest = std::max(greatest, each);
            }
            if constexpr (std::is_floating_point_v<T>)
                found = {static_cast<double>(least), static_cast<double>(greatest)};
            else
                found = {least, greatest};
        });
        return found;
    }

    /// Calls `make(T())`, and then its result with each finite value of a slab that is not missing, and its
    /// count.
    template <class Make>
    void for_finite(slab_values const& slab, Make&& make) const {
        visit_values(type_, slab.bytes, [&]<class T>(std::span<T const> values) {
            auto&& use = make(T{});
            for (std::size_t i = 0; i < values.size(); ++i) {
                auto const value = static_cast<double>(values[i]);
                if (std::isfinite(value) && !(missing_ && value == *missing_))
                    use(values[i], slab.times.empty() ? 1 : slab.times[i]);
            }
        });
    }

    /// Returns the values of all slabs, merged in order, on all ranks.
    template <wire_type T, class Value, class Combine>
    [[nodiscard]] T merged(Value&& value, Combine&& combine) {
        T all{};
        merge_reduce<T>(
            blocks_, merge_schedule(blocks_.where().blocks(), 8),
            [&](slab_values const& slab, block_id) { return value(slab); }, combine,
            [&](slab_values&, block_id, T result) { all = std::move(result); });
        return broadcast(blocks_.comm(), std::move(all), blocks_.where().rank_of(block_id{0}));
    }

private:
    /// Returns the begin of slab `block` of `count` among `points`, without a product of both, which may
    /// overflow.
    static std::int64_t first_of(std::int64_t block, std::int64_t points, std::int64_t count) noexcept {
        return block * (points / count) + std::min(block, points % count);
    }

    /// Cuts along the slowest axis with more than one point.
    static block_set<slab_values> cut(communicator const& comm, grid_source& source, std::int64_t wanted) {
        grid_shape const& shape = source.shape();
        std::size_t const axis = shape.points[2] > 1 ? 2 : shape.points[1] > 1 ? 1 : 0;
        std::int64_t const points = shape.points[axis];
        std::int64_t const count = std::clamp<std::int64_t>(points, 1, wanted);
        regular_grid const chain(cell_box(count), count);
        return block_set<slab_values>(comm, chain, [&](block_id id) {
            box<std::int64_t> part = points_of(shape);
            part.lo[axis] = first_of(index_of(id), points, count);
            part.hi[axis] = first_of(index_of(id) + 1, points, count);
            slab_values slab{.bytes = std::vector<std::byte>(bytes_of(shape, part)), .times = {}};
            source.read(part, slab.bytes);
            if (size_of(shape.type) == 1) return tally_of(slab.bytes);
            return slab;
        });
    }

    /// Moves the values to the ranks of their slabs.
    static block_set<slab_values> cut(
        communicator const& comm, spread_values const& of, std::int64_t wanted) {
        std::int64_t const values = of.where.total();
        std::int64_t const count = std::clamp<std::int64_t>(values, 1, wanted);
        auto const assigned = assignment::contiguous(count, comm.size());
        std::vector<global_id> bounds{0};
        for (int rank = 0; rank < comm.size(); ++rank)
            bounds.push_back(bounds.back() + assigned.blocks_of(rank));
        for (global_id& each : bounds) each = first_of(each, values, count);
        block_distribution const of_slabs(bounds);
        std::vector<double> const mine = block_to_block(comm, of.where, of_slabs).exchange(of.mine);
        regular_grid const chain(cell_box(count), count);
        return block_set<slab_values>(comm, chain, assigned, [&](block_id id) {
            global_id const before = of_slabs.begin(comm.rank());
            auto const from = static_cast<std::size_t>(first_of(index_of(id), values, count) - before);
            auto const to = static_cast<std::size_t>(first_of(index_of(id) + 1, values, count) - before);
            auto const bytes = std::as_bytes(std::span(mine).subspan(from, to - from));
            return slab_values{.bytes = {bytes.begin(), bytes.end()}, .times = {}};
        });
    }

    value_type type_;
    std::optional<double> missing_ = {};
    block_set<slab_values> blocks_;
};

moments moments_of(slabs& all) {
    return all.merged<moments>(
        [&](slab_values const& slab) {
            moments found;
            all.for_values(slab, [&](double value, std::int64_t times) {
                if (std::isnan(value)) {
                    found.missing += times;
                } else if (std::isinf(value)) {
                    found.infinite += times;
                } else {
                    found.finite += times;
                    found.add(value * static_cast<double>(times)); // exact for integers
                }
            });
            if (found.finite == 0) return found;
            std::tie(found.least, found.greatest) = all.ends_of(slab);
            return found;
        },
        joined);
}

/// Returns the bin of a value, or that it is below or above all bins.
template <class T>
class bin_finder {
public:
    bin_finder(value_histogram const& bins, value_bound const& lo, value_bound const& hi)
        : last_(bins.counts.size() - 1),
          first_inside_(lo.least<T>()),
          last_inside_(hi.greatest<T>()),
          lo_(bins.lo),
          width_((bins.hi - bins.lo) / static_cast<double>(bins.counts.size())) {
        constexpr double exact = 0x1p53;
        if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
            // Doubles have too few digits, so values are counted from the least value inside.
            if (!first_inside_ || !last_inside_ || std::max(std::abs(bins.lo), std::abs(bins.hi)) <= exact)
                return;
            base_ = *first_inside_;
            lo_ = 0;
            width_ = distance(*last_inside_) / static_cast<double>(bins.counts.size());
        }
    }

    [[nodiscard]] std::size_t operator()(T value) const noexcept {
        if (!first_inside_ || value < *first_inside_) return last_ + 1;
        if (!last_inside_ || value > *last_inside_) return last_ + 2;
        double const at = distance(value);
        double const share = (at - lo_) / width_;
        std::size_t bin = share > 0 ? std::min(static_cast<std::size_t>(share), last_) : 0;
        // Rounding must not put a value on the wrong side of an edge.
        while (bin > 0 && at < edge(bin)) --bin;
        while (bin < last_ && at >= edge(bin + 1)) ++bin;
        return bin;
    }

private:
    [[nodiscard]] double edge(std::size_t bin) const noexcept {
        return lo_ + static_cast<double>(bin) * width_;
    }
    [[nodiscard]] double distance(T value) const noexcept {
        if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
            if (base_)
                return static_cast<double>(
                    static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(*base_));
        return static_cast<double>(value);
    }

    std::size_t last_;
    std::optional<T> first_inside_;
    std::optional<T> last_inside_;
    std::optional<T> base_ = {};
    double lo_;
    double width_;
};

/// Returns the counts of the bins from `lo` to `hi`, and of values below and above them.
std::vector<std::int64_t> counts_of(
    slabs& all, value_histogram const& bins, value_bound const& lo, value_bound const& hi) {
    return all.merged<std::vector<std::int64_t>>(
        [&](slab_values const& slab) {
            std::vector<std::int64_t> counts(bins.counts.size() + 2);
            all.for_finite(slab, [&]<class T>(T) {
                return [&counts, bin_of = bin_finder<T>(bins, lo, hi)](
                           T value, std::int64_t times) { counts[bin_of(value)] += times; };
            });
            return counts;
        },
        [](std::vector<std::int64_t> left, std::vector<std::int64_t> const& right) {
            std::ranges::transform(left, right, left.begin(), std::plus<>());
            return left;
        });
}

/// Returns an integer in the order of the values.
std::uint64_t key_of(double value) noexcept {
    auto const bits = std::bit_cast<std::uint64_t>(value + 0.0); // -0 becomes 0
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return (bits & sign) != 0 ? ~bits : bits | sign;
}
double value_of(std::uint64_t key) noexcept {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return std::bit_cast<double>((key & sign) != 0 ? key & ~sign : ~key);
}

/// Returns the values at these places of the sorted values, by a search over 11 bits of their keys at a time.
std::vector<double> values_at(slabs& all, std::vector<std::int64_t> const& places) {
    struct search {
        std::uint64_t key = 0; // the bits known so far
        std::int64_t place = 0;
    };
    std::vector<search> searches;
    for (std::int64_t const place : places) searches.push_back({0, place});
    int known = 64; // the lowest known bit; 64: none
    while (known > 0) {
        int const shift = std::max(known - 11, 0);
        std::size_t const width = std::size_t{1} << (known - shift);
        std::vector<std::uint64_t> groups;
        for (search const& each : searches) groups.push_back(each.key);
        std::ranges::sort(groups);
        groups.erase(std::unique(groups.begin(), groups.end()), groups.end());

        std::vector<std::int64_t> counts(groups.size() * width);
        all.blocks().for_each([&](slab_values const& slab, block_id) {
            all.for_values(slab, [&](double value, std::int64_t times) {
                if (!std::isfinite(value)) return;
                std::uint64_t const key = key_of(value);
                auto const found = std::ranges::lower_bound(groups, known == 64 ? 0 : key >> known);
                if (found == groups.end() || *found != (known == 64 ? 0 : key >> known)) return;
                auto const group = static_cast<std::size_t>(found - groups.begin());
                counts[group * width + ((key >> shift) & (width - 1))] += times;
            });
        });
        all_reduce(all.blocks().comm(), std::span(counts), std::plus<>());

        for (search& each : searches) {
            auto const group =
                static_cast<std::size_t>(std::ranges::lower_bound(groups, each.key) - groups.begin());
            std::size_t digit = 0;
            while (each.place >= counts[group * width + digit]) each.place -= counts[group * width + digit++];
            each.key = each.key * width + digit;
        }
        known = shift;
    }
    std::vector<double> values;
    for (search const& each : searches) values.push_back(value_of(each.key));
    return values;
}

std::vector<double> quantiles_of(slabs& all, std::vector<double> const& shares, std::int64_t finite) {
    if (finite == 0) return std::vector<double>(shares.size(), nothing);
    std::vector<std::int64_t> places;
    std::vector<double> between;
    for (double const share : shares) {
        double const at = share * static_cast<double>(finite - 1);
        auto const below = std::min(static_cast<std::int64_t>(at), finite - 1);
        places.push_back(below);
        places.push_back(std::min(below + 1, finite - 1));
        between.push_back(at - static_cast<double>(below));
    }
    std::vector<double> const values = values_at(all, places);
    std::vector<double> quantiles;
    for (std::size_t i = 0; i < shares.size(); ++i)
        quantiles.push_back(std::lerp(values[2 * i], values[2 * i + 1], between[i]));
    return quantiles;
}

void check_options(histogram_options const& options) {
    if (options.bins < 1) throw usage_error("a histogram has at least one bin");
    if (options.blocks < 1) throw usage_error("a grid is cut into at least one block");
    if (options.range && !(options.range->first < options.range->second &&
                             std::isfinite(options.range->second.nearest() - options.range->first.nearest())))
        throw usage_error("the range of a histogram is from a number to a larger one");
    for (double const share : options.quantiles)
        if (!(share >= 0 && share <= 1)) throw usage_error("a quantile is a share from 0 to 1");
}

/// Returns the range of the bins: a single value is in the middle of a range of width 1.
std::pair<value_bound, value_bound> range_of(moments const& found, histogram_options const& options) {
    if (options.range) return *options.range;
    if (found.finite == 0) return {0, 1};
    double const least = found.least.nearest();
    double const greatest = found.greatest.nearest();
    if (least == greatest) {
        double const room = std::max(0.5, std::abs(least) * 1e-9);
        return {least - room, greatest + room};
    }
    if (!std::isfinite(greatest - least))
        throw usage_error("values from " + std::to_string(least) + " to " + std::to_string(greatest) +
                          " are too far apart for bins; give the range of the histogram");
    return {found.least, found.greatest};
}

double entropy_of(std::vector<std::int64_t> const& counts) {
    double all = 0;
    for (std::int64_t const count : counts) all += static_cast<double>(count);
    double entropy = 0;
    for (std::int64_t const count : counts) {
        if (count == 0) continue;
        double const share = static_cast<double>(count) / all;
        entropy -= share * std::log2(share);
    }
    return entropy + 0.0; // avoids -0
}

value_histogram counted(
    slabs& all, histogram_options const& options, std::function<void(std::string_view)> const& lap) {
    moments const found = moments_of(all);
    value_histogram result;
    result.finite = found.finite;
    result.missing = found.missing;
    result.infinite = found.infinite;
    bool const any = found.finite > 0;
    result.least = any ? found.least : nothing;
    result.greatest = any ? found.greatest : nothing;
    result.mean = any ? (found.sum + found.lost) / static_cast<double>(found.finite) : nothing;
    auto const [lo, hi] = range_of(found, options);
    result.lo = lo.nearest();
    result.hi = hi.nearest();
    result.counts.resize(static_cast<std::size_t>(options.bins));
    result.counts = counts_of(all, result, lo, hi);
    result.above = result.counts.back();
    result.counts.pop_back();
    result.below = result.counts.back();
    result.counts.pop_back();
    result.entropy = entropy_of(result.counts);
    lap("count");

    result.quantiles = quantiles_of(all, options.quantiles, result.finite);
    lap("quantiles");
    return result;
}

} // namespace

double value_histogram::edge(std::size_t bin) const noexcept {
    if (bin >= counts.size()) return hi;
    return lo + static_cast<double>(bin) * ((hi - lo) / static_cast<double>(counts.size()));
}

value_histogram histogram_of(communicator const& comm, grid_source& source, histogram_options const& options,
    std::function<void(std::string_view)> const& lap) {
    if (int const components = source.shape().components; components != 1)
        throw usage_error(
            "a histogram is of single values; the grid has " + std::to_string(components) + " a point");
    check_options(options);
    slabs all(comm, source, options.blocks);
    lap("read");
    return counted(all, options, lap);
}

value_histogram histogram_of(communicator const& comm, spread_values const& values,
    histogram_options const& options, std::function<void(std::string_view)> const& lap) {
    check_options(options);
    slabs all(comm, values, options.blocks);
    lap("move");
    return counted(all, options, lap);
}

} // namespace weft
