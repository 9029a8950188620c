/// Request and reply channels for handlers that return a value: the request goes to the owner of a key.
#pragma once

#include <weft/detail/containers/keyed_channel.hpp>
#include <weft/detail/core/shared.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weft::detail {

enum class answer_state : std::uint8_t { open, here, failed, unwanted };

/// The replies for which a rank waits, each at its own place.
template <class R>
struct open_answers : counted {
    struct one {
        answer_state state = answer_state::open;
        int owner = 0;
        R value = {};
    };
    std::vector<one> places = {};
    std::vector<std::int64_t> free_places = {};

    [[nodiscard]] std::int64_t add(int owner) {
        if (free_places.empty()) {
            free_places.reserve(places.size() + 1); // `remove` cannot throw
            places.emplace_back();
            free_places.push_back(std::ssize(places) - 1);
        }
        std::int64_t const place = free_places.back();
        free_places.pop_back();
        at(place).owner = owner;
        return place;
    }
    void remove(std::int64_t place) noexcept {
        at(place) = {};
        free_places.push_back(place);
    }
    [[nodiscard]] one& at(std::int64_t place) noexcept { return places[static_cast<std::size_t>(place)]; }

    void arrives(std::int64_t place, answer_state state, R&& value) {
        one& here = at(place);
        if (here.state == answer_state::unwanted) {
            remove(place);
            return;
        }
        here.state = state;
        here.value = std::move(value);
    }
};

/// The receiver of replies: place, state and value. Replies are handled even if the phase has failed
/// elsewhere, since callers may wait for them.
template <class R>
class answer_channel final : public mail_channel {
public:
    explicit answer_channel(shared<open_answers<R>> open) : open_(std::move(open)) {
        type_print = (std::uint64_t{16} + static_cast<unsigned>(container_call::answer)) << 32 |
                     print_of<std::tuple<std::int64_t, answer_state, R>>(0).number;
        type_text = &text_of_container_channel<container_call::answer, std::int64_t, answer_state, R>;
    }

    std::int64_t handle(int, std::span<std::byte const> run) override {
        if (!open_) container_was_closed();
        std::int64_t records = 0;
        std::exception_ptr thrown;
        std::byte const* at = run.data();
        std::byte const* const end = at + run.size();
        for (; at != end; ++records) {
            auto const place = take_part<std::int64_t>(at);
            auto const state = take_part<answer_state>(at);
            std::byte const* from = at;
            skip_part<R>(at);
            try {
                open_->arrives(place, state, R(take_part<R>(from)));
            } catch (...) {
                if (!thrown) thrown = std::current_exception();
                open_->arrives(place, answer_state::failed, R{});
            }
        }
        if (thrown) std::rethrow_exception(thrown);
        return records;
    }
    void handle_long(int source, std::span<std::byte const> message) override {
        (void)handle(source, message);
    }
    void drop(int source, std::span<std::byte const> run) override {
        if (open_) (void)handle(source, run);
    }
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return count_records<std::int64_t, answer_state, R>(run);
    }
    void close() noexcept override { open_ = {}; }

private:
    shared<open_answers<R>> open_; // null once the channel is closed
};

/// The receiver of requests: place, key and arguments. Every request gets a reply, also if its handler or an
/// earlier one throws, because the caller may wait for it.
template <class Part, class Apply, class R, class K, class... A>
class asking_channel final : public mail_channel {
public:
    asking_channel(mail_engine& mail, shared<Part> part, int answer, Apply apply)
        : mail_(mail), part_(std::move(part)), answer_(answer), apply_(std::move(apply)) {
        tells_source = true;
        type_print = (std::uint64_t{16} + static_cast<unsigned>(container_call::ask)) << 32 |
                     print_of<std::tuple<K, R, A...>>(0).number;
        type_text = &text_of_container_channel<container_call::ask, K, R, A...>;
    }

    std::int64_t handle(int source, std::span<std::byte const> run) override {
        std::int64_t records = 0;
        std::exception_ptr thrown;
        for_each(run, [&](std::int64_t place, std::byte const* at) {
            ++records;
            try {
                answer(source, place, at);
            } catch (...) {
                if (!thrown) thrown = std::current_exception();
                refuse(source, place);
            }
        });
        if (thrown) std::rethrow_exception(thrown);
        return records;
    }
    void handle_long(int source, std::span<std::byte const> message) override {
        (void)handle(source, message);
    }
    void drop(int source, std::span<std::byte const> run) override {
        for_each(run, [&](std::int64_t place, std::byte const*) { refuse(source, place); });
    }
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return count_records<std::int64_t, K, A...>(run);
    }
    void close() noexcept override {
        apply_.reset();
        part_ = {};
    }

private:
    template <class Use>
    static void for_each(std::span<std::byte const> run, Use&& use) {
        std::byte const* at = run.data();
        std::byte const* const end = at + run.size();
        while (at != end) {
            auto const place = take_part<std::int64_t>(at);
            use(place, at);
            skip_part<K>(at);
            (skip_part<A>(at), ...);
        }
    }
    void answer(int source, std::int64_t place, std::byte const* at) {
        if (!part_) container_was_closed();
        view_of<K> const key = take_part<K>(at);
        std::tuple<view_of<A>...> arguments{take_part<A>(at)...};
        R const value =
            std::apply([&](auto&... each) -> R { return (*apply_)(*part_, key, each...); }, arguments);
        send(source, place, answer_state::here, value);
    }
    void refuse(int source, std::int64_t place) { send(source, place, answer_state::failed, R{}); }
    void send(int source, std::int64_t place, answer_state state, R const& value) {
        send_record<std::int64_t, answer_state, R>(mail_, source, answer_, place, state, value);
    }

    mail_engine& mail_;
    shared<Part> part_; // null once the channel is closed
    int answer_;
    std::optional<Apply> apply_;
};

} // namespace weft::detail
