/// Channels of containers: messages with a key and arguments to the rank that owns the key.
#pragma once

#include <weft/detail/containers/records.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/extend/mailbox/mail_channel.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/mailbox/mailbox_parts.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace weft::detail {

/// The purpose of a message; each purpose has its own channel.
enum class container_call : std::uint8_t { insert, assign, erase, visit, reduce, ask, answer, move };

[[nodiscard]] std::string text_of_call(container_call call);
[[noreturn]] void container_was_closed();

template <container_call Call, class... T>
[[nodiscard]] std::string text_of_container_channel() {
    return text_of_call(Call) + " of a container, " + to_string(print_of<std::tuple<T...>>(0));
}

template <class... T>
[[gnu::noinline]] void put_long_record(
    mail_engine& mail, int destination, int channel, std::size_t bytes, record_part<T> const&... parts) {
    buffer whole;
    std::byte* to = whole.extend(bytes);
    ((to = parts.put(to)), ...);
    mail.send_long(destination, channel, whole.bytes());
}
template <class... T>
void put_record(mail_engine& mail, int destination, int channel, record_part<T> const&... parts) {
    std::size_t const room = (std::size_t{0} + ... + parts.room());
    if (room > mail.longest_item()) [[unlikely]]
        return put_long_record<T...>(mail, destination, channel, room, parts...);
    mail_engine::cursor& at =
        mail.cursor_with_room(static_cast<std::size_t>(destination), mail.key_of(channel), room);
    std::byte* to = at.next;
    at.next += room;
    ((to = parts.put(to)), ...);
}
/// Writes a record to the next message for a rank. Waits if there is no room.
template <class... T>
void send_record(mail_engine& mail, int destination, int channel, argument_of<T>... values) {
    put_record<T...>(mail, destination, channel, record_part<T>(values)...);
}

/// The receiver. `Part` is the rank's part of the container: `part.locate(key)` returns the location at which
/// to search for the key, the argument of `prefetch` and `prefetch_entry`. `Apply` takes the part, the
/// location, the key and the arguments.
///
/// Records are handled in groups: the index words of all are prefetched, then the entries, and then each
/// record is applied, so that the cache misses of a large table overlap. A part in which a location is that
/// of the item (`part.is_direct`) needs no groups: each record is prefetched while an earlier one is applied.
template <container_call Call, class Part, class Apply, class K, class... A>
class keyed_receiver : public mail_channel {
public:
    keyed_receiver(shared<Part> part, Apply apply) : part_(std::move(part)), apply_(std::move(apply)) {
        tells_source = Call == container_call::ask;
        type_print =
            (std::uint64_t{16} + static_cast<unsigned>(Call)) << 32 | print_of<std::tuple<K, A...>>(0).number;
        type_text = &text_of_container_channel<Call, K, A...>;
    }

    std::int64_t handle(int source, std::span<std::byte const> run) override {
        if constexpr (is_direct) return handle_in_order(source, run);
        std::byte const* const end = run.data() + run.size();
        std::int64_t records = 0;
        for (std::byte const* at = run.data(); at != end;) at = handle_group(source, at, end, records);
        return records;
    }
    void handle_long(int source, std::span<std::byte const> message) override {
        std::int64_t records = 0;
        (void)handle_group(source, message.data(), message.data() + message.size(), records);
    }
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return count_records<K, A...>(run);
    }
    void close() noexcept override {
        apply_.reset();
        part_ = {};
    }

protected:
    [[nodiscard]] bool is_open() const noexcept { return static_cast<bool>(part_); }
    [[nodiscard]] Apply& apply() noexcept { return *apply_; }
    [[nodiscard]] Part& part() noexcept { return *part_; }

private:
    static constexpr bool is_direct = bytes_of_record<K, A...>() != 0 && requires { Part::is_direct; };
    static constexpr std::size_t together = 16;

    void apply_record(int source, auto where, view_of<K> const& key, std::byte const* arguments) {
        [[maybe_unused]] std::byte const* from = arguments;
        // In braces: the parts are read from left to right.
        std::tuple<view_of<A>...> values{take_part<A>(from)...};
        std::apply([&](auto&... each) { (*apply_)(*part_, source, where, key, each...); }, values);
    }
    std::int64_t handle_in_order(int source, std::span<std::byte const> run) {
        if (!is_open()) container_was_closed();
        constexpr std::size_t bytes = bytes_of_record<K, A...>();
        auto const prefetch = [&](std::byte const* at) { part_->prefetch(part_->locate(take_part<K>(at))); };
        std::size_t const ahead = run.size() < together * bytes ? run.size() : together * bytes;
        for (std::size_t at = 0; at < ahead; at += bytes) prefetch(run.data() + at);
        for (std::size_t at = 0; at < run.size(); at += bytes) {
            if (run.size() - at > ahead) prefetch(run.data() + at + ahead);
            std::byte const* record = run.data() + at;
            auto const key = take_part<K>(record);
            apply_record(source, part_->locate(key), key, record);
        }
        return static_cast<std::int64_t>(run.size() / bytes);
    }
    std::byte const* handle_group(
        int source, std::byte const* at, std::byte const* end, std::int64_t& records) {
        if (!is_open()) container_was_closed();
        using location = decltype(part_->locate(std::declval<view_of<K> const&>()));
        struct one {
            std::optional<view_of<K>> key;
            location where;
            std::byte const* arguments;
        };
        std::array<one, together> group;
        std::size_t found = 0;
        for (; found < group.size() && at != end; ++found) {
            one& each = group[found];
            each.key.emplace(take_part<K>(at));
            each.where = part_->locate(*each.key);
            part_->prefetch(each.where);
            each.arguments = at;
            (skip_part<A>(at), ...);
        }
        for (std::size_t i = 0; i < found; ++i) part_->prefetch_entry(group[i].where);
        for (one const& each : std::span(group).first(found))
            apply_record(source, each.where, *each.key, each.arguments);
        records += static_cast<std::int64_t>(found);
        return at;
    }

    shared<Part> part_; // null once the channel is closed
    std::optional<Apply> apply_;
};

} // namespace weft::detail
