/// Reductions, scans, broadcasts and gathers, on arrays by a named operator or by one of Python, and on
/// bytes.
#include "call.hpp"

#include <weft/collective/arrays.hpp>
#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/core/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>

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
    throw usage_error(
        "op: \"" + how + "\" is no operator; expected sum, prod, min, max, or a function of two arrays");
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

/// What the Python side says of a reduction.
class reduction {
public:
    reduction(nb::handle how, char kind, std::size_t element_bytes) : element_bytes_(element_bytes) {
        is_python_ = !nb::isinstance<nb::str>(how);
        if (is_python_)
            made_ = std::make_unique<python_operator>(nb::borrow<nb::callable>(how), element_bytes);
        else
            made_ = operator_for(nb::cast<std::string>(how), kind, element_bytes);
    }

    [[nodiscard]] array_operator& how() const noexcept { return *made_; }
    [[nodiscard]] bool may_throw() const noexcept { return is_python_; }
    [[nodiscard]] rank_array array(output_bytes const& data) const {
        std::span<std::byte> const bytes = bytes_of(data);
        return {bytes.data(), bytes.size() / element_bytes_, element_bytes_};
    }

private:
    std::unique_ptr<array_operator> made_;
    std::size_t element_bytes_;
    bool is_python_;
};

void all_reduce_in_place(communicator const& comm, output_bytes const& data, nb::handle how, char kind,
    std::size_t element_bytes, std::optional<int> root) {
    reduction const given(how, kind, element_bytes);
    rank_array const mine = given.array(data);
    library_call const call;
    if (root)
        reduce_array(comm, mine, given.how(), given.may_throw(), *root);
    else
        all_reduce_array(comm, mine, given.how(), given.may_throw());
}

/// The arrays of the ranks up to this one combined.
void scan_in_place(communicator const& comm, output_bytes const& data, nb::handle how, char kind,
    std::size_t element_bytes) {
    reduction const given(how, kind, element_bytes);
    std::span<std::byte> const bytes = bytes_of(data);
    library_call const call;
    std::vector<std::byte> const all = scan(comm, std::vector<std::byte>(bytes.begin(), bytes.end()),
        [&](std::vector<std::byte> left, std::vector<std::byte> right) {
            given.how().combine(left.data(), right.data(), left.size() / element_bytes, false);
            return left;
        });
    std::copy(all.begin(), all.end(), bytes.begin());
}

nb::bytes to_python(std::span<std::byte const> from) {
    return nb::bytes(reinterpret_cast<char const*>(from.data()), from.size());
}

buffer copy_of(std::optional<nb::bytes> const& from) {
    buffer made;
    if (from) made.append(from->data(), from->size());
    return made;
}

nb::bytes broadcast_from(
    communicator const& comm, std::optional<nb::bytes> const& of_root, int root, nb::handle failure) {
    buffer bytes = copy_of(of_root);
    std::exception_ptr thrown = failure_of(failure);
    {
        library_call const call;
        bytes = broadcast_bytes(comm, std::move(bytes), std::move(thrown), root);
    }
    return to_python(bytes.bytes());
}

list_of_bytes gather_on_0(
    communicator const& comm, std::optional<nb::bytes> const& mine, nb::handle failure) {
    buffer bytes = copy_of(mine);
    std::exception_ptr thrown = failure_of(failure);
    message_list all;
    {
        library_call const call;
        all = gather_bytes(comm, std::move(bytes), std::move(thrown));
    }
    list_of_bytes made;
    for (message const& each : all) made.append(to_python(each.data.bytes()));
    return made;
}

list_of_bytes gather_on_all(
    communicator const& comm, std::optional<nb::bytes> const& mine, nb::handle failure) {
    std::string bytes = mine ? std::string(mine->c_str(), mine->size()) : std::string();
    std::exception_ptr thrown = failure_of(failure);
    std::vector<std::string> all;
    {
        library_call const call;
        agree_same(comm, "all_gather", std::move(thrown));
        all = all_gather(comm, std::move(bytes));
    }
    list_of_bytes made;
    for (std::string const& each : all) made.append(nb::bytes(each.data(), each.size()));
    return made;
}

} // namespace

void bind_collective(nb::module_& module) {
    module.def("reduce_in_place", &all_reduce_in_place, nb::arg("comm"), nb::arg("data").noconvert(),
        nb::arg("op"), nb::arg("kind"), nb::arg("element_bytes"), nb::arg("root").none());
    module.def("scan_in_place", &scan_in_place, nb::arg("comm"), nb::arg("data").noconvert(), nb::arg("op"),
        nb::arg("kind"), nb::arg("element_bytes"));
    module.def("broadcast_bytes", &broadcast_from, nb::arg("comm"), nb::arg("of_root").none(),
        nb::arg("root"), nb::arg("failure").none());
    module.def(
        "gather_bytes", &gather_on_0, nb::arg("comm"), nb::arg("mine").none(), nb::arg("failure").none());
    module.def("all_gather_bytes", &gather_on_all, nb::arg("comm"), nb::arg("mine").none(),
        nb::arg("failure").none());
}

} // namespace weft::python
