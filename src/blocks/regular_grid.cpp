#include <weft/blocks/regular_grid.hpp>

#include <weft/core/error.hpp>

#include "divisions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace weft {

namespace {

constexpr std::int64_t most_grid_blocks = std::int64_t{1} << 40;
constexpr std::int64_t most_divisions = INT32_MAX;
constexpr std::int64_t largest_cell = std::int64_t{1} << 60; // sums of several of them fit into 64 bits

template <class T>
std::string interval_text(T lo, T hi) {
    return "[" + std::to_string(lo) + ", " + std::to_string(hi) + "]";
}

template <class T>
void check_option(per_dimension<T> const& option, char const* name, int dimensions) {
    if (option.given != 0 && option.given != dimensions)
        throw usage_error("regular_grid: " + std::string(name) + " has " + std::to_string(option.given) +
                          " values for " + std::to_string(dimensions) +
                          " dimensions; give one for each, or one without braces for all");
}

void check_domain(std::size_t d, std::int64_t lo, std::int64_t hi) {
    if (lo < hi && -largest_cell <= lo && hi <= largest_cell) return;
    throw usage_error("regular_grid: expected cells lo <= c < hi along dimension " + std::to_string(d) +
                      ", at least one and none beyond 2^60, found " + interval_text(lo, hi));
}

void check_domain(std::size_t d, double lo, double hi) {
    // The product with a number of blocks must stay finite.
    double const longest = std::numeric_limits<double>::max() / static_cast<double>(most_divisions);
    if (lo <= hi && std::isfinite(lo) && std::isfinite(hi) && hi - lo <= longest) return;
    throw usage_error("regular_grid: expected finite bounds lo <= hi along dimension " + std::to_string(d) +
                      ", found " + interval_text(lo, hi));
}

/// Returns the greatest number of blocks along an axis such that none is empty.
std::int64_t most_blocks_along(detail::grid_axis<std::int64_t> const& axis) {
    std::int64_t const cells = axis.hi - axis.lo - (axis.share_face ? 1 : 0);
    return std::clamp(cells, std::int64_t{1}, most_divisions);
}
std::int64_t most_blocks_along(detail::grid_axis<double> const& axis) {
    // A block must be wider than the rounding errors of its cuts.
    double const narrowest =
        8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(axis.lo), std::abs(axis.hi));
    double const most = (axis.hi - axis.lo) / std::max(narrowest, std::numeric_limits<double>::min());
    if (most >= static_cast<double>(most_divisions)) return most_divisions;
    return std::max(std::int64_t{1}, static_cast<std::int64_t>(most));
}

template <class T>
std::int64_t product_of(per_dimension<std::int64_t> const& divisions, box<T> const& domain) {
    if (domain.dimensions < 1 || domain.dimensions > max_dimensions) return 1; // is refused later
    check_option(divisions, "divisions", domain.dimensions);
    std::int64_t product = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(domain.dimensions); ++d) {
        std::int64_t const here = divisions.values[d];
        if (here < 1 || here > most_grid_blocks / product)
            throw usage_error("regular_grid: expected at least 1 division along each dimension and at most "
                              "2^40 blocks, found " +
                              std::to_string(here) + " along dimension " + std::to_string(d) +
                              "; to have them chosen give a number of blocks");
        product *= here;
    }
    return product;
}

template <class T>
grid_options<T> with_divisions(grid_options<T> options, per_dimension<std::int64_t> const& divisions) {
    for (std::int64_t const already : options.divisions.values)
        if (already != 0)
            throw usage_error("regular_grid: divisions are given twice; leave them out of the options");
    options.divisions = divisions;
    return options;
}

} // namespace

template <class T>
regular_grid<T>::regular_grid(box<T> const& domain, std::int64_t blocks, grid_options<T> const& options) {
    check_and_set_axes(domain, options);
    set_divisions(blocks, options);
}

template <class T>
regular_grid<T>::regular_grid(
    box<T> const& domain, per_dimension<std::int64_t> divisions, grid_options<T> options)
    : regular_grid(domain, product_of(divisions, domain), with_divisions(std::move(options), divisions)) {
}

template <class T>
void regular_grid<T>::check_and_set_axes(box<T> const& domain, grid_options<T> const& options) {
    if (domain.dimensions < 1 || domain.dimensions > max_dimensions)
        throw usage_error("regular_grid: expected a domain of 1 to 4 dimensions, found " +
                          std::to_string(domain.dimensions));
    check_option(options.divisions, "divisions", domain.dimensions);
    check_option(options.ghosts, "ghosts", domain.dimensions);
    check_option(options.wrap, "wrap", domain.dimensions);
    check_option(options.share_face, "share_face", domain.dimensions);
    domain_.dimensions = domain.dimensions;
    for (std::size_t d = 0; d < static_cast<std::size_t>(domain.dimensions); ++d) {
        check_domain(d, domain.lo[d], domain.hi[d]);
        domain_.lo[d] = domain.lo[d];
        domain_.hi[d] = domain.hi[d];
        detail::grid_axis<T>& axis = axes_[d];
        axis.lo = domain.lo[d];
        axis.hi = domain.hi[d];
        axis.ghosts = options.ghosts.values[d];
        axis.wrap = options.wrap.values[d];
        axis.share_face = options.share_face.values[d];
        std::string const where = " along dimension " + std::to_string(d);
        if (axis.share_face && !std::is_integral_v<T>)
            throw usage_error("regular_grid: blocks of space have no layers to share; leave share_face out");
        if (axis.share_face && axis.wrap)
            throw usage_error(
                "regular_grid: share_face does not go with wrap" + where + "; use ghosts instead");
        if (axis.wrap && !(axis.lo < axis.hi))
            throw usage_error("regular_grid: a domain without extent cannot wrap" + where);
        // With wider ghosts, a point could be in the ghosts of a block several times on one side.
        T const widest = std::is_integral_v<T> ? static_cast<T>(largest_cell) : std::numeric_limits<T>::max();
        if (!(T{0} <= axis.ghosts && axis.ghosts <= (axis.wrap ? axis.hi - axis.lo : widest)))
            throw usage_error("regular_grid: expected ghosts of at least 0, and not wider than a domain that "
                              "wraps, found " +
                              std::to_string(axis.ghosts) + where);
    }
}

template <class T>
void regular_grid<T>::set_divisions(std::int64_t blocks, grid_options<T> const& options) {
    if (blocks < 1 || blocks > most_grid_blocks)
        throw usage_error("regular_grid: expected 1 to 2^40 blocks, found " + std::to_string(blocks));
    coordinates<divisible> along;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions()); ++d) {
        std::int64_t const given = options.divisions.values[d];
        if (given < 0)
            throw usage_error("regular_grid: expected at least 1 division along dimension " +
                              std::to_string(d) + ", or 0 to choose, found " + std::to_string(given));
        along[d] = {given, most_blocks_along(axes_[d]), static_cast<double>(axes_[d].hi - axes_[d].lo)};
    }
    auto const chosen = choose_divisions(blocks, dimensions(), along);
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions()); ++d) axes_[d].blocks = chosen[d];
    blocks_ = blocks;
}

template <class T>
coordinates<std::int64_t> regular_grid<T>::divisions() const noexcept {
    return {axes_[0].blocks, axes_[1].blocks, axes_[2].blocks, axes_[3].blocks};
}

template <class T>
coordinates<std::int64_t> regular_grid<T>::coordinates_of(block_id block) const {
    std::int64_t rest = index_of(block);
    if (rest < 0 || rest >= blocks_)
        throw usage_error("regular_grid: block " + std::to_string(rest) + " does not exist; blocks are 0.." +
                          std::to_string(blocks_ - 1));
    coordinates<std::int64_t> place{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions()); ++d) {
        place[d] = rest % axes_[d].blocks;
        rest /= axes_[d].blocks;
    }
    return place;
}

template <class T>
block_id regular_grid<T>::block_at(coordinates<std::int64_t> const& place) const {
    std::int64_t id = 0;
    for (std::size_t d = max_dimensions; d-- > 0;) {
        if (place[d] < 0 || place[d] >= axes_[d].blocks)
            throw usage_error("regular_grid: place " + std::to_string(place[d]) + " along dimension " +
                              std::to_string(d) + " does not exist; places are 0.." +
                              std::to_string(axes_[d].blocks - 1));
        id = id * axes_[d].blocks + place[d];
    }
    return block_id{id};
}

template <class T>
box<T> regular_grid<T>::bounds(block_id block) const {
    auto const place = coordinates_of(block);
    box<T> result{dimensions()};
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions()); ++d) {
        result.lo[d] = axes_[d].cut(place[d]);
        result.hi[d] = axes_[d].upper(place[d]);
    }
    return result;
}

template <class T>
box<T> regular_grid<T>::bounds_with_ghosts(block_id block) const {
    auto const place = coordinates_of(block);
    box<T> result{dimensions()};
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions()); ++d) {
        result.lo[d] = axes_[d].ghost_lower(place[d]);
        result.hi[d] = axes_[d].ghost_upper(place[d]);
    }
    return result;
}

template <class T>
std::vector<grid_neighbor> regular_grid<T>::neighbors(block_id block) const {
    auto const place = coordinates_of(block);
    int directions = 1;
    for (int d = 0; d < dimensions(); ++d) directions *= 3;
    std::vector<grid_neighbor> found;
    found.reserve(static_cast<std::size_t>(directions - 1));
    for (int code = 0; code < directions; ++code) {
        if (code == directions / 2) continue; // no step in any dimension
        grid_neighbor there;
        coordinates<std::int64_t> target{};
        bool exists = true;
        for (std::size_t d = 0, rest = static_cast<std::size_t>(code);
             d < static_cast<std::size_t>(dimensions()); ++d, rest /= 3) {
            there.direction[d] = static_cast<std::int8_t>(static_cast<int>(rest % 3) - 1);
            target[d] = place[d] + there.direction[d];
            if (target[d] >= 0 && target[d] < axes_[d].blocks) continue;
            exists = exists && axes_[d].wrap;
            there.wrap[d] = there.direction[d];
            target[d] -= there.direction[d] * axes_[d].blocks;
        }
        if (!exists) continue;
        there.block = block_at(target);
        found.push_back(there);
    }
    return found;
}

template <class T>
link regular_grid<T>::link_of(block_id block) const {
    std::vector<block_id> ids;
    for (grid_neighbor const& there : neighbors(block)) ids.push_back(there.block);
    return link(std::move(ids));
}

template <class T>
std::optional<block_id> regular_grid<T>::block_of(coordinates<T> const& point) const noexcept {
    std::int64_t id = 0;
    for (auto d = static_cast<std::size_t>(dimensions()); d-- > 0;) {
        std::optional<T> const x = axes_[d].inside(point[d]);
        if (!x) return std::nullopt;
        id = id * axes_[d].blocks + axes_[d].owner(*x);
    }
    return block_id{id};
}

template <class T>
std::vector<block_id> regular_grid<T>::blocks_with_ghosts(coordinates<T> const& point) const {
    std::vector<block_id> found;
    blocks_with_ghosts(point, found);
    return found;
}

template <class T>
void regular_grid<T>::blocks_with_ghosts(coordinates<T> const& point, std::vector<block_id>& found) const {
    found.assign(1, block_id{0});
    // From the last dimension, which is slowest, to the first: each id found so far is replaced by those of a
    // row.
    for (auto d = static_cast<std::size_t>(dimensions()); d-- > 0;) {
        detail::grid_axis<T> const& axis = axes_[d];
        std::optional<T> const x = axis.inside(point[d]);
        if (!x) {
            found.clear();
            return;
        }
        std::array<typename detail::grid_axis<T>::range, 3> reached;
        std::size_t ranges = 0;
        std::int64_t length = 0;
        std::int64_t next = 0; // images of the point ascend; blocks found already are skipped
        for (int image = axis.wrap ? -1 : 0; image <= (axis.wrap ? 1 : 0); ++image) {
            auto here = axis.reached_by(*x + static_cast<T>(image) * (axis.hi - axis.lo));
            here.first = std::max(here.first, next);
            if (here.first > here.last) continue;
            reached[ranges++] = here;
            length += here.last + 1 - here.first;
            next = here.last + 1;
        }
        std::size_t const rows = found.size();
        found.resize(rows * static_cast<std::size_t>(length));
        // From the end, so that no id is overwritten before its row is made.
        auto at = found.end();
        for (std::size_t row = rows; row-- > 0;) {
            std::int64_t const first = index_of(found[row]) * axis.blocks;
            for (std::size_t r = ranges; r-- > 0;)
                for (std::int64_t i = reached[r].last; i >= reached[r].first; --i)
                    *--at = block_id{first + i};
        }
    }
}

template class regular_grid<std::int64_t>;
template class regular_grid<double>;

} // namespace weft
