#include "handles.hpp"

#include <weft/detail/core/hash.hpp>
#include <weft/extend/exchange/flat_messages.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>

#include <cstring>
#include <utility>
#include <vector>

struct weft_inbox {
    weft::message_list messages;
    std::vector<int> sources;
    std::vector<std::int64_t> counts;
    std::size_t item_bytes;
};

struct weft_open_exchange {
    weft::pending_bytes of;
    std::size_t item_bytes;
};

namespace weft::c {

namespace {

/// Items that stay as they are until the exchange is complete need not be copied.
enum class outgoing_items { stay, may_change };

void append_by_counts(message_store& store, weft_outgoing const& out, outgoing_items items) {
    auto const* from = static_cast<std::byte const*>(out.items);
    for (std::size_t i = 0; i < out.messages; ++i) {
        if (out.counts[i] < 0)
            throw usage_error("weft_exchange: a count of " + std::to_string(out.counts[i]) +
                              " items on rank " + std::to_string(store.comm().rank()));
        std::size_t const bytes = static_cast<std::size_t>(out.counts[i]) * out.item_bytes;
        buffer& message = store.at(store.place_of(out.destinations[i]));
        if (bytes == 0) continue;
        expect_given(from, "items");
        if (items == outgoing_items::stay && message.empty())
            message = buffer::view_of(from, bytes);
        else
            message.append(from, bytes);
        from += bytes;
    }
}

/// The messages of this rank; an error of them is one of the exchange.
byte_exchange bytes_of(communicator const& comm, weft_outgoing const* given_out, outgoing_items items) {
    byte_exchange what;
    try {
        weft_outgoing const& out = given(given_out, "out");
        if (out.item_bytes == 0) throw usage_error("weft_exchange: items of 0 bytes");
        message_store store(comm);
        if (out.messages != 0) expect_given(out.destinations, "destinations");
        if (out.counts != nullptr) {
            append_by_counts(store, out, items);
        } else if (out.messages != 0) {
            expect_given(out.items, "items");
            append_flat(store, {out.destinations, out.messages}, static_cast<std::byte const*>(out.items),
                out.item_bytes);
        }
        what.outgoing = store.release(what.failure);
        what.items = {detail::fnv_hash().add("items of C").add(out.item_bytes).folded(),
            static_cast<std::int64_t>(out.item_bytes), "items of C"};
    } catch (...) { what.failure = std::current_exception(); }
    return what;
}

std::size_t item_bytes_of(weft_outgoing const* out) noexcept {
    return out == nullptr || out->item_bytes == 0 ? 1 : out->item_bytes;
}

weft_inbox* inbox_of(message_list&& messages, std::size_t item_bytes) {
    std::vector<int> sources;
    std::vector<std::int64_t> counts;
    for (message& each : messages) {
        each.data.make_own(); // what a rank lent to itself
        sources.push_back(each.peer);
        counts.push_back(static_cast<std::int64_t>(each.data.size() / item_bytes));
    }
    return new weft_inbox{std::move(messages), std::move(sources), std::move(counts), item_bytes};
}

/// Calls a handler of C for each message.
class handler_call final : public message_handler {
public:
    handler_call(weft_handler handler, void* state, std::size_t item_bytes) noexcept
        : handler_(handler), state_(state), item_bytes_(item_bytes) {}
    void handle(message const& arrived) override {
        callback const now;
        handler_(state_, arrived.peer, arrived.data.data(), arrived.data.size() / item_bytes_);
        now.end();
    }

private:
    weft_handler handler_;
    void* state_;
    std::size_t item_bytes_;
};

} // namespace

} // namespace weft::c

namespace c = weft::c;

weft_status weft_exchange(weft_comm const* comm, weft_outgoing const* out, weft_inbox** received) {
    return c::call([&] {
        weft::communicator const& of = c::given(comm, "comm").of;
        weft::byte_exchange what = c::bytes_of(of, out, c::outgoing_items::stay);
        what.blocks = true;
        weft::pending_bytes bytes(of, std::move(what), {});
        bytes.finish();
        c::hand_over(c::inbox_of(bytes.take(), c::item_bytes_of(out)), received);
    });
}

weft_status weft_exchange_and_sum(
    weft_comm const* comm, weft_outgoing const* out, int64_t mine, int64_t* sum, weft_inbox** received) {
    return c::call([&] {
        weft::communicator const& of = c::given(comm, "comm").of;
        weft::byte_exchange what = c::bytes_of(of, out, c::outgoing_items::stay);
        what.blocks = true;
        what.sums = true;
        what.mine = mine;
        weft::pending_bytes bytes(of, std::move(what), {});
        bytes.finish();
        c::given(sum, "sum") = bytes.sum();
        c::hand_over(c::inbox_of(bytes.take(), c::item_bytes_of(out)), received);
    });
}

weft_status weft_exchange_each(
    weft_comm const* comm, weft_outgoing const* out, weft_handler handler, void* state) {
    return c::call([&] {
        weft::communicator const& of = c::given(comm, "comm").of;
        weft::byte_exchange what = c::bytes_of(of, out, c::outgoing_items::stay);
        what.blocks = true;
        what.in_order_of_arrival = true;
        if (handler == nullptr && !what.failure)
            what.failure =
                std::make_exception_ptr(weft::usage_error("weft_exchange_each: handler is a null pointer"));
        c::handler_call calls(handler, state, c::item_bytes_of(out));
        weft::pending_bytes(of, std::move(what), {}).finish(calls);
    });
}

size_t weft_inbox_messages(weft_inbox const* inbox) {
    return inbox == nullptr ? 0 : inbox->messages.size();
}

int const* weft_inbox_sources(weft_inbox const* inbox) {
    return inbox == nullptr ? nullptr : inbox->sources.data();
}

int64_t const* weft_inbox_counts(weft_inbox const* inbox) {
    return inbox == nullptr ? nullptr : inbox->counts.data();
}

void const* weft_inbox_items(weft_inbox const* inbox, size_t index) {
    return inbox == nullptr || index >= inbox->messages.size() ? nullptr : inbox->messages[index].data.data();
}

int64_t weft_inbox_total(weft_inbox const* inbox) {
    std::int64_t total = 0;
    if (inbox != nullptr)
        for (std::int64_t const each : inbox->counts) total += each;
    return total;
}

void weft_inbox_copy(weft_inbox const* inbox, void* to) {
    if (inbox == nullptr) return;
    auto* place = static_cast<std::byte*>(to);
    for (weft::message const& each : inbox->messages) {
        if (each.data.empty()) continue;
        std::memcpy(place, each.data.data(), each.data.size());
        place += each.data.size();
    }
}

void weft_inbox_free(weft_inbox* inbox) {
    delete inbox;
}

weft_status weft_exchange_start(weft_comm const* comm, weft_outgoing const* out, weft_open_exchange** begun) {
    return c::call([&] {
        weft::communicator const& of = c::given(comm, "comm").of;
        weft::byte_exchange what = c::bytes_of(of, out, c::outgoing_items::may_change);
        c::hand_over(
            new weft_open_exchange{weft::pending_bytes(of, std::move(what), {}), c::item_bytes_of(out)},
            begun);
    });
}

weft_status weft_exchange_test(weft_open_exchange* open, int* done) {
    return c::call([&] {
        c::given(done, "done") = 0;
        *done = c::given(open, "open").of.test() ? 1 : 0;
    });
}

weft_status weft_exchange_finish(weft_open_exchange* open, weft_inbox** received) {
    return c::call([&] {
        weft_open_exchange over = std::move(c::given(open, "open"));
        delete open;
        over.of.finish();
        c::hand_over(c::inbox_of(over.of.take(), over.item_bytes), received);
    });
}

void weft_exchange_free(weft_open_exchange* open) {
    delete open;
}
