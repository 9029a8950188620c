/// Lazy views of containers: filter, transform, flatten, and reductions.
#pragma once

#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/containers/map.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <concepts>
#include <cstdint>
#include <iterator>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

namespace detail {

template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;

/// Calls a function with an element: its parts, or those of a pair if it takes two.
template <class F, class... E>
decltype(auto) call_with_element(F& function, E&&... element) {
    if constexpr (std::is_invocable_v<F&, E...>)
        return function(std::forward<E>(element)...);
    else
        return std::apply(function, std::forward<E>(element)...);
}
template <class F, class... E>
using result_with_element = decltype(call_with_element(std::declval<F&>(), std::declval<E>()...));

/// The elements of a view as one type: a value, or a pair of key and value.
template <class Elements>
struct element_value;
template <class T>
struct element_value<std::tuple<T>> {
    using type = std::remove_cvref_t<T>;
};
template <class K, class V>
struct element_value<std::tuple<K, V>> {
    using type = std::pair<std::remove_cvref_t<K>, std::remove_cvref_t<V>>;
};

template <class Predicate>
struct filter_stage {
    Predicate predicate;

    template <class Elements>
    using elements = Elements;
    template <class Sink, class... E>
    void operator()(Sink&& sink, E&&... element) {
        if (call_with_element(predicate, std::as_const(element)...)) sink(std::forward<E>(element)...);
    }
};
template <class Function, class Elements>
struct transformed;
template <class Function, class... E>
struct transformed<Function, std::tuple<E...>> {
    using type = std::tuple<result_with_element<Function, E...>>;
};
template <class Function>
struct transform_stage {
    Function function;

    template <class Elements>
    using elements = typename transformed<Function, Elements>::type;
    template <class Sink, class... E>
    void operator()(Sink&& sink, E&&... element) {
        sink(call_with_element(function, std::forward<E>(element)...));
    }
};
struct flatten_stage {
    template <class Elements>
    using elements = std::tuple<decltype(*std::begin(std::declval<std::tuple_element_t<0, Elements>&>()))>;
    template <class Sink, class E>
    void operator()(Sink&& sink, E&& element) {
        for (auto&& each : element) sink(std::forward<decltype(each)>(each));
    }
};

/// One stage behind another.
template <class First, class Second>
struct joined_stages {
    First first;
    Second second;

    template <class Elements>
    using elements = typename Second::template elements<typename First::template elements<Elements>>;
    template <class Sink, class... E>
    void operator()(Sink&& sink, E&&... element) {
        first([&](auto&&... passed) { second(sink, std::forward<decltype(passed)>(passed)...); },
            std::forward<E>(element)...);
    }
};

template <class Op>
struct reduction_by_key {
    Op op;
};

template <class T>
inline constexpr bool is_stage = false;
template <class T>
inline constexpr bool is_stage<filter_stage<T>> = true;
template <class T>
inline constexpr bool is_stage<transform_stage<T>> = true;
template <>
inline constexpr bool is_stage<flatten_stage> = true;

template <class C>
concept viewed_container = requires(C const& container) {
    typename C::elements;
    container.mail();
};

} // namespace detail

/// A container with steps that its elements go through: `container | filter(f) | transform(g) | flatten()`.
/// The view keeps a reference to the container. A view computes nothing until a member is called; then each
/// element goes through all steps, in one pass, on its rank. The function of a step takes the arguments that
/// `for_all` of the container passes; if elements are pairs, the function may take the two members of a pair
/// as two arguments.
template <class Container, class Stage>
class container_view {
public:
    /// The types of the elements after the last step: a tuple of one or two types.
    using elements = typename Stage::template elements<typename Container::elements>;
    /// The type of an element as a value: a pair if `elements` has two types.
    using value_type = typename detail::element_value<elements>::type;

    /// Makes a view. `operator|` calls this constructor.
    container_view(Container const& of, Stage stage) : of_(&of), stage_(std::move(stage)) {}

    /// Calls `body` with each element. `body` may send messages, and insert into other containers.
    /// Collective: yes. Blocks, Cost, Order, Throws: as `for_all` of the container; errors of the functions
    /// of steps are thrown like errors of `body`.
    template <class Body>
    void for_all(Body body) const {
        Stage stage = stage_;
        of_->for_all([&](auto&&... element) {
            stage(
                [&](auto&&... passed) {
                    detail::call_with_element(body, std::forward<decltype(passed)>(passed)...);
                },
                std::forward<decltype(element)>(element)...);
        });
    }
    /// Returns the number of elements of all ranks. Collective, Blocks, Order, Throws: as `for_all`. Cost: as
    /// `for_all`, and a small all-reduce.
    [[nodiscard]] std::int64_t size() const {
        std::int64_t mine = 0;
        for_all([&](auto const&...) { ++mine; });
        return sum(comm(), mine);
    }
    /// Returns all elements on all ranks, ordered by rank. Collective, Blocks, Throws: as `for_all`. Cost: as
    /// `for_all` and `all_gatherv`.
    [[nodiscard]] std::vector<value_type> gather() const {
        std::vector<value_type> mine;
        for_all([&](auto&&... element) {
            mine.push_back(value_of(std::forward<decltype(element)>(element)...));
        });
        return all_gatherv(comm(), std::move(mine));
    }
    /// Returns on all ranks the combination of all elements; nullopt if there are no elements.
    /// `op(value_type, value_type)` combines two elements, and must be associative and commutative.
    /// Collective, Blocks, Cost, Throws: as `for_all`.
    template <class Op>
    [[nodiscard]] std::optional<value_type> all_reduce(Op op) const {
        std::optional<value_type> mine;
        for_all([&](auto&&... element) {
            value_type value = value_of(std::forward<decltype(element)>(element)...);
            if (mine)
                mine = op(std::move(*mine), std::move(value));
            else
                mine = std::move(value);
        });
        return weft::all_reduce(
            comm(), std::move(mine), [&](std::optional<value_type> a, std::optional<value_type> b) {
                if (!a || !b) return a ? a : b;
                return std::optional<value_type>(op(std::move(*a), std::move(*b)));
            });
    }
    /// Returns a `map` that has, for each key, the combination of its values by `op`. The elements of the
    /// view must be pairs of a key and a value. Values are combined as by a reducer of `map`. Collective:
    /// yes. Blocks: until the mailbox is drained. Cost, Throws: as `for_all` and the reducer.
    template <class Op>
    requires detail::is_pair<value_type>
    [[nodiscard]] auto reduce_by_key(Op op) const {
        map<typename value_type::first_type, typename value_type::second_type> made(of_->mail());
        auto const add = made.reducer(std::move(op));
        for_all([&](auto const& key, auto const& value) { add(key, value); });
        return made;
    }

    /// Adds a step to the view.
    template <class Next>
    requires detail::is_stage<Next>
    [[nodiscard]] friend auto operator|(container_view const& view, Next next) {
        using both = detail::joined_stages<Stage, Next>;
        return container_view<Container, both>(*view.of_, both{view.stage_, std::move(next)});
    }
    /// Returns the map that `reduce_by_key` computes. Collective, Blocks, Cost, Throws: as `reduce_by_key`.
    template <class Op>
    [[nodiscard]] friend auto operator|(container_view const& view, detail::reduction_by_key<Op> end) {
        return view.reduce_by_key(std::move(end.op));
    }

private:
    [[nodiscard]] communicator const& comm() const noexcept { return of_->mail().comm(); }
    template <class... E>
    [[nodiscard]] static value_type value_of(E&&... element) {
        return value_type(std::forward<E>(element)...);
    }

    Container const* of_;
    Stage stage_;
};

/// Makes a step that keeps the elements for which `predicate` returns true.
template <class Predicate>
[[nodiscard]] detail::filter_stage<Predicate> filter(Predicate predicate) {
    return {std::move(predicate)};
}
/// Makes a step that replaces each element by the result of `function`.
template <class Function>
[[nodiscard]] detail::transform_stage<Function> transform(Function function) {
    return {std::move(function)};
}
/// Makes a step that replaces each element, which is a range, by its items.
[[nodiscard]] inline detail::flatten_stage flatten() {
    return {};
}
/// Makes the last step of a view: `view | reduce_by_key(op)` calls `container_view::reduce_by_key`.
template <class Op>
[[nodiscard]] detail::reduction_by_key<Op> reduce_by_key(Op op) {
    return {std::move(op)};
}

/// Makes a view of a container; the container must outlive the view.
template <detail::viewed_container Container, class Stage>
requires detail::is_stage<Stage>
[[nodiscard]] auto operator|(Container const& of, Stage stage) {
    return container_view<Container, Stage>(of, std::move(stage));
}
/// Rejects, at compile time, a temporary container, which would not outlive the view.
template <detail::viewed_container Container, class Stage>
requires detail::is_stage<Stage>
void operator|(Container const&& of, Stage stage) = delete;

} // namespace weft
