#include "handles.hpp"
#include "mailbox_of_c.hpp"

#include <weft/detail/core/hash.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

namespace weft::c {

namespace {

struct c_handler {
    weft_handler call;
    void* state;

    void operator()(int source, std::span<std::byte const> items, std::size_t count) const {
        callback const now;
        call(state, source, items.data(), count);
        now.end();
    }
};

/// Items of one size, as they lie in a run; long ones and messages of any length have their length before
/// them.
class byte_receiver final : public mail_channel {
public:
    byte_receiver(std::size_t item_bytes, c_handler handler) : item_bytes_(item_bytes), handler_(handler) {
        tells_source = true;
        type_print = detail::fnv_hash().add("channel of C").add(item_bytes).folded();
        type_text = [] {
            return std::string("a channel of C, of items of a size that is known when it runs");
        };
    }
    std::int64_t handle(int source, std::span<std::byte const> run) override {
        if (travels_bare(item_bytes_)) {
            std::size_t const items = run.size() / item_bytes_;
            detail::open_handler(handler_)(source, run, items);
            return static_cast<std::int64_t>(items);
        }
        return detail::for_messages(run, [&](auto message) { handle_long(source, message); });
    }
    void handle_long(int source, std::span<std::byte const> message) override {
        detail::open_handler(handler_)(source, message, item_bytes_ == 0 ? message.size() : 1);
    }
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        if (travels_bare(item_bytes_)) return static_cast<std::int64_t>(run.size() / item_bytes_);
        return detail::for_messages(run, [](auto) {});
    }
    void close() noexcept override { handler_.reset(); }

private:
    std::size_t item_bytes_;
    std::optional<c_handler> handler_; // empty once it is closed
};

void expect_ranks(std::span<int const> destinations, int ranks) {
    unsigned const size = static_cast<unsigned>(ranks);
    if (std::ranges::any_of(destinations, [&](int each) { return static_cast<unsigned>(each) >= size; }))
        detail::no_such_rank_among(destinations, ranks);
}

/// An item whose size the compiler knows.
template <std::size_t Bytes>
struct sized_bytes {
    std::byte bytes[Bytes];
};

template <std::size_t Bytes>
void send_each_sized(weft_channel const& on, std::span<int const> destinations, std::byte const* items) {
    channel<sized_bytes<Bytes>>(*on.mail, on.number)
        .send(destinations, {reinterpret_cast<sized_bytes<Bytes> const*>(items), destinations.size()});
}

void send_each(weft_channel const& on, std::span<int const> destinations, std::byte const* items) {
    switch (on.item_bytes) {
    case 4:
        return send_each_sized<4>(on, destinations, items);
    case 8:
        return send_each_sized<8>(on, destinations, items);
    case 16:
        return send_each_sized<16>(on, destinations, items);
    default:
        break;
    }
    expect_ranks(destinations, on.mail->size());
    for (int const destination : destinations) {
        on.put(destination, items, 1);
        items += on.item_bytes;
    }
}

} // namespace

} // namespace weft::c

void weft_channel::put(int destination, std::byte const* items, std::size_t count) const {
    if (item_bytes == 0) return weft::detail::send_message(*mail, destination, number, {items, count});
    if (!weft::c::travels_bare(item_bytes)) {
        for (std::size_t i = 0; i < count; ++i, items += item_bytes)
            weft::detail::send_message(*mail, destination, number, {items, item_bytes});
        return;
    }
    auto const place = static_cast<std::size_t>(destination);
    while (count > 0) {
        weft::mail_engine::cursor& at = mail->cursor_with_room(place, mail->key_of(number), item_bytes);
        std::size_t const now =
            count == 1 ? 1 : std::min(count, static_cast<std::size_t>(at.end - at.next) / item_bytes);
        std::memcpy(at.next, items, now * item_bytes);
        at.next += now * item_bytes;
        items += now * item_bytes;
        count -= now;
    }
}

namespace c = weft::c;

weft_status weft_mailbox_make(weft_comm const* comm, int64_t buffer_bytes, weft_mailbox** made) {
    return c::call([&] {
        weft::mailbox_options options;
        if (buffer_bytes != 0) options.buffer_bytes = buffer_bytes;
        c::hand_over(new weft_mailbox(c::given(comm, "comm").of, options), made);
    });
}

weft_status weft_mailbox_channel(
    weft_mailbox* mail, size_t item_bytes, weft_handler handler, void* state, weft_channel** made) {
    return c::call([&] {
        weft_mailbox& of = c::given(mail, "mail");
        c::expect_given(reinterpret_cast<void const*>(handler), "handler");
        weft_channel*& place = c::given(made, "made");
        weft::mail_engine& engine = weft::mailbox_parts::engine(of.mail);
        auto channel = std::make_unique<weft_channel>(weft_channel{&engine, item_bytes, 0});
        of.channels.reserve(of.channels.size() + 1);
        channel->number = weft::mailbox_parts::keep(
            of.mail, new weft::c::byte_receiver(item_bytes, {.call = handler, .state = state}));
        place = of.channels.emplace_back(std::move(channel)).get();
    });
}

weft_status weft_send(weft_channel* channel, int destination, void const* items, size_t count) {
    return c::call([&] {
        weft_channel const& on = c::given(channel, "channel");
        if (count != 0) c::expect_given(items, "items");
        c::expect_ranks({&destination, 1}, on.mail->size());
        on.put(destination, static_cast<std::byte const*>(items), count);
    });
}

weft_status weft_send_each(weft_channel* channel, int const* destinations, void const* items, size_t count) {
    return c::call([&] {
        weft_channel const& on = c::given(channel, "channel");
        if (on.item_bytes == 0) throw weft::usage_error("weft_send_each: this is a channel of messages");
        if (count == 0) return;
        c::expect_given(destinations, "destinations");
        c::expect_given(items, "items");
        c::send_each(on, {destinations, count}, static_cast<std::byte const*>(items));
    });
}

weft_status weft_send_all(weft_channel* channel, void const* items, size_t count) {
    return c::call([&] {
        weft_channel const& on = c::given(channel, "channel");
        if (count != 0) c::expect_given(items, "items");
        auto const* from = static_cast<std::byte const*>(items);
        if (on.item_bytes == 0) return weft::detail::broadcast_message(*on.mail, on.number, {from, count});
        for (std::size_t i = 0; i < count; ++i, from += on.item_bytes)
            if (c::travels_bare(on.item_bytes))
                on.mail->broadcast(on.number, {from, on.item_bytes});
            else
                weft::detail::broadcast_message(*on.mail, on.number, {from, on.item_bytes});
    });
}

weft_status weft_channel_close(weft_channel* channel) {
    return c::call([&] {
        weft_channel const& on = c::given(channel, "channel");
        on.mail->close(on.number);
    });
}

weft_status weft_drain(weft_mailbox* mail) {
    return c::call([&] { c::given(mail, "mail").mail.drain(); });
}

weft_status weft_test_empty(weft_mailbox* mail, int* empty) {
    return c::call([&] {
        c::given(empty, "empty") = 0;
        *empty = c::given(mail, "mail").mail.test_empty() ? 1 : 0;
    });
}

weft_status weft_poll(weft_mailbox* mail, int* any) {
    return c::call([&] {
        c::given(any, "any") = 0;
        *any = c::given(mail, "mail").mail.poll() ? 1 : 0;
    });
}

int64_t weft_mailbox_sent(weft_mailbox const* mail) {
    return mail == nullptr ? 0 : mail->mail.counters().sent;
}

int64_t weft_mailbox_handled(weft_mailbox const* mail) {
    return mail == nullptr ? 0 : mail->mail.counters().handled;
}

void weft_mailbox_free(weft_mailbox* mail) {
    delete mail;
}
