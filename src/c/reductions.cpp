#include "handles.hpp"

#include <weft/collective/arrays.hpp>
#include <weft/detail/collective/small_values.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstdint>
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

struct chosen_operator {
    array_operator* how = nullptr;
    std::size_t element_bytes = 0;
};

template <class T, weft_operator By>
chosen_operator choose() {
    static named_operator<T, By> one; // without state
    return {&one, sizeof(T)};
}

template <class T>
chosen_operator choose_by(weft_operator by) {
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

chosen_operator choose_by(weft_type type, weft_operator by) {
    switch (type) {
    case weft_int8:
        return choose_by<std::int8_t>(by);
    case weft_uint8:
        return choose_by<std::uint8_t>(by);
    case weft_int32:
        return choose_by<std::int32_t>(by);
    case weft_uint32:
        return choose_by<std::uint32_t>(by);
    case weft_int64:
        return choose_by<std::int64_t>(by);
    case weft_uint64:
        return choose_by<std::uint64_t>(by);
    case weft_float:
        return choose_by<float>(by);
    case weft_double:
        return choose_by<double>(by);
    }
    throw usage_error("type " + std::to_string(static_cast<int>(type)) + " does not exist");
}

/// An operator of the program's.
class called_operator final : public array_operator {
public:
    called_operator(weft_combine combine, void* state) noexcept : combine_(combine), state_(state) {}
    void combine(std::byte* into, std::byte const* other, std::size_t elements, bool other_is_left) override {
        callback const now;
        if (other_is_left)
            combine_(state_, other, into, into, elements);
        else
            combine_(state_, into, other, into, elements);
        now.end();
    }

private:
    weft_combine combine_;
    void* state_;
};

/// The beginning of all reductions: the ranks agree on the array, so that an argument that is wrong on one
/// rank is an error of all. `choose_how` returns the operator and the bytes of an element.
class array_call_of_c {
public:
    array_call_of_c(weft_comm const* comm, char const* name) : open_(given(comm, "comm").of, name) {}

    template <class Choose>
    chosen_operator agree(void const* data, std::size_t elements, Choose&& choose_how) {
        chosen_operator chosen;
        open_.guard([&] {
            chosen = choose_how();
            if (chosen.element_bytes == 0)
                throw usage_error(std::string(open_.call()) + ": elements of 0 bytes");
            if (elements != 0) expect_given(data, "data");
        });
        open_.same("elements", elements).same("element_bytes", chosen.element_bytes).agree();
        return chosen;
    }
    [[nodiscard]] communicator const& comm() const noexcept { return open_.comm(); }
    gate& same(char const* name, int value) noexcept { return open_.same(name, value); }

private:
    gate open_;
};

enum class ending { all, one, prefix };

void reduce_as(ending how_it_ends, communicator const& comm, rank_array mine, array_operator& how,
    bool may_throw, int root) {
    switch (how_it_ends) {
    case ending::all:
        return all_reduce_array(comm, mine, how, may_throw);
    case ending::one:
        return reduce_array(comm, mine, how, may_throw, root);
    case ending::prefix:
        return detail::reduce_small(
            comm, mine, how, {.prefix = true, .may_throw = may_throw, .name = "scan"});
    }
}

weft_status reduce_named(char const* name, ending to, weft_comm const* comm, void* data, size_t elements,
    weft_type type, weft_operator by, int root = 0) {
    return call([&] {
        array_call_of_c now(comm, name);
        now.same("type", type).same("operator", by).same("root", root);
        chosen_operator const chosen = now.agree(data, elements, [&] { return choose_by(type, by); });
        reduce_as(to, now.comm(), {static_cast<std::byte*>(data), elements, chosen.element_bytes},
            *chosen.how, false, root);
    });
}

weft_status reduce_called(char const* name, ending to, weft_comm const* comm, weft_array mine,
    weft_combine combine, void* state, int root = 0) {
    return call([&] {
        array_call_of_c now(comm, name);
        now.same("root", root);
        called_operator how(combine, state);
        (void)now.agree(mine.data, mine.elements, [&] {
            if (combine == nullptr) throw usage_error(std::string(name) + ": combine is a null pointer");
            return chosen_operator{&how, mine.element_bytes};
        });
        reduce_as(to, now.comm(), {static_cast<std::byte*>(mine.data), mine.elements, mine.element_bytes},
            how, true, root);
    });
}

} // namespace

} // namespace weft::c

namespace c = weft::c;

weft_status weft_all_reduce(
    weft_comm const* comm, void* data, size_t elements, weft_type type, weft_operator by) {
    return c::reduce_named("weft_all_reduce", c::ending::all, comm, data, elements, type, by);
}

weft_status weft_reduce(
    weft_comm const* comm, void* data, size_t elements, weft_type type, weft_operator by, int root) {
    return c::reduce_named("weft_reduce", c::ending::one, comm, data, elements, type, by, root);
}

weft_status weft_scan(weft_comm const* comm, void* data, size_t elements, weft_type type, weft_operator by) {
    return c::reduce_named("weft_scan", c::ending::prefix, comm, data, elements, type, by);
}

weft_status weft_all_reduce_by(weft_comm const* comm, weft_array mine, weft_combine combine, void* state) {
    return c::reduce_called("weft_all_reduce_by", c::ending::all, comm, mine, combine, state);
}

weft_status weft_reduce_by(
    weft_comm const* comm, weft_array mine, weft_combine combine, void* state, int root) {
    return c::reduce_called("weft_reduce_by", c::ending::one, comm, mine, combine, state, root);
}

weft_status weft_scan_by(weft_comm const* comm, weft_array mine, weft_combine combine, void* state) {
    return c::reduce_called("weft_scan_by", c::ending::prefix, comm, mine, combine, state);
}

weft_status weft_broadcast(weft_comm const* comm, weft_array mine, int root) {
    return c::call([&] {
        c::array_call_of_c now(comm, "weft_broadcast");
        now.same("root", root);
        (void)now.agree(mine.data, mine.elements, [&] {
            return c::chosen_operator{nullptr, mine.element_bytes};
        });
        weft::broadcast_array(
            now.comm(), {static_cast<std::byte*>(mine.data), mine.elements, mine.element_bytes}, root);
    });
}

weft_status weft_exclusive_sum(weft_comm const* comm, int64_t mine, int64_t* before, int64_t* total) {
    return c::call([&] {
        weft::prefix const sums = weft::exclusive_sum(c::given(comm, "comm").of, mine);
        c::given(before, "before") = sums.before;
        c::given(total, "total") = sums.total;
    });
}
