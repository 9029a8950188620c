#include <weft/blocks/block_balance.hpp>

#include <core/number_text.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <set>
#include <string>
#include <utility>

namespace weft {

namespace {

/// The loads of the ranks, and the least and most loaded ranks; ties are broken by rank.
class rank_loads {
public:
    rank_loads(assignment const& where, std::span<double const> costs)
        : loads_(static_cast<std::size_t>(where.ranks())) {
        for (std::size_t b = 0; b < costs.size(); ++b) {
            loads_[static_cast<std::size_t>(where.rank_of(block_id{static_cast<std::int64_t>(b)}))] +=
                costs[b];
            total_ += costs[b];
        }
        for (std::size_t rank = 0; rank < loads_.size(); ++rank) order_.emplace(loads_[rank], rank);
    }

    [[nodiscard]] double average() const noexcept { return total_ / static_cast<double>(loads_.size()); }
    [[nodiscard]] double of(std::size_t rank) const noexcept { return loads_[rank]; }
    [[nodiscard]] std::size_t least() const noexcept { return order_.begin()->second; }
    [[nodiscard]] std::size_t most() const noexcept {
        return order_.lower_bound({order_.rbegin()->first, 0})->second;
    }
    [[nodiscard]] double imbalance() const noexcept {
        return total_ > 0 ? order_.rbegin()->first / average() : 1;
    }
    void add(std::size_t rank, double cost) {
        order_.erase({loads_[rank], rank});
        loads_[rank] += cost;
        order_.emplace(loads_[rank], rank);
    }

private:
    std::vector<double> loads_;
    std::set<std::pair<double, std::size_t>> order_;
    double total_ = 0;
};

/// The blocks of a rank with a positive cost, ascending by cost; among equal costs the lowest id comes last.
using blocks_by_cost = std::set<std::pair<double, std::int64_t>>;

blocks_by_cost movable_blocks(assignment const& where, std::span<double const> costs, std::size_t rank) {
    blocks_by_cost result;
    int const r = static_cast<int>(rank);
    for (std::int64_t place = 0; place < where.blocks_of(r); ++place) {
        std::int64_t const b = index_of(where.block_at(r, place));
        if (double const cost = costs[static_cast<std::size_t>(b)]; cost > 0) result.emplace(cost, -b);
    }
    return result;
}

/// Returns the block to move from a rank of load `from` to one of load `to`; `end` if there is no such block.
blocks_by_cost::iterator leaving_block(blocks_by_cost const& blocks, double from, double to, double limit) {
    auto const beyond = blocks.upper_bound({limit - to, 1});
    if (beyond != blocks.begin()) return std::prev(beyond);
    if (blocks.empty() || to + blocks.begin()->first >= from) return blocks.end();
    return std::prev(blocks.upper_bound({blocks.begin()->first, 1}));
}

void check_costs(std::span<double const> costs, double tolerance) {
    if (!(tolerance >= 0))
        throw usage_error(
            "blocks: balance: the tolerance is " + number_text(tolerance) + "; it is at least 0");
    for (std::size_t b = 0; b < costs.size(); ++b)
        if (!(costs[b] >= 0) || std::isinf(costs[b]))
            throw usage_error("blocks: balance: block " + std::to_string(b) + " costs " +
                              std::to_string(costs[b]) + "; costs are finite and not negative");
}

/// Returns the costs of all blocks by id, from the costs by place that each rank has sent.
std::vector<double> costs_by_id(assignment const& where, message_list const& received) {
    std::vector<double> result(static_cast<std::size_t>(where.blocks()));
    for (message const& each : received)
        for (std::int64_t place = 0; place < where.blocks_of(each.peer); ++place)
            std::memcpy(&result[static_cast<std::size_t>(index_of(where.block_at(each.peer, place)))],
                each.data.data() + static_cast<std::size_t>(place) * sizeof(double), sizeof(double));
    return result;
}

} // namespace

std::vector<block_move> balancing_moves(
    assignment const& where, std::span<double const> costs, double tolerance, balance_report& report) {
    check_costs(costs, tolerance);
    rank_loads loads(where, costs);
    report = {loads.imbalance(), loads.imbalance(), 0};
    std::vector<block_move> moves;
    double const limit = loads.average() * (1 + tolerance);
    std::vector<std::pair<bool, blocks_by_cost>> movable(static_cast<std::size_t>(where.ranks()));
    for (std::size_t from; loads.of(from = loads.most()) > limit;) {
        auto& [known, blocks] = movable[from];
        if (!std::exchange(known, true)) blocks = movable_blocks(where, costs, from);
        std::size_t const to = loads.least();
        auto const chosen = leaving_block(blocks, loads.of(from), loads.of(to), limit);
        if (chosen == blocks.end()) break;
        auto const [cost, block] = *chosen;
        blocks.erase(chosen);
        loads.add(from, -cost);
        loads.add(to, cost);
        moves.push_back({block_id{-block}, static_cast<int>(to)});
    }
    report.after = loads.imbalance();
    report.moved = static_cast<std::int64_t>(moves.size());
    return moves;
}

balance_report balance_blocks(communicator const& comm, detail::local_blocks& local, block_storage& storage,
    std::span<double const> costs, double tolerance) try {
    gate call(comm, "balance_blocks");
    call.same("the tolerance", tolerance);
    call.agree();
    assignment const& where = local.where();
    buffer mine;
    call.guard([&] { mine.append(costs.data(), costs.size_bytes()); });
    message_list const received = gather_bytes(comm, std::move(mine), call.take());
    balance_report report;
    std::vector<block_move> moves;
    buffer answer;
    call.guard([&] {
        if (comm.rank() == 0) moves = balancing_moves(where, costs_by_id(where, received), tolerance, report);
        answer.append(&report, sizeof report);
        answer.append(moves.data(), moves.size() * sizeof(block_move));
    });
    answer = broadcast_bytes(comm, std::move(answer), call.take());
    std::memcpy(&report, answer.data(), sizeof report);
    if (report.moved == 0) return report;
    moves.resize(static_cast<std::size_t>(report.moved));
    std::memcpy(moves.data(), answer.data() + sizeof report, moves.size() * sizeof(block_move));
    deal_anew(comm, local, storage, after_moves(where, moves));
    return report;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("balance");
    throw;
}

} // namespace weft
