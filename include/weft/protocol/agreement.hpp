/// Errors of one rank that all ranks throw.
#pragma once

#include <weft/core/error.hpp>
#include <weft/extend/protocol/census.hpp>

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

/// Indices of the maxima of a `census_value`, the values of a small all-reduce, that `agreement` and the
/// sparse exchange use; callers may use all other indices.
namespace census_slot {
inline constexpr std::size_t failed = 0;        ///< P minus the lowest rank that failed
inline constexpr std::size_t largest_print = 1; ///< the largest fingerprint of the item type, see `item_type`
inline constexpr std::size_t least_print = 2;   ///< the complement of the least fingerprint of the item type
inline constexpr std::size_t load_messages = 3; ///< classes of `exchange_load`
inline constexpr std::size_t load_bytes = 4;
/// the first maximum that callers may use; all sums and flags are free, too
inline constexpr std::size_t first_free = 5;
} // namespace census_slot

/// A small all-reduce (`census`) whose result also names the lowest rank that failed, and the error of this
/// rank. If ranks failed, the error of the lowest of them is sent to all ranks along a binomial tree. If no
/// rank failed, no further messages are sent.
class agreement final : public engine {
public:
    /// Makes an agreement whose messages have the tag `control_tag`.
    agreement(transport& via, int control_tag, all_reduce_method method);
    /// Leaves the memory of messages under way to MPI.
    ~agreement() override {
        if (failed_rank_ >= 0) [[unlikely]]
            leave_notice();
    }

    /// Contributes a `census_value` and, if this rank failed, its exception. Call it once.
    void enter(census_value const& value, std::exception_ptr thrown) {
        contribution() = value;
        prepare(std::move(thrown));
        enter_prepared();
    }
    /// Returns the contribution to fill in; `prepare` and `enter_prepared` then do the same as `enter`.
    [[nodiscard]] census_value& contribution() noexcept { return census_.contribution(); }
    void prepare(std::exception_ptr thrown); ///< Takes the exception of this rank, and prepares to enter.
    /// Enters the prepared contribution.
    void enter_prepared() {
        entered_ = true;
        census_.enter_prepared();
    }
    /// Enters without a `census`: all ranks already know the lowest rank that failed, or -1 if no rank did.
    /// `where` precedes the text of the error on other ranks.
    void enter_known(int lowest_failed, std::exception_ptr thrown, std::string where = {});

    /// Returns true once this rank has entered.
    [[nodiscard]] bool entered() const noexcept { return entered_; }
    [[nodiscard]] progress step() override;
    /// Releases open requests, as `census::let_go`.
    [[nodiscard]] bool let_go();
    void describe_wait(std::string& into) const override;

    /// Returns the combined `census_value`. Only after done.
    [[nodiscard]] census_value const& result() const noexcept { return census_.result(); }
    /// Throws the error of the lowest rank that failed, if any; on that rank the original exception. Only
    /// after done.
    void rethrow() const;
    /// Returns the text of the agreed error, as given by the lowest rank that failed; empty without an error.
    /// Only after done.
    [[nodiscard]] std::string_view text() const noexcept {
        return std::string_view(notice_.data(), notice_.size()).substr(notice_.empty() ? 0 : 1);
    }
    /// Returns the number of control messages that this rank has sent.
    [[nodiscard]] int messages() const noexcept {
        return census_.messages() + static_cast<int>(sent_.size());
    }

private:
    void begin_broadcast(int lowest_failed);
    void forward();
    void leave_notice() noexcept;

    transport& via_;
    int tag_;
    census census_;
    bool entered_ = false;
    bool census_done_ = false;
    std::exception_ptr thrown_;
    std::string where_;
    int failed_rank_ = -1;
    std::vector<char> notice_; // the error kind, one byte, and the text
    bool have_notice_ = false;
    bool receiving_ = false;
    request receive_ = {};
    std::vector<request> sent_;
};

/// Tells all ranks if a rank has failed. If a rank has failed, the lowest such rank rethrows its exception,
/// and the other ranks throw the same `usage_error` or `io_error`, or a `remote_error` that names the rank.
/// Collective: yes. Blocks: until all ranks have called. Cost: one small all-reduce. Throws: the exceptions
/// named here.
void agree(communicator const& comm, std::exception_ptr thrown);

/// Runs `body` on every rank and agrees on its exceptions: either all ranks continue, or all ranks throw.
/// Collective, Blocks, Cost, Throws: as `agree`.
template <class Body>
void agreed(communicator const& comm, Body&& body) {
    std::exception_ptr thrown;
    try {
        body();
    } catch (...) { thrown = std::current_exception(); }
    agree(comm, thrown);
}

} // namespace weft
