/// The activity of a root as the page of its rank shows it. Private.
#pragma once

#include "told_operations.hpp"

#include <core/rank_page.hpp>

#include <weft/extend/observe/activity.hpp>

#include <cstdint>
#include <string>

namespace weft {

/// The result of `activity_of`. Its lane lies in the page of the process; without a page, or in a simulated
/// rank, it has no lane and writes nothing.
class shown_activity final : public activity {
public:
    shown_activity() noexcept;
    ~shown_activity();
    shown_activity(shown_activity const&) = delete;
    shown_activity& operator=(shown_activity const&) = delete;

    /// Begins an operation inside of the current one; `enter` must follow. Returns the argument of
    /// `end`. The outermost operation is the user's verb, also of a call that consists of several
    /// operations.
    [[nodiscard]] char const* begin(char const* operation) noexcept {
        if (lane_ == nullptr) return nullptr;
        std::uint64_t const operations = lane_->operations;
        if (!is_open(operations)) {
            char const* const verb = current() == user_code_ ? operation : current();
            if (lane_->outer_address != verb) put(lane_->outer_address, verb);
            if (verb != operation) put(lane_->inner_address, operation);
            put(lane_->operations, operations + activity_lane::one_begun + 1);
            return nullptr;
        }
        char const* const before = lane_->inner_address;
        put(lane_->inner_address, operation);
        put(lane_->operations, operations + 1);
        return before;
    }
    /// Ends the operation; `before` is the result of `begin`.
    void end(char const* before) noexcept {
        if (lane_ == nullptr) return;
        put(lane_->operations, lane_->operations - 1);
        if (lane_->inner_address != before) put(lane_->inner_address, before);
        end_wait();
    }
    /// Returns the current operation; null in user code.
    [[nodiscard]] char const* around() const noexcept {
        return current() == user_code_ ? nullptr : current();
    }
    /// Marks the operation as waiting, until it makes progress or ends.
    void begin_wait() noexcept;
    void end_wait() noexcept {
        if (lane_ != nullptr && lane_->wait_since != 0) put(lane_->wait_since, std::int64_t{0});
    }
    /// Adds the numbers of values that channels of mailboxes have sent and handled since the last call.
    void add_items(std::uint64_t sent, std::uint64_t handled) noexcept;
    /// Returns true if a process reads the page and asks what this rank waits for.
    [[nodiscard]] bool asked() const noexcept {
        return page_ != nullptr && __atomic_load_n(&page_->wanted, __ATOMIC_RELAXED) != 0;
    }
    void tell_wait(std::string const& what) noexcept;

private:
    /// Stores a value that others may read meanwhile. There is one writer, so no read-modify-write is needed.
    template <class T>
    static void put(T& to, T value) noexcept {
        __atomic_store_n(&to, value, __ATOMIC_RELAXED);
    }
    activity_lane* lane_ = nullptr;
    rank_page* page_ = nullptr;
    char const* user_code_ = current(); // no other operation has this address
};

/// Notes for all lanes of a page the open operation, how the time since the last sample was spent, and the
/// time of the last change. A thread of the process calls it periodically, so that operations need not read a
/// clock.
void sample_lanes(rank_page& page) noexcept;

/// Returns the activity of an operation's communicator.
[[nodiscard]] inline shown_activity& shown(activity& of_communicator) noexcept {
    return static_cast<shown_activity&>(of_communicator);
}

/// Shows an operation during a scope, and notifies listeners. Constructed before the `operation_scope`, so
/// that the activity is still that of the caller.
class shown_operation {
public:
    shown_operation(activity& here, char const* operation) noexcept
        : here_(shown(here)),
          operation_(operation),
          before_(here_.begin(operation)),
          told_(__atomic_load_n(&operations_are_told, __ATOMIC_RELAXED) != 0 && tell_begin(event())) {}
    ~shown_operation() {
        if (told_) tell_end(event());
        here_.end(before_);
    }
    shown_operation(shown_operation const&) = delete;
    shown_operation& operator=(shown_operation const&) = delete;

private:
    [[nodiscard]] operation_event event() const noexcept { return {operation_, here_.around()}; }

    shown_activity& here_;
    char const* operation_;
    char const* before_;
    bool told_;
};

} // namespace weft
