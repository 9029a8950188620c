/// Calls on other ranks: the records that travel and the functions behind them.
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

/// Runs a call with its arguments.
using call_runner = void (*)(mailbox& mail, std::span<std::byte const> arguments);

/// A call begins at a multiple of 8 bytes, with the number of its function. The low bits of the number are
/// the length of the whole call, in words of 8 bytes: then the arguments follow, as they are. Where these
/// bits are 0, four bytes follow that are not used, then the length of the arguments, in 64 bits, and these.
/// So a rank can count calls of functions that it does not know.
inline constexpr std::uint32_t call_length_bits = 0x1F;
inline constexpr std::size_t long_call_head = 16;

/// The bytes of a call whose arguments take so many and follow as they are.
[[nodiscard]] constexpr std::size_t call_room(std::size_t arguments) noexcept {
    return (sizeof(std::uint32_t) + arguments + 7) / 8 * 8;
}
/// The same where their length precedes them.
[[nodiscard]] constexpr std::size_t long_call_room(std::size_t arguments) noexcept {
    return long_call_head + (arguments + 7) / 8 * 8;
}
/// The room of calls whose arguments are items, as long as their number can say it; otherwise 0.
template <class... A>
[[nodiscard]] constexpr std::size_t bare_call_room() noexcept {
    constexpr std::size_t room = call_room((std::size_t{0} + ... + sizeof(A)));
    return (is_item<A> && ...) && room / 8 <= call_length_bits ? room : 0;
}

/// Calls `take(number, arguments)` for each call of a run; how many there are.
template <class Take>
std::int64_t for_calls(std::span<std::byte const> run, Take&& take) {
    std::int64_t calls = 0;
    for (; !run.empty(); ++calls) {
        std::uint32_t number = 0;
        std::memcpy(&number, run.data(), sizeof number);
        std::size_t room = std::size_t{8} * (number & call_length_bits);
        if (room != 0) {
            take(number, run.subspan(sizeof number, room - sizeof number));
        } else {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, run.data() + long_call_head - sizeof bytes, sizeof bytes);
            take(number, run.subspan(long_call_head, bytes));
            room = long_call_room(bytes);
        }
        run = run.subspan(room);
    }
    return calls;
}

/// Adds a function to those that calls may name, before `main`; its number: a hash of the name of its type,
/// so that it is the same wherever the program is loaded to, and the length of its calls (0: they tell it).
std::uint32_t register_call(std::type_info const& type, std::size_t room, call_runner run) noexcept;
/// Throws: `usage_error` if no function has that number, or two have.
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

    static void run(mailbox& mail, std::span<std::byte const> arguments) {
        if constexpr (room != 0) {
            std::tuple<A...> values;
            std::byte const* at = arguments.data();
            std::apply(
                [&](A&... each) { ((std::memcpy(&each, at, sizeof each), at += sizeof each), ...); }, values);
            std::apply([&](A const&... each) { invoke(mail, each...); }, values);
        } else {
            auto const values = decode<std::tuple<A...>>(arguments);
            std::apply([&](A const&... each) { invoke(mail, each...); }, values);
        }
    }

    static inline std::uint32_t const number = register_call(typeid(async_function), room, &run);
};

/// The channel of calls.
class call_receiver final : public mail_channel {
public:
    explicit call_receiver(mailbox& mail) noexcept : mail_(mail) {}
    std::int64_t handle(int source, std::span<std::byte const> run) override;
    void handle_long(int source, std::span<std::byte const> message) override;
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override;

private:
    mailbox& mail_;
};

/// Sends a record that has the number, room for the rest of the head, and the arguments.
void send_call(mail_engine& mail, int channel, int destination, buffer& record);

template <class F, class... A>
void async_send(mail_engine& mail, int channel, int destination, A const&... arguments) {
    if (static_cast<unsigned>(destination) >= static_cast<unsigned>(mail.size())) [[unlikely]]
        no_such_rank(destination, mail.size());
    std::uint32_t const number = async_function<F, A...>::number;
    if constexpr (constexpr std::size_t room = async_function<F, A...>::room; room != 0) {
        auto const place = static_cast<std::size_t>(destination);
        mail_engine::cursor& at = mail.cursor_with_room(place, mail.key_of(channel), room);
        std::byte* to = at.next;
        std::memcpy(to, &number, sizeof number);
        to += sizeof number;
        ((std::memcpy(to, &arguments, sizeof arguments), to += sizeof arguments), ...);
        at.next += room;
    } else {
        buffer record;
        record.append(&number, sizeof number);
        record.extend(long_call_head - sizeof number);
        wire_writer write(record);
        write(arguments...);
        send_call(mail, channel, destination, record);
    }
}

} // namespace weft::detail
