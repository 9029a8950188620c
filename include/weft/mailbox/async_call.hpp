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

namespace detail {

/// Runs the call whose arguments begin at `arguments`, or skips it; where they end.
using call_runner = std::byte const* (*)(mailbox* mail, std::byte const* arguments);

/// Adds a function to those that calls may name, before `main`; its number: a hash of the name of its type,
/// so that it is the same wherever the program is loaded to.
std::uint32_t register_call(std::type_info const& type, call_runner run) noexcept;
/// Null if no function has that number. Throws: `usage_error` if two have.
[[nodiscard]] call_runner find_call(std::uint32_t number);

/// Calls begin at multiples of 8 bytes: the number, and the arguments, as they are if they are items.
template <class... A>
inline constexpr bool arguments_are_bare = (is_item<A> && ...);

template <class... A>
[[nodiscard]] constexpr std::size_t bare_arguments_bytes() noexcept {
    return (std::size_t{0} + ... + sizeof(A));
}
[[nodiscard]] constexpr std::size_t call_room(std::size_t arguments) noexcept {
    return (sizeof(std::uint32_t) + arguments + 7) / 8 * 8;
}

template <class F, class... A>
struct async_function {
    static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
        "weft: async takes a lambda without captures, or another empty type");
    static_assert(std::is_invocable_v<F, mailbox&, A const&...> || std::is_invocable_v<F, A const&...>,
        "weft: async: the function does not take these arguments");

    static void invoke(mailbox& mail, A const&... arguments) {
        if constexpr (std::is_invocable_v<F, mailbox&, A const&...>)
            F{}(mail, arguments...);
        else
            F{}(arguments...);
    }

    static std::byte const* run(mailbox* mail, std::byte const* from) {
        if constexpr (arguments_are_bare<A...>) {
            std::tuple<A...> values;
            std::byte const* at = from;
            std::apply(
                [&](A&... each) { ((std::memcpy(&each, at, sizeof each), at += sizeof each), ...); }, values);
            if (mail != nullptr) std::apply([&](A const&... each) { invoke(*mail, each...); }, values);
            return from + call_room(bare_arguments_bytes<A...>()) - sizeof(std::uint32_t);
        } else {
            std::uint32_t bytes = 0;
            std::memcpy(&bytes, from, sizeof bytes);
            if (mail != nullptr) {
                auto const values = decode<std::tuple<A...>>({from + sizeof bytes, bytes});
                std::apply([&](A const&... each) { invoke(*mail, each...); }, values);
            }
            return from + call_room(sizeof bytes + bytes) - sizeof(std::uint32_t);
        }
    }

    static inline std::uint32_t const number = register_call(typeid(async_function), &run);
};

/// The channel of calls.
class call_receiver final : public mail_channel {
public:
    explicit call_receiver(mailbox& mail) noexcept : mail_(mail) {}
    std::int64_t handle(int source, std::span<std::byte const> run) override;
    void handle_long(int source, std::span<std::byte const> message) override;
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const override;

private:
    mailbox& mail_;
};

/// Sends a record that has the number, room for the length of the arguments, and these.
void send_call(mail_engine& mail, int channel, int destination, buffer& record);

template <class F, class... A>
void async_send(mail_engine& mail, int channel, int destination, A const&... arguments) {
    if (static_cast<unsigned>(destination) >= static_cast<unsigned>(mail.size())) [[unlikely]]
        no_such_rank(destination, mail.size());
    std::uint32_t const number = async_function<F, A...>::number;
    if constexpr (arguments_are_bare<A...>) {
        constexpr std::size_t room = call_room(bare_arguments_bytes<A...>());
        auto const place = static_cast<std::size_t>(destination);
        mail_engine::cursor& at = mail.cursor_with_room(place, mail.key_of(channel), room);
        std::byte* to = at.next;
        std::memcpy(to, &number, sizeof number);
        to += sizeof number;
        ((std::memcpy(to, &arguments, sizeof arguments), to += sizeof arguments), ...);
        at.next += room;
        mail.count_sent(1);
    } else {
        buffer record;
        record.append(&number, sizeof number);
        record.extend(sizeof(std::uint32_t));
        wire_writer write(record);
        write(arguments...);
        send_call(mail, channel, destination, record);
    }
}

} // namespace detail

} // namespace weft
