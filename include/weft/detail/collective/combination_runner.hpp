/// Combinations of a reduction that run beside its messages.
#pragma once

#include <weft/detail/collective/merged_values.hpp>

#include <cstddef>
#include <exception>
#include <optional>

namespace weft::detail {

/// Runs combinations that do not depend on each other, in any order, at any time, on any thread. An engine
/// begins them and asks for those that have ended; the tree that they make is the engine's.
class combination_runner {
public:
    /// A combination that has ended, by the number that it began with.
    struct outcome {
        std::size_t number = 0;
        std::exception_ptr thrown = {};
    };

    combination_runner() = default;
    combination_runner(combination_runner const&) = delete;
    combination_runner& operator=(combination_runner const&) = delete;
    /// Combinations that have not begun never do; waits for the others.
    virtual ~combination_runner() = default;

    virtual void begin(std::size_t number, owned<combination> pair) = 0;
    /// One that has ended; each once. `idle`: there is nothing else to do, so one may run now, in here.
    [[nodiscard]] virtual std::optional<outcome> next(bool idle) = 0;
};

} // namespace weft::detail
