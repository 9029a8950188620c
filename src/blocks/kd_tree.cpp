#include <weft/blocks/kd_tree.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include "kd_builder.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace weft {

namespace {

void check_kd_domain(int dimensions, box<double> const& domain) {
    if (domain.dimensions != dimensions)
        throw usage_error("kd_tree: the domain has " + std::to_string(domain.dimensions) +
                          " dimensions, the points have " + std::to_string(dimensions));
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d)
        if (!std::isfinite(domain.lo[d]) || !std::isfinite(domain.hi[d]) || domain.lo[d] > domain.hi[d])
            throw usage_error("kd_tree: expected finite bounds lo <= hi along dimension " +
                              std::to_string(d) + ", found " + std::to_string(domain.lo[d]) + " and " +
                              std::to_string(domain.hi[d]));
}

/// Throws for errors that this rank detects alone.
void check_kd_input(
    int dimensions, std::span<double const> points, std::int64_t blocks, kd_tree_options const& options) {
    if (dimensions < 1 || dimensions > max_dimensions)
        throw usage_error("kd_tree: expected 1 to 4 dimensions, found " + std::to_string(dimensions));
    if (blocks < 1 || blocks > INT32_MAX)
        throw usage_error("kd_tree: expected 1 to 2^31 - 1 blocks, found " + std::to_string(blocks));
    auto const width = static_cast<std::size_t>(dimensions);
    if (points.size() % width != 0)
        throw usage_error("kd_tree: " + std::to_string(points.size()) +
                          " coordinates are not whole points of " + std::to_string(dimensions) +
                          " dimensions; pass all coordinates of each");
    if (options.domain) check_kd_domain(dimensions, *options.domain);
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::size_t const d = i % width;
        std::string wrong;
        if (!std::isfinite(points[i]))
            wrong = "which is not finite";
        else if (options.domain &&
                 !(options.domain->lo[d] <= points[i] && points[i] <= options.domain->hi[d]))
            wrong = "outside the domain; enlarge that";
        else
            continue;
        throw usage_error("kd_tree: local point " + std::to_string(i / width) + " has coordinate " +
                          std::to_string(points[i]) + " along dimension " + std::to_string(d) + ", " + wrong);
    }
}

/// Appends the blocks whose bounds touch a box, in ascending order.
class kd_touching {
public:
    kd_touching(std::span<detail::kd_plane const> planes, box<double> const& target)
        : planes_(planes), target_(target) {}

    void visit(std::size_t at, std::int64_t first, std::int64_t blocks, box<double> const& bounds) {
        if (!touch(bounds, target_)) return;
        if (blocks == 1) {
            found.push_back(block_id{first});
            return;
        }
        detail::kd_plane const& plane = planes_[at];
        auto const d = static_cast<std::size_t>(plane.dimension);
        std::int64_t const lower = blocks / 2;
        box<double> half = bounds;
        half.hi[d] = plane.at;
        visit(at + 1, first, lower, half);
        half = bounds;
        half.lo[d] = plane.at;
        visit(at + static_cast<std::size_t>(lower), first + lower, blocks - lower, half);
    }

    std::vector<block_id> found;

private:
    std::span<detail::kd_plane const> planes_;
    box<double> const& target_;
};

} // namespace

kd_tree::kd_tree(communicator const& comm, int dimensions, std::span<double const> points,
    std::int64_t blocks, kd_tree_options const& options) {
    gate call(comm, "kd_tree");
    call.same("dimensions", dimensions).same("the number of blocks", blocks).same("split", options.split);
    call.same("the option domain", options.domain.has_value());
    std::vector<std::size_t> order;
    agreed(call, [&] {
        check_kd_input(dimensions, points, blocks, options);
        order.resize(points.size() / static_cast<std::size_t>(dimensions));
    });
    in_operation(comm, "kd_tree", [&] { // memory depends on the blocks, not on the points
        kd_builder builder(comm, dimensions, points, options.split, std::move(order));
        domain_ = options.domain ? *options.domain : builder.bounding_box();
        planes_ = builder.cut(domain_, blocks);
    });
}

box<double> kd_tree::bounds(block_id block) const {
    std::int64_t target = index_of(block);
    if (target < 0 || target >= blocks())
        throw usage_error("kd_tree: block " + std::to_string(target) + " does not exist; blocks are 0.." +
                          std::to_string(blocks() - 1));
    box<double> result = domain_;
    std::size_t at = 0;
    for (std::int64_t n = blocks(); n > 1;) {
        detail::kd_plane const& plane = planes_[at];
        auto const d = static_cast<std::size_t>(plane.dimension);
        std::int64_t const lower = n / 2;
        if (target < lower) {
            result.hi[d] = plane.at;
            at += 1;
            n = lower;
        } else {
            result.lo[d] = plane.at;
            at += static_cast<std::size_t>(lower);
            target -= lower;
            n -= lower;
        }
    }
    return result;
}

std::optional<block_id> kd_tree::block_of(coordinates<double> const& point) const noexcept {
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions()); ++d)
        if (!(domain_.lo[d] <= point[d] && point[d] <= domain_.hi[d])) return std::nullopt;
    std::size_t at = 0;
    std::int64_t first = 0;
    for (std::int64_t n = blocks(); n > 1;) {
        detail::kd_plane const& plane = planes_[at];
        std::int64_t const lower = n / 2;
        if (point[static_cast<std::size_t>(plane.dimension)] < plane.at) {
            at += 1;
            n = lower;
        } else {
            at += static_cast<std::size_t>(lower);
            first += lower;
            n -= lower;
        }
    }
    return block_id{first};
}

link kd_tree::link_of(block_id block) const {
    box<double> const mine = bounds(block);
    kd_touching touching(planes_, mine);
    touching.visit(0, 0, blocks(), domain_);
    std::erase(touching.found, block);
    return link(std::move(touching.found));
}

} // namespace weft
