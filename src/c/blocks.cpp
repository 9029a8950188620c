#include "handles.hpp"

#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft::c {

namespace {

/// A decomposition that a program in C has described.
class cut_of_c {
public:
    explicit cut_of_c(regular_grid<std::int64_t> const& grid) : grid_(grid), blocks_(grid.blocks()) {}
    cut_of_c(std::int64_t blocks, weft_neighbors neighbors, void* state)
        : blocks_(blocks), neighbors_(neighbors), state_(state) {}

    [[nodiscard]] std::int64_t blocks() const noexcept { return blocks_; }
    [[nodiscard]] link link_of(block_id block) const {
        if (grid_) return grid_->link_of(block);
        std::vector<std::int64_t> ids(32);
        callback const now;
        std::size_t const count = neighbors_(state_, index_of(block), ids.data(), ids.size());
        now.end();
        if (count > ids.size()) {
            ids.resize(count);
            (void)neighbors_(state_, index_of(block), ids.data(), ids.size());
            now.end();
        }
        std::vector<block_id> found(count);
        for (std::size_t i = 0; i < count; ++i) found[i] = block_id{ids[i]};
        return link(std::move(found));
    }
    [[nodiscard]] regular_grid<std::int64_t> const& grid() const {
        if (!grid_) throw usage_error("the blocks are those of no grid");
        return *grid_;
    }

private:
    std::optional<regular_grid<std::int64_t>> grid_;
    std::int64_t blocks_;
    weft_neighbors neighbors_ = nullptr;
    void* state_ = nullptr;
};

using block_bytes = std::vector<std::byte>;

regular_grid<std::int64_t> grid_of(weft_grid const& from, std::int64_t blocks) {
    box<std::int64_t> domain{from.dimensions, {}, {}};
    if (from.dimensions < 1 || from.dimensions > max_dimensions)
        throw usage_error("weft_cut_grid: " + std::to_string(from.dimensions) + " dimensions");
    grid_options<std::int64_t> options;
    for (auto* const given : {&options.divisions.given, &options.ghosts.given, &options.wrap.given})
        *given = from.dimensions;
    for (std::size_t d = 0; d < static_cast<std::size_t>(from.dimensions); ++d) {
        domain.hi[d] = from.cells[d];
        options.divisions.values[d] = from.divisions[d];
        options.ghosts.values[d] = from.ghosts[d];
        options.wrap.values[d] = from.wrap[d] != 0;
    }
    if (blocks != 0) return {domain, blocks, options};
    return {domain, std::exchange(options.divisions, per_dimension<std::int64_t>(0)), options};
}

} // namespace

} // namespace weft::c

struct weft_cut {
    weft::c::cut_of_c of;
};

struct weft_block_set {
    weft::block_set<weft::c::block_bytes> of;
    std::size_t item_bytes;
};

struct weft_port {
    weft::block_port<std::byte>& of;
    std::int64_t blocks; ///< in all
    std::size_t item_bytes;
};

namespace weft::c {

namespace {

/// Calls a program in C for a block.
class block_caller {
public:
    block_caller(weft_block_set const& set, weft_block_call call, void* state) noexcept
        : call_(call), state_(state), blocks_(set.of.where().blocks()), item_bytes_(set.item_bytes) {}
    bool operator()(block_bytes& block, block_port<std::byte>& port) const {
        if (call_ == nullptr) throw usage_error("call is a null pointer"); // agreed as what a callback throws
        weft_port given{port, blocks_, item_bytes_};
        callback const now;
        bool const done = call_(state_, block.data(), &given) != 0;
        now.end();
        return done;
    }

private:
    weft_block_call call_;
    void* state_;
    std::int64_t blocks_;
    std::size_t item_bytes_;
};

/// Lets a callback write the value of a block.
template <class Value>
auto value_writer(weft_block_value value, void* state, Value&& blank) {
    return [value, state, blank](block_bytes const& block, block_id id) {
        if (value == nullptr) throw usage_error("the callback for values is a null pointer");
        auto made = blank;
        callback const now;
        value(state, index_of(id), block.data(), static_cast<void*>(std::data(made)));
        now.end();
        return made;
    };
}

/// As `value_writer`, of a number.
auto cost_writer(weft_block_value value, void* state) {
    return [of = value_writer(value, state, std::array<double, 1>{})](
               block_bytes const& block, block_id id) { return of(block, id)[0]; };
}

} // namespace

} // namespace weft::c

namespace c = weft::c;

weft_status weft_cut_grid(weft_grid const* grid, int64_t blocks, weft_cut** made) {
    return c::call(
        [&] { c::hand_over(new weft_cut{c::cut_of_c(c::grid_of(c::given(grid, "grid"), blocks))}, made); });
}

weft_status weft_cut_links(int64_t blocks, weft_neighbors neighbors, void* state, weft_cut** made) {
    return c::call([&] {
        c::expect_given(reinterpret_cast<void const*>(neighbors), "neighbors");
        if (blocks < 0) throw weft::usage_error("weft_cut_links: " + std::to_string(blocks) + " blocks");
        c::hand_over(new weft_cut{c::cut_of_c(blocks, neighbors, state)}, made);
    });
}

int64_t weft_cut_blocks(weft_cut const* cut) {
    return cut == nullptr ? 0 : cut->of.blocks();
}

weft_status weft_cut_bounds(weft_cut const* cut, int64_t block, int ghosts, int64_t* lower, int64_t* upper) {
    return c::call([&] {
        auto const& grid = c::given(cut, "cut").of.grid();
        weft::block_id const id{block};
        auto const bounds = ghosts != 0 ? grid.bounds_with_ghosts(id) : grid.bounds(id);
        std::copy_n(bounds.lo.begin(), grid.dimensions(), &c::given(lower, "lower"));
        std::copy_n(bounds.hi.begin(), grid.dimensions(), &c::given(upper, "upper"));
    });
}

weft_status weft_cut_block_of(weft_cut const* cut, int64_t const* cell, int64_t* block) {
    return c::call([&] {
        auto const& grid = c::given(cut, "cut").of.grid();
        weft::coordinates<std::int64_t> at{};
        std::copy_n(&c::given(cell, "cell"), grid.dimensions(), at.begin());
        std::optional<weft::block_id> const found = grid.block_of(at);
        c::given(block, "block") = found ? weft::index_of(*found) : -1;
    });
}

void weft_cut_free(weft_cut* cut) {
    delete cut;
}

weft_status weft_block_set_make(
    weft_comm const* comm, weft_cut const* cut, weft_block_options const* options, weft_block_set** made) {
    return c::call([&] {
        weft::communicator const& of = c::given(comm, "comm").of;
        weft::gate open(of, "weft_block_set_make");
        weft_block_options with = {};
        open.guard([&] {
            c::expect_given(cut, "cut");
            with = c::given(options, "options");
            if (with.block_bytes == 0 || with.item_bytes == 0)
                throw weft::usage_error("weft_block_set_make: blocks or items of 0 bytes");
        });
        open.same("block_bytes", with.block_bytes)
            .same("item_bytes", with.item_bytes)
            .same("blocks", weft_cut_blocks(cut))
            .agree();
        weft::block_options set_options;
        if (with.threads != 0) set_options.threads = with.threads;
        set_options.blocks_in_memory = with.blocks_in_memory;
        c::hand_over(
            new weft_block_set{
                {of, cut->of, [&](weft::block_id) { return c::block_bytes(with.block_bytes); }, set_options},
                with.item_bytes},
            made);
    });
}

int64_t weft_block_set_size(weft_block_set const* set) {
    return set == nullptr ? 0 : static_cast<int64_t>(set->of.size());
}

int weft_block_set_owner(weft_block_set const* set, int64_t block) {
    if (set == nullptr || block < 0 || block >= set->of.where().blocks()) return -1;
    return set->of.where().rank_of(weft::block_id{block});
}

weft_status weft_block_set_each(weft_block_set* set, weft_block_call call, void* state) {
    return c::call([&] {
        weft_block_set& of = c::given(set, "set");
        of.of.for_each_port<std::byte>(c::block_caller(of, call, state));
        of.of.for_each([](c::block_bytes&, weft::block_id) {}); // agrees on what the callbacks have thrown
    });
}

weft_status weft_block_set_exchange(weft_block_set* set, weft_block_call call, void* state, int64_t* left) {
    return c::call([&] {
        weft_block_set& of = c::given(set, "set");
        std::int64_t const some = of.of.exchange<std::byte>(c::block_caller(of, call, state));
        c::given(left, "left") = some;
    });
}

weft_status weft_block_set_exchange_neighbors(
    weft_block_set* set, weft_block_call call, void* state, double fraction) {
    return c::call([&] {
        weft_block_set& of = c::given(set, "set");
        of.of.exchange_neighbors<std::byte>(c::block_caller(of, call, state), {.fraction = fraction});
    });
}

weft_status weft_block_set_iexchange(weft_block_set* set, weft_block_call call, void* state) {
    return c::call([&] {
        weft_block_set& of = c::given(set, "set");
        of.of.iexchange<std::byte>(c::block_caller(of, call, state));
    });
}

weft_status weft_block_set_all_reduce(weft_block_set* set, weft_block_value value, weft_combine combine,
    void* state, size_t value_bytes, void* result) {
    return c::call([&] {
        weft_block_set& of = c::given(set, "set");
        weft::gate open(of.of.comm(), "weft_block_set_all_reduce");
        open.guard([&] {
            c::expect_given(reinterpret_cast<void const*>(combine), "combine");
            c::expect_given(result, "result");
            if (value_bytes == 0) throw weft::usage_error("weft_block_set_all_reduce: values of 0 bytes");
        });
        open.same("value_bytes", value_bytes).agree();
        c::block_bytes const whole =
            of.of.all_reduce<c::block_bytes>(c::value_writer(value, state, c::block_bytes(value_bytes)),
                [&](c::block_bytes left, c::block_bytes const& right) {
                    c::callback const now;
                    combine(state, left.data(), right.data(), left.data(), 1);
                    now.end();
                    return left;
                });
        std::memcpy(result, whole.data(), value_bytes);
    });
}

weft_status weft_block_set_move(weft_block_set* set, size_t count, int64_t const* blocks, int const* ranks) {
    return c::call([&] {
        weft_block_set& of = c::given(set, "set");
        std::vector<weft::block_move> moves;
        weft::gate open(of.of.comm(), "weft_block_set_move");
        weft::agreed(open, [&] {
            if (count == 0) return;
            c::expect_given(blocks, "blocks");
            c::expect_given(ranks, "ranks");
            for (std::size_t i = 0; i < count; ++i) moves.push_back({weft::block_id{blocks[i]}, ranks[i]});
        });
        of.of.move(moves);
    });
}

weft_status weft_block_set_balance(
    weft_block_set* set, weft_block_value cost, void* state, double tolerance, double* after) {
    return c::call([&] {
        weft_block_set& of = c::given(set, "set");
        weft::balance_report const report = of.of.balance(c::cost_writer(cost, state), tolerance);
        if (after != nullptr) *after = report.after;
    });
}

void weft_block_set_free(weft_block_set* set) {
    delete set;
}

int64_t weft_port_block(weft_port const* port) {
    return weft::index_of(port->of.id());
}

int64_t const* weft_port_neighbors(weft_port const* port, size_t* count) {
    std::span<weft::block_id const> const ids = port->of.link().ids();
    if (count != nullptr) *count = ids.size();
    static_assert(sizeof(weft::block_id) == sizeof(int64_t));
    return reinterpret_cast<int64_t const*>(ids.data());
}

int weft_port_take(weft_port* port, weft_block_message* into) {
    weft::block_message<std::byte> next;
    if (!port->of.take(next)) return 0;
    *into = {weft::index_of(next.source), next.items.data(), next.items.size() / port->item_bytes};
    return 1;
}

weft_status weft_port_send(weft_port* port, int64_t block, void const* items, size_t count) {
    return c::call([&] {
        weft_port& of = c::given(port, "port");
        if (count != 0) c::expect_given(items, "items");
        if (block < 0 || block >= of.blocks)
            throw weft::usage_error(
                "weft_port_send: block " + std::to_string(block) + " of 0.." + std::to_string(of.blocks - 1));
        of.of.send(
            weft::block_id{block}, std::span(static_cast<std::byte const*>(items), count * of.item_bytes));
    });
}

void weft_port_flush(weft_port* port) {
    port->of.flush();
}
