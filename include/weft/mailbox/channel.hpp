/// Typed channels of a mailbox.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/extend/mailbox/mail_channel.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace weft {

namespace detail {

[[noreturn]] void no_such_rank(int rank, int size);
[[noreturn]] void no_such_rank_among(std::span<int const> ranks, int size);

/// Values that are sent as their bytes, side by side, and are handled in the buffer; others are messages with
/// a length.
template <class T>
inline constexpr bool is_item = bare_type<T> && sizeof(T) <= 256 && alignof(T) <= 16;

/// A container that is defined by its elements alone, whose elements are bare types.
template <class T>
concept plain_sequence = requires(T& value, typename T::value_type const* end) {
    requires bare_type<typename T::value_type>;
    requires alignof(typename T::value_type) <= 8;
    value.assign(end, end);
    value.data();
    value.size();
};

template <class T, bool Plain = plain_sequence<T>>
struct element_of {
    using type = T;
};
template <class T>
struct element_of<T, true> {
    using type = typename T::value_type;
};

template <class H, class T>
concept batch_handler = std::is_invocable_v<H&, std::span<T const>>;
template <class H, class T>
concept sourced_batch_handler = std::is_invocable_v<H&, int, std::span<T const>>;
template <class H, class T>
concept item_handler = std::is_invocable_v<H&, T const&>;
template <class H, class T>
concept sourced_item_handler = std::is_invocable_v<H&, int, T const&>;

/// A handler of messages of T, or of their elements if T is a plain sequence.
template <class H, class T>
concept handler_of = batch_handler<H, T> || sourced_batch_handler<H, T> || item_handler<H, T> ||
    sourced_item_handler<H, T> ||
    (plain_sequence<T> && (batch_handler<H, typename element_of<T>::type> ||
                              sourced_batch_handler<H, typename element_of<T>::type>));

template <class H, class T>
inline constexpr bool wants_source = sourced_batch_handler<H, T> || sourced_item_handler<H, T> ||
                                     (plain_sequence<T> &&
                                         sourced_batch_handler<H, typename element_of<T>::type>);

template <class T, class H>
void call(H& handler, int source, std::span<T const> items) {
    if constexpr (sourced_batch_handler<H, T>)
        handler(source, items);
    else if constexpr (batch_handler<H, T>)
        handler(items);
    else if constexpr (sourced_item_handler<H, T>)
        for (T const& item : items) handler(source, item);
    else if constexpr (std::is_trivially_copyable_v<H> && item_handler<H const, T>)
        // A copy that nobody else can change: what it captures stays in registers.
        for (H const copy = handler; T const& item : items) copy(item);
    else
        for (T const& item : items) handler(item);
}

[[noreturn]] void came_for_a_closed_channel();

/// The handler of a channel that is not closed.
template <class H>
[[nodiscard]] H& open_handler(std::optional<H>& handler) {
    if (!handler) [[unlikely]]
        came_for_a_closed_channel();
    return *handler;
}

/// The purpose of a channel. A channel of one kind never receives messages of another.
enum class channel_kind : std::uint8_t { plain, combining, queries, answers };

template <class T>
[[nodiscard]] consteval item_type type_of_messages() noexcept {
    return print_of<T>(bare_type<T> ? sizeof(T) : 0);
}

template <channel_kind Kind, class T>
[[nodiscard]] std::string channel_text() {
    return (Kind == channel_kind::combining    ? "a combining channel of "
               : Kind == channel_kind::queries ? "the queries of a service, "
               : Kind == channel_kind::answers ? "the answers of a service, "
                                               : "a channel of ") +
           to_string(type_of_messages<T>());
}

template <channel_kind Kind, class T>
void set_type(mail_channel& of) noexcept {
    of.type_print = static_cast<std::uint64_t>(Kind) << 32 | type_of_messages<T>().number;
    of.type_text = &channel_text<Kind, T>;
}

/// Items: a run is an array of them.
template <class T, class H>
class item_receiver : public mail_channel {
public:
    explicit item_receiver(H handler) : handler_(std::move(handler)) {
        tells_source = wants_source<H, T>;
        set_type<channel_kind::plain, T>(*this);
    }
    std::int64_t handle(int source, std::span<std::byte const> run) override {
        std::span const items(reinterpret_cast<T const*>(run.data()), run.size() / sizeof(T));
        call<T>(open_handler(handler_), source, items);
        return static_cast<std::int64_t>(items.size());
    }
    void handle_long(int, std::span<std::byte const>) override {} // no item is that long
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return static_cast<std::int64_t>(run.size() / sizeof(T));
    }
    void close() noexcept override { handler_.reset(); }

private:
    std::optional<H> handler_; // empty once it is closed
};

/// The length of a message before it in a run; messages begin at multiples of 8 bytes.
struct message_head {
    std::uint32_t bytes;
    std::uint32_t reserved;
};
[[nodiscard]] constexpr std::size_t message_room(std::size_t bytes) noexcept {
    return sizeof(message_head) + (bytes + 7) / 8 * 8;
}

/// Calls `take(bytes)` for every message of a run; how many there were.
template <class Take>
std::int64_t for_messages(std::span<std::byte const> run, Take&& take) {
    std::int64_t messages = 0;
    for (std::size_t at = 0; at < run.size(); ++messages) {
        message_head head;
        std::memcpy(&head, run.data() + at, sizeof head);
        take(run.subspan(at + sizeof head, head.bytes));
        at += message_room(head.bytes);
    }
    return messages;
}

/// Messages: a run has their lengths too.
template <class T, class H>
class message_receiver final : public mail_channel {
public:
    explicit message_receiver(H handler) : handler_(std::move(handler)) {
        tells_source = wants_source<H, T>;
        set_type<channel_kind::plain, T>(*this);
    }
    std::int64_t handle(int source, std::span<std::byte const> run) override {
        return for_messages(run, [&](auto message) { handle_long(source, message); });
    }
    void handle_long(int source, std::span<std::byte const> message) override {
        using element = typename element_of<T>::type;
        constexpr bool by_elements =
            plain_sequence<T> && (batch_handler<H, element> || sourced_batch_handler<H, element>);
        if constexpr (by_elements) {
            call<element>(open_handler(handler_), source, elements(message));
        } else if constexpr (plain_sequence<T>) {
            T value;
            auto const from = elements(message);
            value.assign(from.data(), from.data() + from.size());
            call<T>(open_handler(handler_), source, std::span<T const>(&value, 1));
        } else {
            T const value = decode<T>(message);
            call<T>(open_handler(handler_), source, std::span<T const>(&value, 1));
        }
    }
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return for_messages(run, [](auto) {});
    }
    void close() noexcept override { handler_.reset(); }

private:
    static std::span<typename element_of<T>::type const> elements(std::span<std::byte const> message) {
        using element = typename element_of<T>::type;
        return {reinterpret_cast<element const*>(message.data()), message.size() / sizeof(element)};
    }

    std::optional<H> handler_; // empty once it is closed
};

/// The bytes of a message, in memory of its own or where the value is.
template <class T>
class message_bytes {
public:
    explicit message_bytes(T const& value) {
        if constexpr (plain_sequence<T>) {
            bytes_ = std::as_bytes(std::span(value.data(), value.size()));
        } else {
            encode(encoded_, value);
            bytes_ = encoded_.bytes();
        }
    }
    [[nodiscard]] std::span<std::byte const> get() const noexcept { return bytes_; }

private:
    buffer encoded_;
    std::span<std::byte const> bytes_;
};

/// Writes a message with its length.
inline void put_message(std::byte* to, std::span<std::byte const> message) {
    message_head const head{static_cast<std::uint32_t>(message.size()), 0};
    std::memcpy(to, &head, sizeof head);
    if (!message.empty()) std::memcpy(to + sizeof head, message.data(), message.size());
}

void send_message(mail_engine& mail, int destination, int channel, std::span<std::byte const> message);
void broadcast_message(mail_engine& mail, int channel, std::span<std::byte const> message);

} // namespace detail

/// Sends items on one channel of a mailbox. A channel may be copied, and must not outlive its mailbox. All
/// members are local. If the buffers have no room, a send handles messages until there is room. Inside a
/// handler, a send without room stores its message, up to the bound `mailbox_options::buffer_bytes`. All
/// members throw `usage_error` for an invalid rank.
template <wire_type T>
class channel {
public:
    /// Binds the channel to its number in a mailbox. `mailbox::channel` calls it.
    channel(mail_engine& mail, int number) noexcept
        : mail_(&mail),
          cursors_(mail.cursors()),
          key_(mail.key_of(number)),
          own_cursors_(mail.own_cursors()),
          number_(number) {}

    /// Sends an item to a rank, which may be this rank. Order: items of one rank to another on one channel
    /// are handled in the order of sending, except items that handlers sent while the mailbox had no room. If
    /// a handler polls, or waits for room because it sends, later items may be handled before the rest of the
    /// handler's batch. Cost: about a nanosecond for a small item.
    void send(int destination, T const& item) const {
        if constexpr (detail::is_item<T>) {
            if (static_cast<unsigned>(destination) >= own_cursors_) [[unlikely]]
                put_shared(destination, item);
            else
                put(cursors_[destination], static_cast<std::size_t>(destination), item);
        } else {
            check(destination);
            detail::message_bytes<T> const bytes(item);
            detail::send_message(*mail_, destination, number_, bytes.get());
        }
    }

    /// Sends item i to destination i. Throws `usage_error` also if the lengths of the two spans differ. After
    /// a `usage_error` no item has been sent.
    void send(std::span<int const> destinations, std::span<T const> items) const {
        if (destinations.size() != items.size())
            throw usage_error("mailbox: " + std::to_string(items.size()) + " items but " +
                              std::to_string(destinations.size()) + " destinations");
        check(destinations);
        if constexpr (detail::is_item<T>)
            if (own_cursors_ != 0) {
                for (std::size_t i = 0; i < items.size(); ++i) {
                    auto const place = static_cast<std::size_t>(destinations[i]);
                    put(cursors_[place], place, items[i]);
                }
                return;
            }
        for (std::size_t i = 0; i < items.size(); ++i) send(destinations[i], items[i]);
    }

    /// Sends several items to one rank, in their order.
    void send(int destination, std::span<T const> items) const {
        check(destination);
        if constexpr (detail::is_item<T>) {
            auto const place = static_cast<std::size_t>(destination);
            while (!items.empty()) {
                mail_engine::cursor& at = mail_->cursor_with_room(place, key_, sizeof(T));
                auto const room = static_cast<std::size_t>(at.end - at.next) / sizeof(T);
                std::size_t const now = room < items.size() ? room : items.size();
                std::memcpy(at.next, items.data(), now * sizeof(T));
                at.next += now * sizeof(T);
                items = items.subspan(now);
            }
        } else {
            for (T const& item : items) send(destination, item);
        }
    }

    /// Sends at most `items` items, but only those that fit now into the buffer for a rank, and returns their
    /// number. Item i is the result of `make(i)`, which must not send.
    template <class Make>
    requires detail::is_item<T> std::size_t fill(int destination, std::size_t items, Make&& make)
    const {
        check(destination);
        auto const place = static_cast<std::size_t>(destination);
        mail_engine::cursor& at = mail_->cursor_with_room(place, key_, sizeof(T));
        auto const room = static_cast<std::size_t>(at.end - at.next) / sizeof(T);
        std::size_t const now = room < items ? room : items;
        std::byte* const to = at.next;
        for (std::size_t i = 0; i < now; ++i) {
            T const item = make(i);
            std::memcpy(to + i * sizeof(T), &item, sizeof(T));
        }
        at.next = to + now * sizeof(T);
        return now;
    }

    /// Sends an item to every rank, including this rank, with one message for each node.
    void broadcast(T const& item) const {
        if constexpr (detail::is_item<T>) {
            mail_->broadcast(number_, std::as_bytes(std::span(&item, 1)));
        } else {
            detail::message_bytes<T> const bytes(item);
            detail::broadcast_message(*mail_, number_, bytes.get());
        }
    }

    /// Destroys the handler of this rank, so that data to which it refers may be destroyed before the
    /// mailbox. If a message for the channel arrives later, the next `drain` throws on all ranks, so call
    /// `close` after a `drain`. Local. Throws: `usage_error` in a handler of any mailbox.
    void close() const { mail_->close(number_); }

    /// Sends an item to each rank of a list.
    void multicast(std::span<int const> ranks, T const& item) const {
        if constexpr (detail::is_item<T>) {
            check(ranks);
            for (int const rank : ranks) send(rank, item);
        } else {
            check(ranks);
            detail::message_bytes<T> const bytes(item);
            for (int const rank : ranks) detail::send_message(*mail_, rank, number_, bytes.get());
        }
    }

private:
    void check(int destination) const {
        if (static_cast<unsigned>(destination) >= static_cast<unsigned>(mail_->size())) [[unlikely]]
            detail::no_such_rank(destination, mail_->size());
    }
    /// Checks ranks before the first message.
    void check(std::span<int const> destinations) const {
        // The upper bit is set where one is negative or beyond the last: a loop of a few vector instructions.
        auto const last = static_cast<unsigned>(mail_->size() - 1);
        unsigned bad = 0;
        for (int const each : destinations)
            bad |= static_cast<unsigned>(each) | (last - static_cast<unsigned>(each));
        if (static_cast<int>(bad) < 0) [[unlikely]]
            detail::no_such_rank_among(destinations, mail_->size());
    }
    void put(mail_engine::cursor& at, std::size_t place, T const& item) const {
        // The item may lie over the cursor, for all the compiler knows: read it once.
        std::byte* next = at.next;
        auto const address = [](std::byte* of) { return reinterpret_cast<std::uintptr_t>(of); };
        if (at.key != key_ || address(next) + sizeof(T) > address(at.end)) [[unlikely]]
            next = mail_->room(place, key_, sizeof(T));
        std::memcpy(next, &item, sizeof(T));
        at.next = next + sizeof(T);
    }

    /// Sends where ranks share cursors, or the rank does not exist.
    [[gnu::noinline]] void put_shared(int destination, T const& item) const {
        check(destination);
        auto const place = static_cast<std::size_t>(destination);
        mail_engine::cursor& at = mail_->cursor_with_room(place, key_, sizeof(T));
        std::memcpy(at.next, &item, sizeof(T));
        at.next += sizeof(T);
    }

    mail_engine* mail_;
    mail_engine::cursor* cursors_;
    std::uint64_t key_;
    unsigned own_cursors_;
    int number_;
};

} // namespace weft
