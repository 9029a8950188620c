/// Handlers on the entries of containers: visitors, and reducers.
#pragma once

#include <weft/core/error.hpp>
#include <weft/detail/containers/hashed_container.hpp>
#include <weft/detail/containers/visit_calls.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace weft {

namespace detail {

template <class K, class V, bool Makes, class H, class... A>
struct visit_apply {
    H handler;

    void operator()(
        hashed_part<K, V>& part, int, std::uint64_t hash, view_of<K> const& key, view_of<A>&... arguments) {
        typename local_table<K, V>::entry* found = nullptr;
        if constexpr (Makes)
            found = part.table.find_or_make(hash, key, [] { return V{}; }).first;
        else
            found = part.table.find(hash, key);
        if (found == nullptr) return;
        typename local_table<K, V>::hold const stays(part.table);
        call_visitor<A...>(handler, found->key, found->value, arguments...);
    }
};

} // namespace detail

/// A function object that calls a handler on entries of a container. A visitor may be copied, and must not
/// outlive its container. A call of the visitor with a key and arguments sends a message to the rank that
/// owns the key. The handler runs on that rank, inside its next call of the mailbox or its next blocking call
/// of Weft. Order: calls that a rank makes by one visitor for one key run in the order in which the rank made
/// them. Local. Cost: one message with the key and the arguments, collected in buffers.
template <class K, class V, class... A>
class visitor {
public:
    /// Binds the visitor to one channel of a container's mailbox. The container calls this constructor.
    visitor(mail_engine& engine, detail::walked_part const& part, int channel, bool makes) noexcept
        : engine_(&engine), part_(&part), channel_(channel), makes_(makes) {}

    /// Sends the key and the arguments to the rank that owns the key. Throws: encoding errors; `usage_error`
    /// in a `for_all` of the container, if the visit may insert an entry.
    void operator()(detail::argument_of<K> key, detail::argument_of<A>... arguments) const {
        expect_not_walked();
        int const to = detail::owner_of_hash(detail::hash_of_key<K>(key), engine_->size());
        detail::send_record<K, A...>(*engine_, to, channel_, key, arguments...);
    }
    /// Visits `keys[i]` with the arguments at index i, for all i. Throws: `usage_error` also if the lists
    /// have different lengths; then nothing is sent.
    void operator()(std::span<K const> keys, std::span<A const>... arguments) const {
        ((arguments.size() == keys.size() ? void()
                                          : detail::unequal_spans("visitor", keys.size(), arguments.size())),
            ...);
        for (std::size_t i = 0; i < keys.size(); ++i) (*this)(keys[i], arguments[i]...);
    }

private:
    void expect_not_walked() const {
        if (makes_ && part_->is_walked && !engine_->in_handler()) [[unlikely]]
            detail::changed_while_walked("a visitor");
    }

    mail_engine* engine_;
    detail::walked_part const* part_;
    int channel_;
    bool makes_;
};

/// A function object that combines a value with the stored value of a key: `add(key, value)`. Values of one
/// key that wait at the same time on a rank (the sender, or a rank that forwards messages) are combined
/// before this rank sends them. Since values of one key are combined before they are sent, a key that all
/// ranks use costs little more than any other key. Values are combined in any order, so the operator must be
/// associative and commutative. Local. Throws: `usage_error` in a `for_all` of this container; errors of
/// encoding and, at the sender, of the operator; on other ranks an error of the operator is thrown by the
/// next `drain`.
template <class K, class V, class Op>
class reducer {
public:
    /// Binds the reducer to one channel of a container's mailbox. The container calls this constructor.
    reducer(detail::reducing_channel<K, V, Op>& channel, detail::hashed_part<K, V> const& part) noexcept
        : channel_(&channel), part_(&part) {}

    /// Combines the value with the stored value of the key. Local.
    void operator()(detail::argument_of<K> key, detail::argument_of<V> value) const {
        expect_not_walked();
        channel_->send(key, value);
    }
    /// Combines one value with the stored value of each of several keys. Local.
    void operator()(std::span<K const> keys, V const& value) const {
        expect_not_walked();
        channel_->send_all(keys, [&](std::size_t) -> V const& { return value; });
    }
    /// Combines `values[i]` with the stored value of `keys[i]`, for all i. Throws: `usage_error` also if the
    /// lists have different lengths; then nothing is sent.
    void operator()(std::span<K const> keys, std::span<V const> values) const {
        if (keys.size() != values.size()) detail::unequal_spans("reducer", keys.size(), values.size());
        expect_not_walked();
        channel_->send_all(keys, [&](std::size_t i) -> V const& { return values[i]; });
    }

private:
    void expect_not_walked() const {
        if (part_->is_walked && !channel_->mail().in_handler()) [[unlikely]]
            detail::changed_while_walked("a reducer");
    }

    detail::reducing_channel<K, V, Op>* channel_; // the mailbox owns it
    detail::hashed_part<K, V> const* part_;
};

} // namespace weft
