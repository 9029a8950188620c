#include <tracing/synthetic_flow.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

namespace weft {

namespace {
flow_axis counted_axis(std::int64_t cells) {
    std::vector<double> points;
    for (std::int64_t i = 0; i <= cells; ++i) points.push_back(static_cast<double>(i));
    return flow_axis(std::move(points));
}

/// Returns true if the diagonal of the cube passes through the interior of a block.
bool is_on_diagonal(box<std::int64_t> const& core) {
    return std::max({core.lo[0], core.lo[1], core.lo[2]}) < std::min({core.hi[0], core.hi[1], core.hi[2]});
}
} // namespace

synthetic_flow::options synthetic_flow::parse(std::string const& text) {
    options what;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = std::min(text.find(',', at), text.size());
        std::string const part = text.substr(at, end - at);
        std::size_t const equals = part.find('=');
        std::string const key = part.substr(0, equals);
        char const* const from = part.data() + std::min(equals, part.size() - 1) + 1;
        char const* const to = part.data() + part.size();
        auto const into = [&](auto& value) {
            auto const [stop, error] = std::from_chars(from, to, value);
            if (equals == std::string::npos || error != std::errc{} || stop != to)
                throw usage_error("`synthetic`: '" + part + "' is no " + key + "=NUMBER");
        };
        if (key == "fast")
            into(what.fast);
        else if (key == "slow")
            into(what.slow);
        else if (key == "n")
            into(what.n);
        else if (key == "lattice")
            into(what.lattice);
        else
            throw usage_error("`synthetic`: there is no '" + part +
                              "'; there are fast=, slow=, n= and lattice=, separated by commas");
        at = end + 1;
    }
    return what;
}

synthetic_flow::synthetic_flow(options const& what) : what_(what) {
    if (what.n < 1) throw usage_error("`synthetic`: n, the cells along an edge, must be at least 1");
    if (what.lattice < 0 || what.lattice > what.n)
        throw usage_error("`synthetic`: lattice must be at most n, so that each of its blocks has cells");
    flow_axis const axis = counted_axis(what.n);
    domain_ = std::make_shared<flow_domain const>(flow_domain{{axis, axis, axis}, flow_axis({0})});
}

field_block synthetic_flow::read(
    box<std::int64_t> const& points, regular_grid<std::int64_t> const& grid) const {
    regular_grid<std::int64_t> const lattice =
        what_.lattice == 0
            ? grid
            : regular_grid<std::int64_t>(domain_->cells(), per_dimension<std::int64_t>(what_.lattice));
    std::size_t const count = static_cast<std::size_t>(
        (points.hi[0] - points.lo[0]) * (points.hi[1] - points.lo[1]) * (points.hi[2] - points.lo[2]));
    std::vector<float> values(count * 3, 0);
    std::size_t place = 0;
    block_id last{-1};
    float speed = 0;
    for (std::int64_t z = points.lo[2]; z < points.hi[2]; ++z)
        for (std::int64_t y = points.lo[1]; y < points.hi[1]; ++y)
            for (std::int64_t x = points.lo[0]; x < points.hi[0]; ++x, place += 3) {
                std::int64_t const end = what_.n - 1;
                block_id const owner =
                    *lattice.block_of({std::min(x, end), std::min(y, end), std::min(z, end)});
                if (owner != last)
                    speed =
                        static_cast<float>(is_on_diagonal(lattice.bounds(owner)) ? what_.slow : what_.fast);
                last = owner;
                values[place] = speed;
            }
    std::vector<std::vector<std::byte>> steps(1);
    steps[0].resize(values.size() * sizeof(float));
    std::memcpy(steps[0].data(), values.data(), steps[0].size());
    return {domain_, points, value_type::float32, std::move(steps)};
}

} // namespace weft
