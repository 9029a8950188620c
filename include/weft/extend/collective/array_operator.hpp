/// Operators on the elements of arrays, as bytes.
#pragma once

#include <weft/wire/kinds.hpp>

#include <cstddef>
#include <type_traits>

namespace weft {

/// Combines elements of two arrays.
class array_operator {
public:
    array_operator() = default;
    array_operator(array_operator const&) = delete;
    array_operator& operator=(array_operator const&) = delete;
    virtual ~array_operator() = default;

    /// Combines element by element into `into`: `into` is the left operand, or `other` if it is the left one.
    /// The two do not overlap.
    virtual void combine(
        std::byte* into, std::byte const* other, std::size_t elements, bool other_is_left) = 0;
};

/// An operator that combines two elements into one.
template <class Combine, class T>
concept combines_elements = std::is_invocable_r_v<T, Combine&, T const&, T const&>;

/// Adapts an element operator to arrays.
template <bare_type T, combines_elements<T> Combine>
class element_operator final : public array_operator {
public:
    /// True if the operator may throw: then ranks agree on errors after a reduction, which takes a small
    /// all-reduce.
    static constexpr bool may_throw = !std::is_nothrow_invocable_v<Combine&, T const&, T const&>;

    /// Wraps a callable, which must outlive it.
    explicit element_operator(Combine& combine) : combine_(combine) {}

    void combine(std::byte* into, std::byte const* other, std::size_t elements, bool other_is_left) override {
        // The arrays do not overlap, so the loops can be vectorised.
        T* const __restrict mine = reinterpret_cast<T*>(into);
        T const* const __restrict theirs = reinterpret_cast<T const*>(other);
        if (other_is_left)
            for (std::size_t i = 0; i < elements; ++i) mine[i] = combine_(theirs[i], mine[i]);
        else
            for (std::size_t i = 0; i < elements; ++i) mine[i] = combine_(mine[i], theirs[i]);
    }

private:
    Combine& combine_;
};

/// An array of this rank, of equal length on all ranks, as bytes.
struct rank_array {
    std::byte* data = nullptr;     ///< The first byte.
    std::size_t elements = 0;      ///< The number of elements.
    std::size_t element_bytes = 1; ///< Bytes of one element.
};

} // namespace weft
