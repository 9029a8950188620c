/// A pattern of messages that is determined once and run many times.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/contiguous.hpp>
#include <weft/detail/core/owned.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/wire/wire.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>

namespace weft {

struct plan_way; // src/exchange

/// The transfers of a plan between two fixed places in memory. The transfers are prepared once. After that
/// the transfers can be begun and completed many times, without allocating memory and without looking up
/// again which item goes to which rank. The object can be moved, not copied; the memory must outlive it. The
/// object may be destroyed only between runs: a run that has begun on all ranks must be completed first.
class planned_exchange {
public:
    /// Begins a run. Until the run is complete, do not change the outgoing items and do not read the incoming
    /// items. Collective: yes, over the ranks that are neighbours in the plan, in the same order on all of
    /// them. Blocks: no. Cost: a message to each rank that this rank sends to. Throws: `usage_error` while a
    /// run is under way, `mpi_error`.
    void start();
    /// Begins a run on a rank that has no items to send because of the error `why`; the run also fails on the
    /// neighbours of this rank. No item in memory is changed. All else is the same as for `start`.
    void refuse(std::exception_ptr why);
    /// Makes progress and returns true if the run is complete on this rank, or before the first run. Local.
    /// Throws: as `wait`, once the run is complete.
    [[nodiscard]] bool test();
    /// Completes the run. Blocks: until all messages to this rank are here and outgoing items may be changed;
    /// if the run fails on this rank, until its destinations know of the error. Throws: as
    /// `exchange_plan::exchange`.
    void wait();

    class transfers; // src/exchange

private:
    friend class exchange_plan;
    explicit planned_exchange(detail::owned<transfers> run) noexcept : run_(std::move(run)) {}

    detail::owned<transfers> run_; // null after a move
};

/// A fixed pattern of exchange: the destinations and the numbers of items of each rank. Outgoing items are in
/// one array, by destination, in the order in which destinations were given; incoming items are in another
/// array, by source, ascending. Copies share the pattern.
///
/// All neighbours begin the runs of a plan and of its inverse in the same order, one run at a time; different
/// plans may run in any order and at the same time. A run is collective over neighbours only: a rank without
/// neighbours returns immediately. Memory: O(neighbours), never O(P). Source: the inspector-executor scheme,
/// Saltz and others 1991; patterns found by a sparse exchange.
class exchange_plan {
public:
    /// Makes a plan in which `counts[i]` items go to rank `destinations[i]`, and finds the sources. A count
    /// may be 0. Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: one exchange and
    /// four small all-reduces. Throws: on all ranks `usage_error` if a destination is invalid or occurs
    /// twice, a count is negative, the counts of a rank add up to more than 2^44, or the two spans differ in
    /// length; `mpi_error`.
    exchange_plan(communicator comm, std::span<int const> destinations, std::span<std::int64_t const> counts);

    [[nodiscard]] communicator const& comm() const noexcept; ///< Returns the communicator of the plan.
    /// Returns the destinations of this rank, in the order in which they were given.
    [[nodiscard]] std::span<int const> destinations() const noexcept;
    /// Returns the index at which the items for each destination begin; the last entry is the number of
    /// items.
    [[nodiscard]] std::span<std::int64_t const> outgoing_offsets() const noexcept;
    /// Returns the ranks that send to this rank, ascending.
    [[nodiscard]] std::span<int const> sources() const noexcept;
    /// Returns the index at which the items of each source begin; the last entry is the number of items.
    [[nodiscard]] std::span<std::int64_t const> incoming_offsets() const noexcept;
    /// Returns the number of items that this rank sends in one exchange.
    [[nodiscard]] std::int64_t outgoing_items() const noexcept { return outgoing_offsets().back(); }
    /// Returns the number of items that this rank receives in one exchange.
    [[nodiscard]] std::int64_t incoming_items() const noexcept { return incoming_offsets().back(); }

    /// Returns the plan that brings items back to their senders: outgoing and incoming items change roles.
    /// Local, O(1). The inverse of the inverse is the plan itself.
    [[nodiscard]] exchange_plan inverse() const noexcept;

    /// Runs the plan once. `out` has `outgoing_items()` items, `in` room for `incoming_items()`; the two
    /// spans must not overlap. Collective: yes, over neighbours. Blocks: until all messages to this rank are
    /// here. Cost: one message per neighbour, no allocation, and no copy except of items that a rank sends to
    /// itself. Throws: `usage_error` on a rank where a span has a wrong length, and on its destinations;
    /// `mpi_error`. Ranks that only send to a rank with a wrong span complete the run, and the next run works
    /// again.
    template <bare_type T>
    void exchange(std::span<T const> out, std::span<T> in) const {
        run(std::as_bytes(out), std::as_writable_bytes(in), sizeof(T));
    }

    /// Does the same as the overload for spans, with vectors, arrays and other contiguous ranges.
    template <class Out, class In>
    requires contiguous_items<Out const&> && contiguous_room<In&&> && bare_type<item_in<In&&>> &&
        std::same_as<item_in<Out const&>, item_in<In&&>>
    void exchange(Out const& out, In&& in) const {
        using item = item_in<In&&>;
        exchange(std::span<item const>(out), std::span<item>(in));
    }

    /// Runs the plan once with items whose size is known at run time. All else is the same as for the
    /// template `exchange`.
    void exchange_bytes(
        std::span<std::byte const> out, std::span<std::byte> in, std::size_t item_bytes) const {
        run(out, in, item_bytes);
    }

    /// Takes part in a run without sending items, because of the error `why`, such as lack of memory; the run
    /// fails on the neighbours, and no rank waits for this rank. Collective, Blocks, Cost: as `exchange`.
    /// Throws: `why`; on the destinations of this rank, the same error if it is a `usage_error` or
    /// `io_error`, else a `remote_error`.
    [[noreturn]] void refuse(std::exception_ptr why) const;

    /// Prepares runs between two places in memory; all but small messages use persistent MPI requests. Local.
    /// If a span has a wrong length, each run throws `usage_error`, on the neighbours too.
    template <bare_type T>
    [[nodiscard]] planned_exchange bind(std::span<T const> out, std::span<T> in) const {
        return prepare(std::as_bytes(out), std::as_writable_bytes(in), sizeof(T));
    }

    /// Does the same as the overload for spans, with vectors, arrays and other contiguous ranges, which must
    /// outlive the runs.
    template <class Out, class In>
    requires contiguous_items<Out&&> && contiguous_room<In&&> && bare_type<item_in<In&&>> &&
        std::same_as<item_in<Out&&>, item_in<In&&>>
    [[nodiscard]] planned_exchange bind(Out&& out, In&& in) const {
        using item = item_in<In&&>;
        return bind(std::span<item const>(out), std::span<item>(in));
    }

    /// Prepares runs of items whose size is known at run time. All else is the same as for the template
    /// `bind`.
    [[nodiscard]] planned_exchange bind_bytes(
        std::span<std::byte const> out, std::span<std::byte> in, std::size_t item_bytes) const {
        return prepare(out, in, item_bytes);
    }

private:
    struct pattern;

    exchange_plan(detail::shared<pattern> of, bool inverse) noexcept;
    [[nodiscard]] plan_way& way() const noexcept;
    void run(std::span<std::byte const> out, std::span<std::byte> in, std::size_t item_bytes) const;
    [[nodiscard]] planned_exchange prepare(
        std::span<std::byte const> out, std::span<std::byte> in, std::size_t item_bytes) const;

    detail::shared<pattern> shared_; // null only after a move
    bool inverse_ = false;
};

} // namespace weft
