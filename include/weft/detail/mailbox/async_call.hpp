/// Remote calls: their records in messages and their functions.
#pragma once

#include <weft/mailbox/channel.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <typeinfo>

namespace weft {
class mailbox;
}

namespace weft::detail {

/// Runs the call at `at`, which must be of its function, and all following calls of the same function, so
/// that the function is inlined into a loop over its calls. Returns the end of the last one.
using call_runner = std::byte const* (*)(mailbox& mail, std::byte const* at, std::byte const* end);

/// A call begins at a multiple of 8 bytes with the number of its function. The low bits of the number are the
/// length of the whole call in words of 8 bytes; the arguments follow, as they are. If these bits are 0, then
/// four unused bytes, the length of the arguments in 64 bits, and the arguments follow. The length lets a
/// rank count calls of functions that it does not know.
inline constexpr std::uint32_t call_length_bits = 0x1F;
inline constexpr std::size_t long_call_head = 16;

/// Returns the bytes of a call whose arguments follow directly, without a length.
[[nodiscard]] constexpr std::size_t call_room(std::size_t arguments) noexcept {
    return (sizeof(std::uint32_t) + arguments + 7) / 8 * 8;
}
/// Returns the bytes of a call whose arguments follow their length.
[[nodiscard]] constexpr std::size_t long_call_room(std::size_t arguments) noexcept {
    return long_call_head + (arguments + 7) / 8 * 8;
}
/// Returns the room of a call with bare arguments if its number can encode the length; otherwise 0.
template <class... A>
[[nodiscard]] constexpr std::size_t bare_call_room() noexcept {
    constexpr std::size_t room = call_room((std::size_t{0} + ... + sizeof(A)));
    return (is_item<A> && ...) && room / 8 <= call_length_bits ? room : 0;
}

[[nodiscard]] inline std::uint32_t call_number_at(std::byte const* call) noexcept {
    std::uint32_t number = 0;
    std::memcpy(&number, call, sizeof number);
    return number;
}
/// Returns the bytes of a call of that number; 0 if the call has a length field.
[[nodiscard]] constexpr std::size_t room_of_number(std::uint32_t number) noexcept {
    return std::size_t{8} * (number & call_length_bits);
}
/// Returns the arguments of a call with a length field.
[[nodiscard]] inline std::span<std::byte const> long_arguments(std::byte const* call) noexcept {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, call + long_call_head - sizeof bytes, sizeof bytes);
    return {call + long_call_head, bytes};
}

/// Returns the number of calls in a run.
[[nodiscard]] std::int64_t count_calls(std::span<std::byte const> run) noexcept;

/// Registers a function for calls, before `main`; returns its number. That is a hash of the name of its type,
/// so that it does not depend on load addresses, and the length of its calls (0: the calls have it).
std::uint32_t register_call(std::type_info const& type, std::size_t room, call_runner run) noexcept;
/// Throws: `usage_error` if no function has that number, or two functions have it.
[[nodiscard]] call_runner find_call(std::uint32_t number);

template <class F, class... A>
struct async_function {
    static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
        "weft: async takes a lambda without captures, or another empty type; handlers of channels may "
        "capture: mail.channel<T>([&](T const& item) {...})");
    static_assert(std::is_invocable_v<F, mailbox&, A const&...> || std::is_invocable_v<F, A const&...>,
        "weft: async: the function does not take these arguments");

    static void invoke(mailbox& mail, A const&... arguments) {
        if constexpr (std::is_invocable_v<F, mailbox&, A const&...>)
            F{}(mail, arguments...);
        else
            F{}(arguments...);
    }

    static constexpr std::size_t room = bare_call_room<A...>();

    static std::byte const* run(mailbox& mail, std::byte const* at, std::byte const* end) {
        if constexpr (room != 0) {
            std::uint32_t const mine = call_number_at(at);
            do {
                std::tuple<A...> values;
                [[maybe_unused]] std::byte const* next = at + sizeof mine;
                std::apply(
                    [&](A&... each) { ((std::memcpy(&each, next, sizeof each), next += sizeof each), ...); },
                    values);
                std::apply([&](A const&... each) { invoke(mail, each...); }, values);
                at += room;
            } while (at != end && call_number_at(at) == mine);
            return at;
        } else {
            std::span<std::byte const> const arguments = long_arguments(at);
            auto const values = decode<std::tuple<A...>>(arguments);
            std::apply([&](A const&... each) { invoke(mail, each...); }, values);
            return at + long_call_room(arguments.size());
        }
    }

    static inline std::uint32_t const number = register_call(typeid(async_function), room, &run);
};

/// The receiver of the channel of calls.
class call_receiver final : public mail_channel {
public:
    explicit call_receiver(mailbox& mail) noexcept : mail_(mail) {}
    std::int64_t handle(int source, std::span<std::byte const> run) override;
    void handle_long(int source, std::span<std::byte const> message) override;
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override;

private:
    mailbox& mail_;
};

/// The sender of the channel of calls. All data of a call are adjacent in memory.
class call_sender {
public:
    call_sender() noexcept = default;
    call_sender(mail_engine& mail, int channel) noexcept
        : cursors_(mail.cursors()),
          key_(mail.key_of(channel)),
          own_cursors_(mail.own_cursors()),
          channel_(channel),
          mail_(&mail) {}

    template <class F, class... A>
    void send(int destination, A const&... arguments) const {
        using function = async_function<F, A...>;
        std::uint32_t const number = function::number;
        if constexpr (constexpr std::size_t room = function::room; room != 0) {
            auto const place = static_cast<std::size_t>(destination);
            mail_engine::cursor* at = cursors_ + place;
            if (static_cast<unsigned>(destination) >= own_cursors_) [[unlikely]]
                at = shared_cursor(destination, room);
            std::byte* first = at->next;
            auto const address = [](std::byte* of) { return reinterpret_cast<std::uintptr_t>(of); };
            if (at->key != key_ || address(first) + room > address(at->end)) [[unlikely]]
                first = mail_->room(place, key_, room);
            at->next = first + room; // first: for the compiler, the bytes may alias `at->next`
            std::memcpy(first, &number, sizeof number);
            [[maybe_unused]] std::byte* to = first + sizeof number;
            ((std::memcpy(to, &arguments, sizeof arguments), to += sizeof arguments), ...);
        } else {
            check(destination);
            buffer record;
            record.append(&number, sizeof number);
            record.extend(long_call_head - sizeof number);
            wire_writer write(record);
            write(arguments...);
            send_record(destination, record);
        }
    }

private:
    void check(int destination) const;
    /// Returns the cursor, with room, of a rank that shares it with other ranks. Throws: `usage_error` for an
    /// invalid rank.
    [[nodiscard]] mail_engine::cursor* shared_cursor(int destination, std::size_t room) const;
    /// Sends a record that has the number, room for the rest of the head, and the arguments.
    void send_record(int destination, buffer& record) const;

    mail_engine::cursor* cursors_ = nullptr;
    std::uint64_t key_ = 0;
    unsigned own_cursors_ = 0;
    int channel_ = 0;
    mail_engine* mail_ = nullptr;
};

} // namespace weft::detail
