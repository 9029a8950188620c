#include <weft/frames/block_distribution.hpp>

#include "equal_values.hpp"
#include "share_sums.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <string>

namespace weft {

namespace {

/// Returns the prefix sums of the sizes, from 0. Throws if they overflow.
std::vector<global_id> bounds_of_sizes(std::vector<std::int64_t> const& sizes) {
    std::vector<global_id> bounds{0};
    bounds.reserve(sizes.size() + 1);
    for (std::int64_t const size : sizes) {
        if (size > INT64_MAX - bounds.back())
            throw usage_error("block_distribution: the sizes of all blocks together take more than 63 bits");
        bounds.push_back(bounds.back() + size);
    }
    return bounds;
}

void check_total(std::int64_t total) {
    if (total < 0)
        throw usage_error("block_distribution: a total of " + std::to_string(total) + " ids is negative");
}

} // namespace

block_distribution::block_distribution(std::vector<global_id> bounds) : bounds_(std::move(bounds)) {
    if (bounds_.size() < 2)
        throw usage_error(
            "block_distribution: expected the bounds of at least one block, which are two; found " +
            std::to_string(bounds_.size()));
    if (bounds_.front() < 0)
        throw usage_error(
            "block_distribution: the first id is " + std::to_string(bounds_.front()) + "; ids count from 0");
    auto const descends = std::ranges::adjacent_find(bounds_, std::greater{});
    if (descends != bounds_.end())
        throw usage_error("block_distribution: bound " + std::to_string(descends - bounds_.begin() + 1) +
                          " is " + std::to_string(descends[1]) + ", less than the one before, " +
                          std::to_string(*descends));
    for (int part = 0; part < parts(); ++part) largest_ = std::max(largest_, size(part));

    // There are two to four times as many slots as blocks, so most slots contain at most one bound.
    auto const width = static_cast<std::uint64_t>(total());
    std::uint64_t const slots = std::bit_ceil(static_cast<std::uint64_t>(parts())) * 2;
    while (shift_ < 63 && (width >> shift_) >= slots) ++shift_;
    guide_.resize(static_cast<std::size_t>(width >> shift_) + 2);
    int part = 0;
    for (std::size_t slot = 0; slot < guide_.size(); ++slot) {
        auto const offset = static_cast<std::uint64_t>(slot) << shift_; // may exceed the last id
        while (part + 1 < parts() && static_cast<std::uint64_t>(end(part) - begin()) <= offset) ++part;
        guide_[slot] = part;
    }
}

block_distribution block_distribution::uniform(communicator const& comm, std::int64_t total) {
    check_total(total);
    return uniform_distribution(total, comm.size());
}

block_distribution block_distribution::from_sizes(communicator const& comm, std::int64_t mine) try {
    agreed(comm, [&] {
        if (mine < 0)
            throw usage_error("block_distribution: a block of " + std::to_string(mine) + " ids on rank " +
                              std::to_string(comm.rank()));
    });
    return block_distribution(bounds_of_sizes(all_gather(comm, mine)));
} catch (std::bad_alloc const&) {
    alone_unless_agreed("block_distribution");
    throw;
}

block_distribution block_distribution::by_shares(communicator const& comm, std::int64_t total, double share) {
    std::exception_ptr const failure = detail::failure_in([&] {
        check_total(total);
        if (!(share >= 0) || !std::isfinite(share))
            throw usage_error("block_distribution: rank " + std::to_string(comm.rank()) + " has a share of " +
                              std::to_string(share) + "; expected a number that is not negative");
    });
    (void)agree_on(
        "block_distribution", comm, failure, value_print().add(total), "have different totals of ids");
    std::vector<std::int64_t> const all = all_gather(comm, std::bit_cast<std::int64_t>(share));
    return or_alone("block_distribution", [&] { // memory depends on the ranks
        std::vector<double> shares;
        for (std::int64_t const bits : all) shares.push_back(std::bit_cast<double>(bits));
        std::vector<double> const before = sums_before(shares);
        if (!(before.back() > 0)) throw usage_error("block_distribution: the shares of all ranks are 0");
        std::vector<global_id> bounds;
        for (double const each : before)
            bounds.push_back(each == before.back() // exact, unlike products of doubles
                                 ? total
                                 : std::min(total, static_cast<global_id>(static_cast<long double>(total) *
                                                                          each / before.back())));
        return block_distribution(std::move(bounds));
    });
}

std::int64_t block_distribution::largest() const noexcept {
    if (!is_uniform()) return largest_;
    return uniform_.total() / uniform_.parts() + (uniform_.total() % uniform_.parts() != 0 ? 1 : 0);
}

std::vector<global_id> block_distribution::bounds() const {
    if (!is_uniform()) return bounds_;
    std::vector<global_id> made;
    made.reserve(static_cast<std::size_t>(parts()) + 1);
    for (int part = 0; part < parts(); ++part) made.push_back(begin(part));
    made.push_back(end());
    return made;
}

int block_distribution::owner(global_id id) const noexcept {
    return is_uniform() ? uniform_.owner(id) : guided_owner(id);
}

int block_distribution::guided_owner(global_id id) const noexcept {
    std::size_t const slot = slot_of(id);
    int part = guide_[slot];
    int const last = guide_[slot + 1];
    if (last - part > 8) { // many small blocks in this slot
        auto const from = bounds_.begin() + part;
        return part + static_cast<int>(std::upper_bound(from, bounds_.begin() + last + 1, id) - from) - 1;
    }
    while (id >= bounds_[static_cast<std::size_t>(part) + 1]) ++part;
    return part;
}

std::size_t block_distribution::find_owners(std::span<global_id const> ids, std::span<int> owners) const {
    global_id const first = begin();
    auto const width = static_cast<std::uint64_t>(total());
    auto const inside = [&](global_id id) {
        return static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first) < width;
    };
    if (is_uniform() && ids.size() >= static_cast<std::size_t>(parts()) / 4) {
        // The product with the reciprocal is wrong by far less than one block; the bounds correct it.
        std::vector<global_id> const table = bounds();
        double const blocks_an_id =
            width == 0 ? 0 : static_cast<double>(parts()) / static_cast<double>(width);
        int const last = parts() - 1;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            global_id const id = ids[i];
            if (!inside(id)) return i;
            int part = std::min(static_cast<int>(static_cast<double>(id) * blocks_an_id), last);
            part -= static_cast<int>(id < table[static_cast<std::size_t>(part)]);
            part += static_cast<int>(id >= table[static_cast<std::size_t>(part) + 1]);
            // If there are more parts than ids, several blocks in a row may be empty.
            while (id < table[static_cast<std::size_t>(part)]) --part;
            while (id >= table[static_cast<std::size_t>(part) + 1]) ++part;
            owners[i] = part;
        }
        return ids.size();
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!inside(ids[i])) return i;
        owners[i] = owner(ids[i]);
    }
    return ids.size();
}

} // namespace weft
