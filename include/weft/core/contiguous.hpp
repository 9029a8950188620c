/// Concepts for the ranges that functions of Weft take: their items are contiguous in memory.
#pragma once

#include <concepts>
#include <span>
#include <utility>

namespace weft {

/// A `std::vector`, `std::array`, `std::span` or another range from which a span can be made.
template <class R>
concept contiguous_items = requires(R&& range) {
    std::span(std::forward<R>(range));
};

/// The type of the items of a range, without const.
template <contiguous_items R>
using item_in = typename decltype(std::span(std::declval<R>()))::value_type;

/// A contiguous range that can be read as items of type `T`.
template <class R, class T>
concept items_of = contiguous_items<R const&> && std::same_as<item_in<R const&>, T>;

/// A contiguous range whose items can be written.
template <class R>
concept contiguous_room = contiguous_items<R> && requires(R&& range) {
    std::span<item_in<R>>(std::forward<R>(range));
};

} // namespace weft
