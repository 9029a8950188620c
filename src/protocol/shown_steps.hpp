/// Reports the steps of the loop of a blocking call to the timeline, the stall listeners and the page of the
/// rank. Private.
#pragma once

#include <observe/shown_activity.hpp>

#include <weft/extend/protocol/engine.hpp>

#include <cstdint>
#include <string>

namespace weft {

/// Describes the wait of a rank, in phrases separated by "; ": that of `mine`, and other open operations.
[[nodiscard]] std::string wait_of(operation_context const& context, engine const* mine);

/// A `step_watch` that also shows waits in the page, at the same time as in the timeline.
class shown_steps {
public:
    explicit shown_steps(operation_context& context) noexcept
        : watch_(context), context_(context), here_(shown(context.here)) {}

    void got_on() noexcept {
        watch_.got_on();
        if (fruitless_ >= context_.polls_before_wait) here_.end_wait();
        fruitless_ = 0;
    }
    void got_nowhere(engine const* mine) {
        watch_.got_nowhere(mine);
        ++fruitless_;
        if (fruitless_ == context_.polls_before_wait) here_.begin_wait();
        if (fruitless_ % polls_between_looks == 0 && here_.asked()) here_.tell_wait(wait_of(context_, mine));
    }

private:
    static constexpr std::int64_t polls_between_looks = 64;

    step_watch watch_;
    operation_context& context_;
    shown_activity& here_;
    std::int64_t fruitless_ = 0;
};

} // namespace weft
