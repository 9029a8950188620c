/// Epochs: the tags of an operation, chosen so that messages of two operations cannot be confused (law 1).
#pragma once

#include <cstdint>
#include <vector>

namespace weft {

class communicator;

/// Numbers epochs in the order of the collective calls, and gives each a place in a window of `window` sets
/// of tags. Local, without communication.
///
/// A place can be used again because of the following: at most window/2 epochs are open at once on a rank,
/// and no epoch begins while one that is window/2 or more older is still open there. A rank that begins epoch
/// e + window has therefore completed some epoch c >= e + window/2; an operation completes only after every
/// rank has begun it; and a rank could begin c only after it had closed e. Therefore no rank receives
/// messages of e any more when the first message of e + window is sent. With window = 2 this is the rule of
/// two tags by parity.
class epoch_ledger {
public:
    /// Makes a ledger of `window` places, without an open epoch.
    explicit epoch_ledger(int window) : window_(window), closed_(static_cast<std::size_t>(window)) {}

    /// Opens the next epoch. Throws `usage_error` if this would break the rule above.
    std::int64_t open();
    /// Closes an open epoch.
    void close(std::int64_t epoch) noexcept;
    /// Returns true if `open` would throw.
    [[nodiscard]] bool full() const noexcept { return next_ - oldest_ >= window_ / 2; }

    /// Returns the number of open epochs.
    [[nodiscard]] int open_count() const noexcept { return open_count_; }
    /// Returns the place of an epoch in the window.
    [[nodiscard]] int place_of(std::int64_t epoch) const noexcept {
        return static_cast<int>(epoch % window_);
    }

private:
    int window_;
    int open_count_ = 0;
    std::int64_t oldest_ = 0;  // that is open; next_ if none is
    std::int64_t next_ = 0;    // to be opened
    std::vector<bool> closed_; // by place, of the epochs oldest_..next_-1
};

/// Tags of one open epoch.
struct epoch_tags {
    int data = 0;    ///< the messages of the application, or their headers
    int control = 0; ///< census and error texts
    int bulk = 0;    ///< payloads that a header has announced
    int local = 0;   ///< between the ranks of one node, on the way to other nodes
    static constexpr int count = 4;
};

/// Tags of long-lived operations, such as plans: they take no place in the window, which could not advance
/// while they are open. MPI guarantees tags up to 32767. Local, without communication: the ranks agree on a
/// tag by proposing until all propose the same.
class tag_pool {
public:
    /// The lowest tag of the pool: the window ends below 16384, and meetings use the two tags from there on.
    static constexpr int first = 16386;
    static constexpr int last = 32767; ///< The highest tag of the pool.

    /// Returns the first of `count` consecutive tags that are free on this rank, the lowest from `from` on;
    /// or -1.
    [[nodiscard]] int propose(int from, int count = 1) const noexcept;
    /// Takes a tag that is free.
    void take(int tag);
    /// Makes a tag free again.
    void give_back(int tag) noexcept;

private:
    std::vector<bool> taken_; // by tag - first
};

/// An open epoch, which closes itself. Move-only.
class epoch_lease {
public:
    /// Opens an epoch of a ledger, which must outlive it.
    epoch_lease(epoch_ledger& ledger)
        : ledger_(&ledger), epoch_(ledger.open()), place_(ledger.place_of(epoch_)) {}
    epoch_lease(epoch_lease&& other) noexcept
        : ledger_(other.ledger_), epoch_(other.epoch_), place_(other.place_) {
        other.ledger_ = nullptr;
    }
    epoch_lease& operator=(epoch_lease&&) = delete;
    epoch_lease(epoch_lease const&) = delete;
    epoch_lease& operator=(epoch_lease const&) = delete;
    ~epoch_lease() {
        if (ledger_ != nullptr) ledger_->close(epoch_);
    }

    /// Returns the number of operations of this communicator that began before this one.
    [[nodiscard]] std::int64_t epoch() const noexcept { return epoch_; }
    /// Returns the place in the window, 0..window-1: an index for other resources of which each operation
    /// needs one.
    [[nodiscard]] int place() const noexcept { return place_; }
    /// Returns the tags of the epoch.
    [[nodiscard]] epoch_tags tags() const noexcept {
        return {4 * place_, 4 * place_ + 1, 4 * place_ + 2, 4 * place_ + 3};
    }

private:
    epoch_ledger* ledger_;
    std::int64_t epoch_;
    int place_;
};

/// Begins a collective operation: its place in their order and its tags. Local, but all ranks must begin the
/// operations of one communicator in the same order. Throws: `usage_error` when too many are open: half of
/// the epoch window, or one where the census is MPI's collective.
[[nodiscard]] epoch_lease begin_epoch(communicator const& comm);
/// Returns true if `begin_epoch` would throw. Local.
[[nodiscard]] bool epochs_are_full(communicator const& comm) noexcept;
/// Returns the tags of long-lived operations in use on this rank. Local.
[[nodiscard]] tag_pool& long_tags(communicator const& comm) noexcept;

} // namespace weft
