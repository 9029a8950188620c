#include "operators.hpp"

#include <cstdint>
#include <string>
#include <type_traits>

namespace weft::c {

namespace {

/// A named operator on elements of one type, in the loop that the compiler can see.
template <class T, weft_operator By>
class named_operator final : public array_operator {
public:
    void combine(std::byte* into, std::byte const* other, std::size_t elements, bool) override {
        T* const __restrict mine = reinterpret_cast<T*>(into);
        T const* const __restrict theirs = reinterpret_cast<T const*>(other);
        for (std::size_t i = 0; i < elements; ++i) mine[i] = of(mine[i], theirs[i]); // all of them commute
    }

private:
    static T of(T a, T b) noexcept {
        if constexpr (By == weft_min) return b < a ? b : a;
        if constexpr (By == weft_max) return a < b ? b : a;
        if constexpr (std::is_integral_v<T>) {
            using bits = std::make_unsigned_t<T>; // sums beyond the range wrap, as in Fortran and MPI
            auto const x = static_cast<bits>(a);
            auto const y = static_cast<bits>(b);
            if constexpr (By == weft_sum) return static_cast<T>(static_cast<bits>(x + y));
            if constexpr (By == weft_product)
                return static_cast<T>(static_cast<bits>(std::uint64_t{x} * std::uint64_t{y}));
            if constexpr (By == weft_and) return static_cast<T>(x & y);
            if constexpr (By == weft_or) return static_cast<T>(x | y);
            if constexpr (By == weft_xor) return static_cast<T>(x ^ y);
        } else {
            if constexpr (By == weft_sum) return a + b;
            if constexpr (By == weft_product) return a * b;
        }
    }
};

template <class T, weft_operator By>
chosen_operator choose() {
    static named_operator<T, By> one; // without state
    return {&one, sizeof(T)};
}

template <class T>
chosen_operator choose_of(weft_operator by) {
    switch (by) {
    case weft_sum:
        return choose<T, weft_sum>();
    case weft_product:
        return choose<T, weft_product>();
    case weft_min:
        return choose<T, weft_min>();
    case weft_max:
        return choose<T, weft_max>();
    case weft_and:
    case weft_or:
    case weft_xor:
        if constexpr (std::is_integral_v<T>)
            return by == weft_and  ? choose<T, weft_and>()
                   : by == weft_or ? choose<T, weft_or>()
                                   : choose<T, weft_xor>();
        else
            throw usage_error("operators of bits take whole numbers");
    }
    throw usage_error("operator " + std::to_string(static_cast<int>(by)) + " does not exist");
}

} // namespace

chosen_operator choose_by(weft_type type, weft_operator by) {
    switch (type) {
    case weft_int8:
        return choose_of<std::int8_t>(by);
    case weft_uint8:
        return choose_of<std::uint8_t>(by);
    case weft_int32:
        return choose_of<std::int32_t>(by);
    case weft_uint32:
        return choose_of<std::uint32_t>(by);
    case weft_int64:
        return choose_of<std::int64_t>(by);
    case weft_uint64:
        return choose_of<std::uint64_t>(by);
    case weft_float:
        return choose_of<float>(by);
    case weft_double:
        return choose_of<double>(by);
    }
    throw usage_error("type " + std::to_string(static_cast<int>(type)) + " does not exist");
}

} // namespace weft::c
