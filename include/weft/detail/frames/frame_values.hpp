/// Typed transfers along a plan of items: runs of bare values, and encoded values.
#pragma once

#include <weft/detail/core/huge_pages.hpp>
#include <weft/extend/frames/item_plan.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/parts_view.hpp>
#include <weft/frames/ragged.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// Returns a + b: the default operator of reductions. (std::plus would include a large header.)
struct add_values {
    template <class T>
    [[nodiscard]] constexpr T operator()(T const& a, T const& b) const noexcept(noexcept(T(a + b))) {
        return static_cast<T>(a + b);
    }
};

} // namespace weft

namespace weft::detail {

/// Returns the exception of `body`, or null: the census of the call sends it to all ranks. Local.
template <class Body>
[[nodiscard]] std::exception_ptr failure_in(Body&& body) {
    try {
        body();
    } catch (...) { return std::current_exception(); }
    return {};
}

/// Throws `usage_error` for a stride of 0, and unless there are `stride` values of `value_bytes` bytes for
/// each of `items`, with a total of less than 2^63 bytes. Local.
void check_values(communicator const& comm, char const* name, std::size_t found, std::size_t items,
    std::size_t stride, std::size_t value_bytes);
/// Checks the stride of values that will be received.
void check_stride(communicator const& comm, char const* name, std::size_t items, std::size_t stride,
    std::size_t value_bytes);

/// A transfer of `stride` values per item; `failure`: the reason why this rank cannot take part.
template <bare_type T>
[[nodiscard]] item_plan::move typed_move(std::span<T const> from, std::span<T> to, std::size_t stride,
    frame_transfer how, char const* name, std::exception_ptr failure) {
    item_plan::move what;
    what.from = std::as_bytes(from);
    what.to = std::as_writable_bytes(to);
    what.value_bytes = stride * sizeof(T);
    what.type = print_of<T>(sizeof(T));
    what.how = how;
    what.name = name;
    what.failure = std::move(failure);
    return what;
}

/// Returns a view of values as callers pass them: one array, or one for each part. A vector of vectors is an
/// array for each part, so values that are vectors themselves must be passed as a `parts_view` or a span.
template <class T>
[[nodiscard]] parts_view<T> as_parts(parts_view<T> const& parts) {
    return parts;
}
template <wire_type T>
[[nodiscard]] parts_view<T> as_parts(std::span<T const> values) {
    return values;
}
template <wire_type T>
[[nodiscard]] parts_view<T> as_parts(std::vector<T> const& values) {
    return values;
}
template <wire_type T>
[[nodiscard]] parts_view<T> as_parts(std::vector<std::vector<T>> const& parts) {
    return parts;
}

/// Returns the values of all parts in one array: a view if there is a single part, otherwise a copy in
/// `room`.
template <class T>
[[nodiscard]] std::span<T const> flat(parts_view<T> const& parts, std::vector<T>& room) {
    if (parts.parts() == 0) return {};
    if (parts.parts() == 1) return parts[0];
    reserve_in_huge_pages(room, parts.items());
    for (std::size_t part = 0; part < parts.parts(); ++part)
        room.insert(room.end(), parts[part].begin(), parts[part].end());
    return room;
}

template <bare_type T>
[[nodiscard]] item_plan::ragged_move typed_lists(
    ragged_view<T> const& lists, frame_transfer how, char const* name) {
    item_plan::ragged_move what;
    what.offsets = lists.offsets;
    what.values = std::as_bytes(lists.values);
    what.value_bytes = sizeof(T);
    what.type = print_of<T>(sizeof(T));
    what.how = how;
    what.name = name;
    return what;
}

/// Moves lists and calls `take(item_plan::ragged_bytes&&)`, whose exceptions are agreed. Collective, as
/// `item_plan::run`.
template <class Take>
void take_lists(item_plan const& plan, item_plan::ragged_move const& what, Take&& take) {
    struct taker final : item_plan::list_taker {
        explicit taker(Take& call) : call_(call) {}
        void take(item_plan::ragged_bytes&& moved) override { call_(std::move(moved)); }
        Take& call_;
    };
    taker calls(take);
    plan.run(what, calls);
}

/// Moves lists and passes them to `finish(ragged<T>&&)`.
template <bare_type T, class Finish>
[[nodiscard]] ragged<T> moved_lists(
    item_plan const& plan, item_plan::ragged_move const& what, Finish&& finish) try {
    ragged<T> made;
    take_lists(plan, what, [&](item_plan::ragged_bytes&& moved) {
        ragged<T> lists;
        lists.offsets = std::move(moved.offsets);
        resize_in_huge_pages(lists.values, moved.values.size() / sizeof(T));
        if (!moved.values.empty()) std::memcpy(lists.values.data(), moved.values.data(), moved.values.size());
        made = finish(std::move(lists));
    });
    return made;
} catch (std::bad_alloc const&) {
    alone_unless_agreed(what.name);
    throw;
}
template <bare_type T>
[[nodiscard]] ragged<T> moved_lists(item_plan const& plan, item_plan::ragged_move const& what) {
    return moved_lists<T>(plan, what, [](ragged<T>&& lists) { return std::move(lists); });
}

/// Encoded values, as lists of bytes: one list for all `stride` values of an item.
struct encoded_values {
    std::vector<std::int64_t> offsets; // empty until `add`, which may run out of memory
    buffer bytes;
    std::size_t stride = 1;
    std::exception_ptr failure;

    /// `check` runs first; its exception also becomes the failure.
    template <wire_type T, class Check>
    encoded_values(std::span<T const> values, std::size_t values_of_item, Check&& check)
        : stride(values_of_item) {
        failure = failure_in([&] {
            check();
            add(values);
        });
    }
    template <wire_type T>
    explicit encoded_values(std::span<T const> values) : encoded_values(values, 1, [] {}) {}
    encoded_values() = default;
    /// Adds all values; there are `stride` of them for each item.
    template <wire_type T>
    void add(std::span<T const> values) {
        offsets.reserve(1 + values.size() / stride);
        offsets.push_back(0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            encode(bytes, values[i]);
            if ((i + 1) % stride == 0) offsets.push_back(static_cast<std::int64_t>(bytes.size()));
        }
    }

    [[nodiscard]] item_plan::ragged_move move(item_type type, frame_transfer how, char const* name) const {
        item_plan::ragged_move what;
        what.offsets = offsets;
        what.values = bytes.bytes();
        what.stride = stride;
        what.type = type;
        what.how = how;
        what.name = name;
        what.failure = failure;
        return what;
    }
};

/// Decodes `stride` values of each list; an empty list gives `missing` for each. Throws: errors of hooks.
template <wire_type T>
[[nodiscard]] std::vector<T> decoded_values(
    item_plan::ragged_bytes const& moved, T const& missing, std::size_t stride = 1) {
    std::vector<T> values;
    reserve_in_huge_pages(values, (moved.offsets.size() - 1) * stride);
    auto next_missing = moved.missing.begin();
    for (std::size_t i = 0; i + 1 < moved.offsets.size(); ++i) {
        if (next_missing != moved.missing.end() && *next_missing == i) {
            values.insert(values.end(), stride, missing);
            ++next_missing;
            continue;
        }
        auto const begin = static_cast<std::size_t>(moved.offsets[i]);
        wire_reader reader(
            moved.values.bytes().subspan(begin, static_cast<std::size_t>(moved.offsets[i + 1]) - begin));
        for (std::size_t k = 0; k < stride; ++k) values.push_back(decode<T>(reader));
        reader.finish();
    }
    return values;
}

} // namespace weft::detail
