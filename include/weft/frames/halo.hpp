/// Halo exchange: repeatedly fetches the values of ids that other ranks own.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/contiguous.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/detail/frames/halo_pattern.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/wire/wire.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// Fetches the values of a rank's ghosts, which are ids that other ranks own. The constructor determines the
/// pattern of messages once; each run (`start` to `finish`) then sends one message per neighbour, by
/// persistent requests.
///
/// `values()` is one array: a value for each id of this rank, then a value for each ghost. The caller writes
/// the values of its own ids and calls `start`; after `finish` the values of the ghosts are complete. Between
/// `start` and `finish` the caller may read the values of its own ids. For ids in any order or with
/// repetitions use `block_to_part`.
template <bare_type T>
class halo {
public:
    /// Plans the messages. The ghosts are distinct, ascending, and not ids of this rank; `owners` may also be
    /// a `uniform_distribution`. `owners` and `ghosts` are not needed after the call.
    ///
    /// Collective: yes, over `comm`; the distribution is the same on all ranks. Blocks: until all ranks have
    /// called. Cost: one exchange, six small all-reduces, one message to each owner of ghosts, with 4 bytes
    /// per ghost. Throws: `usage_error` on all ranks, whose text names rank and position, for a ghost that is
    /// outside of the blocks, out of order, or an id of the rank that lists it; if the distribution does not
    /// have one block per rank, or differs between ranks; for a block of 2^32 ids or more; `mpi_error`.
    halo(communicator const& comm, block_distribution const& owners, std::span<global_id const> ghosts)
        : pattern_(comm, owners, ghosts), run_(bind()) {}

    /// Returns this rank's own values, then the values of its ghosts.
    [[nodiscard]] std::span<T> values() noexcept { return values_; }
    /// Returns this rank's own values, then the values of its ghosts, for reading.
    [[nodiscard]] std::span<T const> values() const noexcept { return values_; }
    /// Returns this rank's own values, the first part of `values()`.
    [[nodiscard]] std::span<T> own() noexcept { return values().first(pattern_.own()); }
    /// Returns the values of the ghosts, in the order in which the ghosts were passed.
    [[nodiscard]] std::span<T const> ghosts() const noexcept { return values().subspan(pattern_.own()); }

    /// Returns the number of ranks that own ghosts of this rank; in a run, this rank receives one message
    /// from each of them.
    [[nodiscard]] int neighbors() const noexcept {
        return static_cast<int>(pattern_.plan().destinations().size());
    }

    /// Sends own values to the ranks that need them. Collective: yes, over neighbours. Does not block. Cost:
    /// one message per neighbour. Throws: `usage_error` if the last run is not finished, `mpi_error`.
    void start() {
        auto const wanted = pattern_.wanted();
        for (std::size_t i = 0; i < wanted.size(); ++i) outgoing_[i] = values_[wanted[i]];
        run_.start();
    }
    /// Starts a run without values because of the error `why`: `finish` throws this error on this rank and on
    /// the ranks that need values of this rank.
    void refuse(std::exception_ptr why) { run_.refuse(std::move(why)); }
    /// Waits for the ghosts. Blocks: until the values of the ghosts have arrived. Throws: the error that a
    /// rank has passed to `refuse`; `mpi_error`.
    void finish() { run_.wait(); }

    /// Sends values of ghosts back to the owners of the ids. Each owner combines the values that arrive with
    /// its own values. The type of the values may differ from T. Do not call `add_to_owners` between `start`
    /// and `finish`. Collective: yes, over neighbours, with the same type. Blocks: until the values of the
    /// neighbours have arrived. Cost: one message per neighbour. Order: `combine` takes the own value as its
    /// first argument; values of other ranks follow by ascending rank. Throws: `usage_error` for a wrong
    /// number of values. If the number of ghost values is wrong, the ranks that own the ghosts throw
    /// `usage_error` too, and their values stay unchanged. If this rank lacks memory, it throws
    /// `std::bad_alloc`, and the ranks that own its ghosts throw `remote_error`. Also throws errors of
    /// `combine`, on this rank only, after all values have arrived; `mpi_error`.
    template <class Ghosts, class Own, class Combine = add_values>
    requires contiguous_items<Ghosts const&> && contiguous_room<Own&&> && bare_type<item_in<Own&&>> &&
        std::same_as<item_in<Ghosts const&>, item_in<Own&&>>
    void add_to_owners(Ghosts const& of_ghosts, Own&& own, Combine const& combine = {}) const {
        using value = item_in<Own&&>;
        auto const wanted = pattern_.wanted();
        std::span<value> const mine(own);
        std::vector<value> received;
        if (std::exception_ptr failure = detail::failure_in([&] { received.resize(wanted.size()); }))
            pattern_.plan().refuse(std::move(failure));
        pattern_.plan().exchange(std::span<value const>(of_ghosts), std::span(received));
        pattern_.check_own(mine.size()); // behind the run, which neighbours wait for
        for (std::size_t i = 0; i < wanted.size(); ++i)
            mine[wanted[i]] = combine(std::as_const(mine[wanted[i]]), received[i]);
    }

private:
    [[nodiscard]] planned_exchange bind() {
        gate call(pattern_.plan().comm(), "halo");
        agreed(call, [&] {
            outgoing_.resize(pattern_.wanted().size());
            values_.resize(pattern_.own() + pattern_.ghosts());
        });
        return pattern_.plan().inverse().bind(
            std::span<T const>(outgoing_), std::span(values_).subspan(pattern_.own()));
    }

    detail::halo_pattern pattern_;
    std::vector<T> outgoing_; // of own ids that are ghosts elsewhere
    std::vector<T> values_;
    planned_exchange run_;
};

} // namespace weft
