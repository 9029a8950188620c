/// An array whose items are distributed over all ranks in blocks of nearly equal size.
#pragma once

#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/detail/containers/container_file.hpp>
#include <weft/detail/containers/container_mail.hpp>
#include <weft/detail/containers/first_items.hpp>
#include <weft/detail/containers/sorted_share.hpp>
#include <weft/detail/containers/visit_calls.hpp>
#include <weft/detail/core/even_shares.hpp>
#include <weft/detail/core/huge_pages.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

namespace detail {

[[noreturn]] void no_such_item(std::int64_t index, std::int64_t size);

/// The part of an array that a rank has.
template <class T>
struct array_part : counted {
    even_shares shares;
    std::int64_t size = 0;
    std::int64_t first = 0; // of this rank
    std::vector<T> values;
    static constexpr bool is_direct = true; // a location is that of the item

    [[nodiscard]] std::size_t locate(std::int64_t index) const noexcept {
        return static_cast<std::size_t>(index - first);
    }
    void prefetch(std::size_t place) const noexcept { __builtin_prefetch(values.data() + place, 1); }
    static void prefetch_entry(std::size_t) noexcept {}

    void swap(array_part& other) noexcept {
        std::swap(shares, other.shares);
        std::swap(size, other.size);
        std::swap(first, other.first);
        values.swap(other.values);
    }
    /// Throws: `std::bad_alloc`, and errors of copying.
    void resize(std::int64_t items, int rank, int ranks, T const& initial) {
        shares = even_shares(items, ranks);
        size = items;
        first = shares.begin(rank);
        reserve_in_huge_pages(values, static_cast<std::size_t>(shares.size(rank)));
        values.assign(static_cast<std::size_t>(shares.size(rank)), initial);
    }
};

} // namespace detail

/// A function object that calls a handler on items of an array: a `visitor` with an index as key. Throws:
/// `usage_error` for an index that the array does not have.
template <class T, class... A>
class array_visitor {
public:
    /// Binds the visitor to one channel of an array's mailbox. `array::visitor` calls this constructor.
    array_visitor(mail_engine& engine, detail::array_part<T> const& part, int channel) noexcept
        : engine_(&engine), part_(&part), channel_(channel) {}

    /// Sends the arguments to the rank of the item; that rank calls the handler with the item and the
    /// arguments. Local.
    void operator()(std::int64_t index, detail::argument_of<A>... arguments) const {
        if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(part_->size)) [[unlikely]]
            detail::no_such_item(index, part_->size);
        detail::send_record<std::int64_t, A...>(
            *engine_, part_->shares.part_of(index), channel_, index, arguments...);
    }
    /// Visits the item at `indices[i]` with the arguments at index i, for all i. Throws: `usage_error` also
    /// if the lists have different lengths.
    void operator()(std::span<std::int64_t const> indices, std::span<A const>... arguments) const {
        ((arguments.size() == indices.size()
                 ? void()
                 : detail::unequal_spans("array", indices.size(), arguments.size())),
            ...);
        detail::even_shares const shares = part_->shares; // no write to a message can change copies
        auto const size = static_cast<std::uint64_t>(part_->size);
        mail_engine& engine = *engine_;
        int const channel = channel_;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            std::int64_t const index = indices[i];
            if (static_cast<std::uint64_t>(index) >= size) [[unlikely]]
                detail::no_such_item(index, part_->size);
            detail::send_record<std::int64_t, A...>(
                engine, shares.part_of(index), channel, index, arguments[i]...);
        }
    }

private:
    mail_engine* engine_;
    detail::array_part<T> const* part_;
    int channel_;
};

/// Items 0 to size() - 1, distributed over P ranks: each rank has one block of floor(size / P) items or one
/// more. Any rank may assign to and visit any item at any time, also in handlers. Assigning and visiting are
/// not collective: the call sends a message to the rank of the item, and is complete when the mailbox has
/// been drained. Collective members first drain the mailbox of the array. If a handler throws, the next
/// `drain`, or collective member, throws on all ranks.
///
/// An array must not outlive its mailbox. All ranks make their containers, visitors and reducers in the same
/// order. An array that was moved from may be destroyed or assigned to.
template <wire_type T>
requires std::default_initializable<T> && std::copyable<T>
class array {
public:
    using value_type = T;                          ///< The type of an item.
    using elements = std::tuple<std::int64_t, T&>; ///< The arguments of the body of `for_all`.

    /// Makes an array whose items are all equal to `initial`. Collective: yes, over the ranks of the mailbox.
    /// Blocks: until all ranks have called. Cost: a small all-reduce, and making the items of this rank.
    /// Throws: `usage_error` if a size is negative or sizes differ between ranks; `std::bad_alloc`, on all
    /// ranks.
    array(mailbox& mail, std::int64_t size, T const& initial = T{}) try
        : mail_(mail),
          part_(detail::shared<part_type>(new part_type)),
          awaited_(detail::shared<answers_type>(new answers_type)) {
        make_channels();
        gate call(comm(), "array");
        call.same("size", size);
        agreed(call, [&] {
            if (size < 0) throw usage_error("array: its size is " + std::to_string(size));
            part_->resize(size, comm().rank(), comm().size(), initial);
        });
    } catch (std::bad_alloc const&) {
        alone_unless_agreed("array");
        throw;
    }
    /// Copies an array, on the same mailbox. Collective: yes. Blocks: until the mailbox is drained. Cost: a
    /// drain, and a copy of all items of this rank. Throws: `std::bad_alloc` and errors of copying, on all
    /// ranks.
    array(array const& other) try
        : mail_(other.mail_.mail()),
          part_(detail::shared<part_type>(new part_type)),
          awaited_(detail::shared<answers_type>(new answers_type)) {
        make_channels();
        mail_.mail().drain();
        gate call(comm(), "array: a copy");
        agreed(call, [&] {
            part_->values = other.part_->values;
            part_->shares = other.part_->shares;
            part_->size = other.part_->size;
            part_->first = other.part_->first;
        });
    } catch (std::bad_alloc const&) {
        alone_unless_agreed("array");
        throw;
    }
    array& operator=(array const& other) {
        *this = array(other);
        return *this;
    }
    array(array&&) noexcept = default;
    array& operator=(array&&) noexcept = default;
    ~array() = default; // local

    /// Returns the mailbox of the array. Local.
    [[nodiscard]] mailbox& mail() const noexcept { return mail_.mail(); }

    /// Adds a number to an item. Throws: as `assign`.
    void increment(std::int64_t index, T by = T{1}) const requires detail::counts_up<T> {
        array_visitor<T, T>(mail_.engine(), *part_, add_)(index, by);
    }
    /// Adds `by[i]` to the item at `indices[i]`, for all i. Throws: as `assign`.
    void increment(
        std::span<std::int64_t const> indices, std::span<T const> by) const requires detail::counts_up<T> {
        array_visitor<T, T>(mail_.engine(), *part_, add_)(indices, by);
    }
    /// Assigns to an item. If several ranks assign to the same item, the item keeps one of their values,
    /// which may be any of them. Throws: `usage_error` for an index that the array does not have.
    void assign(std::int64_t index, detail::argument_of<T> value) const {
        array_visitor<T, T>(mail_.engine(), *part_, assign_)(index, value);
    }
    /// Assigns `values[i]` to the item `indices[i]`, for all i. Throws: `usage_error` also if the lists have
    /// different lengths.
    void assign(std::span<std::int64_t const> indices, std::span<T const> values) const {
        array_visitor<T, T>(mail_.engine(), *part_, assign_)(indices, values);
    }

    /// Makes a visitor: `visit(index, arguments...)` calls `handler(T&, A const&...)`, or
    /// `handler(std::int64_t, T&, A const&...)` with the index, on the rank of the item. Collective: no, but
    /// all ranks make the same visitors in the same order.
    template <wire_type... A, class H>
    requires detail::visits<H, T, A...> || detail::visits_with_key<H, std::int64_t, T, A...>
    [[nodiscard]] array_visitor<T, A...> visitor(H handler) {
        return made<detail::container_call::visit, A...>(
            [handler = std::move(handler)](part_type& part, int, std::size_t place, std::int64_t index,
                detail::view_of<A>&... arguments) mutable {
                detail::call_visitor<A...>(handler, std::as_const(index), part.values[place], arguments...);
            });
    }
    /// Makes a reducer: `add(index, value)` combines the value with the item by `op(T, T)`, once for each
    /// call. Order: values of one rank are combined in the order of its calls; values of different ranks have
    /// no order. Collective: no, but all ranks make the same reducers in the same order.
    template <class Op>
    requires std::is_invocable_r_v<T, Op&, T, T>
    [[nodiscard]] array_visitor<T, T> reducer(Op op) {
        return made<detail::container_call::reduce, T>(
            [op = std::move(op)](
                part_type& part, int, std::size_t place, std::int64_t, detail::view_of<T>& value) mutable {
                part.values[place] = op(std::move(part.values[place]), T(std::move(value)));
            });
    }

    /// Returns the number of items of all ranks. Local.
    [[nodiscard]] std::int64_t size() const noexcept { return part_->size; }
    /// Returns the rank that owns the item at an index of the array. Local.
    [[nodiscard]] int owner(std::int64_t index) const noexcept { return part_->shares.part_of(index); }
    /// Returns the items of this rank, the first of which has the index `first()`. Local; messages in flight
    /// may still change the items.
    [[nodiscard]] std::span<T> local() const noexcept requires(!std::same_as<T, bool>) {
        return part_->values;
    }
    /// Returns the index of the first item of this rank. Local.
    [[nodiscard]] std::int64_t first() const noexcept { return part_->first; }

    /// Returns the values of the items at the given indices, in the order of the indices. Collective: yes.
    /// Blocks: until all ranks have their answers. Cost: two messages per item, collected in buffers. Throws:
    /// `usage_error` on all ranks for an index that the array does not have; also all that `mailbox::drain`
    /// throws.
    [[nodiscard]] std::vector<T> collect(std::span<std::int64_t const> indices) const {
        std::vector<T> answers;
        struct waiting {
            ~waiting() { awaited.to = nullptr; }
            answers_type& awaited;
        } const here{*awaited_};
        mail_.phase("array::collect", [&] {
            answers.resize(indices.size());
            awaited_->to = &answers;
            array_visitor<T, std::int64_t> const ask(mail_.engine(), *part_, ask_);
            for (std::size_t i = 0; i < indices.size(); ++i) ask(indices[i], static_cast<std::int64_t>(i));
        });
        return answers;
    }

    /// Calls `body(std::int64_t, T&)` with the index and the value of each item, on its rank, in the order of
    /// indices. `body` may send messages, and use containers including this array. Collective: yes. Blocks:
    /// until all ranks have called `body` for their items and the mailbox is drained. Cost: two drains.
    /// Throws: errors of `body`, on all ranks; also all that `mailbox::drain` throws.
    template <class Body>
    requires std::invocable<Body&, std::int64_t, T&>
    void for_all(Body&& body) const {
        mail_.phase("array::for_all", [&] {
            std::int64_t index = part_->first;
            for (T& each : part_->values) body(index++, each);
        });
    }
    /// Returns all items on all ranks. Collective: yes. Blocks: until all ranks have called. Cost: as
    /// `all_gatherv`. Throws: all that `mailbox::drain` throws; `std::bad_alloc` and errors of copying, on
    /// all ranks.
    [[nodiscard]] std::vector<T> gather() const {
        mail_.mail().drain();
        gate call(comm(), "array::gather");
        std::vector<T> mine;
        agreed(call, [&] { mine = part_->values; });
        return all_gatherv(comm(), std::move(mine));
    }
    /// Returns on all ranks the first `k` items in the order `before(T const&, T const&)`, as pairs of index
    /// and item. `before` must be the same on all ranks; by default the greatest item comes first. Among
    /// equal items, those with the smallest indices come first. Collective, Throws: as `gather`. Blocks,
    /// Cost: as `map::gather_top_k`.
    template <class Before = detail::greater_first>
    requires std::predicate<Before&, T const&, T const&>
    [[nodiscard]] std::vector<std::pair<std::int64_t, T>> gather_top_k(
        std::int64_t k, Before before = {}) const {
        using item = std::pair<std::int64_t, T>;
        mail_.mail().drain();
        auto comes_first = [&](item const& a, item const& b) {
            return before(a.second, b.second) || (!before(b.second, a.second) && a.first < b.first);
        };
        return detail::gather_first<item>(comm(), "array::gather_top_k", k, comes_first, [&](auto&& use) {
            std::int64_t index = part_->first;
            for (T const& each : part_->values) use(item(index++, each));
        });
    }
    /// Returns the combination of all items by `op(T, T)`, on all ranks; no value if the array is empty.
    /// Order: values are combined in the order of the items; the pairs that are combined first depend on the
    /// number of ranks. Collective, Blocks, Cost, Throws: as `for_all`.
    template <class Op>
    requires std::is_invocable_r_v<T, Op&, T, T>
    [[nodiscard]] std::optional<T> all_reduce(Op op) const {
        mail_.mail().drain();
        gate call(comm(), "array::all_reduce");
        std::optional<T> mine;
        agreed(call, [&] {
            for (T const& each : part_->values) mine = mine ? op(std::move(*mine), each) : each;
        });
        return weft::all_reduce(comm(), std::move(mine), [&](std::optional<T> a, std::optional<T> b) {
            if (!a || !b) return a ? a : b;
            return std::optional<T>(op(std::move(*a), std::move(*b)));
        });
    }

    /// Changes the size: items keep their index, new items are `initial`. Collective: yes. Blocks: until the
    /// mailbox is drained. Cost: a message for each item that changes its rank. Throws: `usage_error` if a
    /// size is negative or sizes differ between ranks; `std::bad_alloc`, on all ranks, after which the array
    /// is unchanged.
    void resize(std::int64_t size, T const& initial = T{}) {
        mail_.mail().drain();
        gate call(comm(), "array::resize");
        call.same("size", size);
        part_type old;
        agreed(call, [&] {
            if (size < 0) throw usage_error("array::resize: the size is " + std::to_string(size));
            old.resize(size, comm().rank(), comm().size(), initial);
        });
        old.swap(*part_);
        mail_.phase("array::resize", [&] {
            std::int64_t index = old.first;
            for (T const& each : old.values) {
                if (index >= size) break;
                assign(index++, each);
            }
        });
    }
    /// Sorts the items in the order `before(T const&, T const&)`, which must be the same on all ranks. Equal
    /// items keep their order. Collective: yes. Blocks: until all ranks have called. Cost: a sort of this
    /// rank's items, a gather of 32 samples per rank, and two exchanges. Throws: errors of `before`, on all
    /// ranks, after which the array is unchanged; all that `mailbox::drain` throws; `std::bad_alloc` and
    /// errors of copying, on all ranks.
    template <class Before = detail::less_first>
    requires std::predicate<Before&, T const&, T const&>
    void sort(Before before = {}) const {
        mail_.mail().drain();
        gate call(comm(), "array::sort");
        std::vector<T> mine;
        agreed(call, [&] { mine = part_->values; });
        part_->values = detail::sorted_share(call, std::move(mine), before);
    }
    /// Writes all items to a file, which appears when it is complete. Any number of ranks can load the file.
    /// Collective: yes. Blocks: until all ranks have written. Cost: a drain, two passes over this rank's
    /// items, and 256 KiB of memory. Throws: `io_error` on all ranks if the file cannot be written; errors of
    /// the hooks of T, on all ranks; also all that `mailbox::drain` throws.
    void save(std::string const& file) const {
        mail_.mail().drain();
        gate call(comm(), "array::save");
        detail::save_records<T>(call, file, "array", [&](auto&& put) {
            for (T const& each : part_->values) put(each);
        });
    }
    /// Replaces all items by the items of a file that `save` has written, and takes the size of the array
    /// from the file; the number of ranks may be different from that at `save`. Collective: yes. Blocks:
    /// until the mailbox is drained. Cost: the file is read twice, once to check it; an exchange of the
    /// items. Throws: `io_error` on all ranks for a damaged file, and for a file that was not saved from an
    /// array of T; the array is then unchanged; also all that `mailbox::drain` throws.
    void load(std::string const& file) {
        mail_.mail().drain();
        gate call(comm(), "array::load");
        std::vector<T> mine = detail::load_items<T>(call, file, "array");
        part_->size = sum(comm(), std::ssize(mine));
        part_->shares = detail::even_shares(part_->size, comm().size());
        part_->first = part_->shares.begin(comm().rank());
        part_->values.swap(mine);
    }
    /// Swaps two arrays, together with all messages on their way to either of the two. Local; all ranks make
    /// the call.
    friend void swap(array& a, array& b) noexcept {
        std::swap(a.mail_, b.mail_);
        std::swap(a.part_, b.part_);
        std::swap(a.awaited_, b.awaited_);
        std::swap(a.assign_, b.assign_);
        std::swap(a.add_, b.add_);
        std::swap(a.ask_, b.ask_);
    }

private:
    using part_type = detail::array_part<T>;
    using answers_type = detail::awaited_answers<T>;

    [[nodiscard]] communicator const& comm() const noexcept { return mail_.comm(); }

    template <detail::container_call Call, class... A, class Apply>
    [[nodiscard]] array_visitor<T, A...> made(Apply apply) {
        int const channel = mail_.template make<Call, std::int64_t, A...>(part_, std::move(apply));
        return {mail_.engine(), *part_, channel};
    }
    void make_channels() {
        assign_ = mail_.template make<detail::container_call::assign, std::int64_t, T>(
            part_, [](part_type& part, int, std::size_t place, std::int64_t, detail::view_of<T>& value) {
                part.values[place] = T(std::move(value));
            });
        if constexpr (detail::counts_up<T>)
            add_ = mail_.template make<detail::container_call::reduce, std::int64_t, T>(
                part_, [](part_type& part, int, std::size_t place, std::int64_t, T by) {
                    part.values[place] = static_cast<T>(part.values[place] + by);
                });
        int const answer = mail_.template make<detail::container_call::answer, std::int64_t, T>(awaited_,
            [](answers_type& awaited, int, std::int64_t place, std::int64_t, detail::view_of<T>& value) {
                if (awaited.to != nullptr)
                    (*awaited.to)[static_cast<std::size_t>(place)] = T(std::move(value));
            });
        ask_ = mail_.template make<detail::container_call::ask, std::int64_t, std::int64_t>(
            part_, [engine = &mail_.engine(), answer](
                       part_type& part, int source, std::size_t place, std::int64_t, std::int64_t to) {
                detail::send_record<std::int64_t, T>(*engine, source, answer, to, part.values[place]);
            });
    }

    detail::container_mail mail_;
    detail::shared<part_type> part_;
    detail::shared<answers_type> awaited_;
    int assign_ = 0;
    int add_ = 0;
    int ask_ = 0;
};

} // namespace weft
