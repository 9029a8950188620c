#include "handles.hpp"
#include "operators.hpp"

#include <weft/collective/arrays.hpp>
#include <weft/detail/collective/small_values.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstdint>

namespace weft::c {

namespace {

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
