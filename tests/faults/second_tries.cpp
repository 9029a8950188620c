#include "call.hpp"

#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>

#include <array>
#include <new>
#include <utility>

// Callbacks that go on where there is no memory for a message, and send it again.

namespace faults {

namespace {

constexpr std::int64_t items = 150; // from a block to each neighbour

struct listener {
    std::int64_t heard = 0;
};

struct large_item {
    std::int64_t number;
    std::array<std::int64_t, 24> filling{};
};

void send(listener&, weft::block_port<large_item>& port) {
    for (weft::block_id const each : port.link())
        for (std::int64_t i = 0; i < items; ++i) {
            large_item const item{weft::index_of(port.id()) + i};
            try {
                port.send(each, item);
            } catch (std::bad_alloc const&) { port.send(each, item); }
        }
}

void hear(listener& block, weft::block_port<large_item>& port) {
    for (large_item const& each : port.received()) block.heard += each.number;
}

/// The sum of the items of both neighbours.
std::int64_t expected(weft::block_id id, std::int64_t blocks) {
    std::int64_t sum = 0;
    for (std::int64_t const from : {weft::index_of(id) - 1, weft::index_of(id) + 1})
        if (from >= 0 && from < blocks) sum += items * from + items * (items - 1) / 2;
    return sum;
}

void rounds(trial& now, weft::block_options const& options) {
    std::int64_t const count = 2 * now.size() + 1;
    weft::regular_grid<std::int64_t> const grid(weft::cell_box(count), count);
    weft::block_set<listener> blocks(
        now.comm(), grid, [](weft::block_id) { return listener{}; }, options);
    if (!now.under_test([&] {
            (void)blocks.exchange<large_item>(send);
            (void)blocks.exchange<large_item>(hear);
        }))
        return;
    blocks.for_each(
        [&](listener const& block, weft::block_id id) { now.expect(block.heard == expected(id, count)); });
}

void until_quiet(trial& now) {
    std::int64_t const count = 2 * now.size() + 1;
    weft::regular_grid<std::int64_t> const grid(weft::cell_box(count), count);
    struct sender {
        listener what;
        bool has_sent = false;
    };
    weft::block_set<sender> blocks(now.comm(), grid, [](weft::block_id) { return sender{}; });
    if (now.under_test([&] {
            blocks.iexchange<large_item>([](sender& block, weft::block_port<large_item>& port) {
                hear(block.what, port);
                if (!std::exchange(block.has_sent, true)) send(block.what, port);
            });
        }))
        blocks.for_each([&](sender const& block, weft::block_id id) {
            now.expect(block.what.heard == expected(id, count));
        });
}

} // namespace

std::vector<call> second_tries() {
    return {
        {"block_set::exchange, sent again", [](trial& now) { rounds(now, {}); }},
        {"block_set::exchange on threads, sent again", [](trial& now) { rounds(now, {.threads = 2}); }},
        {"block_set::iexchange, sent again", until_quiet, told::all, memory::inside_of_operations},
    };
}

} // namespace faults
