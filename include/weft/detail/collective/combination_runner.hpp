/// Combinations of a reduction that overlap with its messages.
#pragma once

#include <weft/detail/collective/merged_values.hpp>

#include <cstddef>
#include <exception>
#include <optional>

namespace weft::detail {

/// Runs combinations that do not depend on each other, in any order, at any time, on any thread. An engine
/// starts them and polls for completed ones; the engine alone knows the tree.
class combination_runner {
public:
    /// A completed combination, by the number that it was started with.
    struct outcome {
        std::size_t number = 0;
        std::exception_ptr thrown = {};
    };

    combination_runner() = default;
    combination_runner(combination_runner const&) = delete;
    combination_runner& operator=(combination_runner const&) = delete;
    /// Cancels the combinations that have not begun, and waits for the others.
    virtual ~combination_runner() = default;

    virtual void begin(std::size_t number, owned<combination> pair) = 0;
    /// Returns a completed combination, each once. `idle`: the caller has no other work, so one may run
    /// inside of this call.
    [[nodiscard]] virtual std::optional<outcome> next(bool idle) = 0;
};

} // namespace weft::detail
