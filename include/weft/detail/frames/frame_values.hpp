/// Typed moves along a plan of items: runs of bare values, and values that are encoded.
#pragma once

#include <weft/extend/frames/item_plan.hpp>
#include <weft/frames/parts_view.hpp>
#include <weft/frames/ragged.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// a + b: what values are combined by where nothing else is said. (std::plus would cost a large header.)
struct add_values {
    template <class T>
    [[nodiscard]] constexpr T operator()(T const& a, T const& b) const noexcept(noexcept(T(a + b))) {
        return static_cast<T>(a + b);
    }
};

} // namespace weft

namespace weft::detail {

/// A move of `stride` values an item.
template <bare_type T>
[[nodiscard]] item_plan::move typed_move(
    std::span<T const> from, std::span<T> to, std::size_t stride, frame_transfer how, char const* name) {
    item_plan::move what;
    what.from = std::as_bytes(from);
    what.to = std::as_writable_bytes(to);
    what.value_bytes = stride * sizeof(T);
    what.type = print_of<T>(sizeof(T));
    what.how = how;
    what.name = name;
    return what;
}

/// Values of parts as callers have them: one array, or one for each part.
template <class T>
[[nodiscard]] parts_view<T> as_parts(parts_view<T> const& parts) {
    return parts;
}
template <bare_type T>
[[nodiscard]] parts_view<T> as_parts(std::span<T const> values) {
    return values;
}
template <bare_type T>
[[nodiscard]] parts_view<T> as_parts(std::vector<T> const& values) {
    return values;
}
template <bare_type T>
[[nodiscard]] parts_view<T> as_parts(std::vector<std::vector<T>> const& parts) {
    return parts;
}

/// The values of all parts in one array: a view of a single part, a copy in `room` of several.
template <class T>
[[nodiscard]] std::span<T const> flat(parts_view<T> const& parts, std::vector<T>& room) {
    if (parts.parts() == 0) return {};
    if (parts.parts() == 1) return parts[0];
    room.reserve(parts.items());
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

template <bare_type T>
[[nodiscard]] ragged<T> lists_of(item_plan::ragged_bytes&& moved) {
    ragged<T> lists;
    lists.offsets = std::move(moved.offsets);
    lists.values.resize(moved.values.size() / sizeof(T));
    if (!moved.values.empty()) std::memcpy(lists.values.data(), moved.values.data(), moved.values.size());
    return lists;
}

/// Values that are encoded, as lists of bytes.
struct encoded_values {
    std::vector<std::int64_t> offsets{0};
    buffer bytes;
    std::exception_ptr failure;

    template <wire_type T>
    explicit encoded_values(std::span<T const> values) {
        offsets.reserve(values.size() + 1);
        try {
            for (T const& value : values) {
                encode(bytes, value);
                offsets.push_back(static_cast<std::int64_t>(bytes.size()));
            }
        } catch (...) { failure = std::current_exception(); }
    }

    [[nodiscard]] item_plan::ragged_move move(item_type type, frame_transfer how, char const* name) const {
        item_plan::ragged_move what;
        what.offsets = offsets;
        what.values = bytes.bytes();
        what.type = type;
        what.how = how;
        what.name = name;
        what.failure = failure;
        return what;
    }
};

/// Decodes; a value of no bytes, where nothing came, is `missing`. `failure` gets what a hook throws.
template <wire_type T>
[[nodiscard]] std::vector<T> decoded_values(
    item_plan::ragged_bytes const& moved, T const& missing, std::exception_ptr& failure) {
    std::vector<T> values;
    try {
        values.reserve(moved.offsets.size() - 1);
        for (std::size_t i = 0; i + 1 < moved.offsets.size(); ++i) {
            auto const begin = static_cast<std::size_t>(moved.offsets[i]);
            auto const bytes =
                moved.values.bytes().subspan(begin, static_cast<std::size_t>(moved.offsets[i + 1]) - begin);
            if (bytes.empty())
                values.push_back(missing);
            else
                values.push_back(decode<T>(bytes));
        }
    } catch (...) { failure = std::current_exception(); }
    return values;
}

} // namespace weft::detail
