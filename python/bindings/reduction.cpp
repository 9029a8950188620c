#include "reduction.hpp"

#include <weft/core/error.hpp>

#include <nanobind/stl/string.h>

#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace weft::python {

namespace {

struct lesser {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return a != a || a < b ? a : b; // a NaN wins, as in numpy
    }
};
struct greater {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return a != a || a > b ? a : b;
    }
};
/// Sums and products of integers wrap around, as in numpy.
template <class Of>
struct wrapping {
    template <class T>
    T operator()(T a, T b) const noexcept {
        if constexpr (std::is_integral_v<T>) {
            using wide =
                std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
            return static_cast<T>(Of()(static_cast<wide>(a), static_cast<wide>(b)));
        } else {
            return Of()(a, b);
        }
    }
};

template <class Of>
struct bitwise {
    template <class T>
    T operator()(T a, T b) const noexcept {
        return static_cast<T>(Of()(a, b));
    }
};

template <class T, class How>
class named_operator final : public array_operator {
public:
    void combine(std::byte* into, std::byte const* other, std::size_t elements, bool other_is_left) override {
        T* const __restrict mine = reinterpret_cast<T*>(into);
        T const* const __restrict theirs = reinterpret_cast<T const*>(other);
        How const how;
        if (other_is_left)
            for (std::size_t i = 0; i < elements; ++i) mine[i] = how(theirs[i], mine[i]);
        else
            for (std::size_t i = 0; i < elements; ++i) mine[i] = how(mine[i], theirs[i]);
    }
};

/// Calls `function(left, right)` with the bytes of both, which returns the bytes of the result.
class python_operator final : public array_operator {
public:
    python_operator(nb::callable function, std::size_t element_bytes)
        : function_(std::move(function)), element_bytes_(element_bytes) {}

    void combine(std::byte* into, std::byte const* other, std::size_t elements, bool other_is_left) override {
        call_python([&] {
            std::size_t const bytes = elements * element_bytes_;
            nb::bytearray const theirs(other, bytes); // of their own: the function may keep them
            nb::bytearray const mine(into, bytes);
            nb::object const made = other_is_left ? function_(theirs, mine) : function_(mine, theirs);
            auto const result = nb::cast<input_bytes>(made);
            if (result.size() != bytes) throw usage_error("the operator returned an array of another length");
            std::memcpy(into, result.data(), bytes);
        });
    }

private:
    nb::callable function_;
    std::size_t element_bytes_;
};

template <class T>
std::unique_ptr<array_operator> operator_for(std::string const& how) {
    if (how == "sum") return std::make_unique<named_operator<T, wrapping<std::plus<>>>>();
    if (how == "prod") return std::make_unique<named_operator<T, wrapping<std::multiplies<>>>>();
    if (how == "min") return std::make_unique<named_operator<T, lesser>>();
    if (how == "max") return std::make_unique<named_operator<T, greater>>();
    if constexpr (std::is_integral_v<T>) {
        if (how == "and") return std::make_unique<named_operator<T, bitwise<std::bit_and<>>>>();
        if (how == "or") return std::make_unique<named_operator<T, bitwise<std::bit_or<>>>>();
        if (how == "xor") return std::make_unique<named_operator<T, bitwise<std::bit_xor<>>>>();
    }
    throw usage_error(
        "op: \"" + how +
        "\" is no operator; expected sum, prod, min, max, and, or, xor, or a function of two arrays");
}

/// The operator of that name for elements of a kind ("i", "u", "f") and a size.
std::unique_ptr<array_operator> operator_for(std::string const& how, char kind, std::size_t bytes) {
    switch (kind) {
    case 'i':
        if (bytes == 1) return operator_for<std::int8_t>(how);
        if (bytes == 2) return operator_for<std::int16_t>(how);
        if (bytes == 4) return operator_for<std::int32_t>(how);
        if (bytes == 8) return operator_for<std::int64_t>(how);
        break;
    case 'b': // 0 or 1
    case 'u':
        if (bytes == 1) return operator_for<std::uint8_t>(how);
        if (bytes == 2) return operator_for<std::uint16_t>(how);
        if (bytes == 4) return operator_for<std::uint32_t>(how);
        if (bytes == 8) return operator_for<std::uint64_t>(how);
        break;
    case 'f':
        if (bytes == 4) return operator_for<float>(how);
        if (bytes == 8) return operator_for<double>(how);
        break;
    default:
        break;
    }
    throw usage_error(
        "op: named operators take integers and floats of 4 and 8 bytes; for another dtype give a function "
        "of two arrays");
}

} // namespace

reduction::reduction(nb::handle how, char kind, std::size_t element_bytes)
    : element_bytes_(element_bytes), is_python_(!nb::isinstance<nb::str>(how)) {
    if (is_python_)
        made_ = std::make_unique<python_operator>(nb::borrow<nb::callable>(how), element_bytes);
    else
        made_ = operator_for(nb::cast<std::string>(how), kind, element_bytes);
}

} // namespace weft::python
