/// The source of all choices of a run under the adversary.
#pragma once

#include "choice_tree.hpp"
#include "run_trace.hpp"

#include <cstdint>

namespace weft_test {

/// Choices are random by a seed, or enumerated: then they come from a `choice_tree`, and where this returns
/// nothing they are random, but the same in all runs, so that a run ends with probability one after any
/// choices. The network and the order of ranks share one chooser: equal seeds, or equal sequences of the
/// tree, give equal runs.
class chooser {
public:
    explicit chooser(std::uint64_t seed, choice_tree* tree = nullptr, run_trace* trace = nullptr)
        : seed_(seed), state_(mixed(seed)), tree_(tree), trace_(trace) {}
    chooser(chooser const&) = delete;
    chooser& operator=(chooser const&) = delete;

    /// For decisions that are not the adversary's: the number of ranks, and their actions.
    [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
    [[nodiscard]] bool enumerates() const noexcept { return tree_ != nullptr; }

    /// Returns one of 0, ..., alternatives - 1. `what` describes the choice in the trace.
    [[nodiscard]] std::size_t pick(char const* what, std::size_t alternatives) {
        if (alternatives < 2) return 0;
        auto const planned = tree_ != nullptr ? tree_->next(alternatives) : std::nullopt;
        std::size_t const taken = planned ? *planned : ((word() >> 32) * alternatives) >> 32;
        tell([&] {
            return std::string("choice: ") + what + ": " + std::to_string(taken) + " of " +
                   std::to_string(alternatives);
        });
        return taken;
    }

    /// Returns true with this probability; when enumerated, each result once.
    [[nodiscard]] bool happens(char const* what, double chance) {
        if (chance <= 0) return false;
        auto const planned = tree_ != nullptr ? tree_->next(2) : std::nullopt;
        bool const taken = planned ? *planned != 0 : static_cast<double>(word() >> 11) * 0x1p-53 < chance;
        if (taken) tell([&] { return std::string("choice: ") + what; });
        return taken;
    }

    /// Adds the line `text()` to the trace, if there is one.
    template <class Text>
    void tell(Text&& text) {
        if (trace_ != nullptr) trace_->line(text());
    }

private:
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    /// splitmix64: unlike the generators of the standard library, it needs no costly seeding.
    std::uint64_t word() { return mixed(state_ += 0x9E3779B97F4A7C15ull); }

    std::uint64_t seed_;
    std::uint64_t state_; // seeds of successive runs differ by the step of the state
    choice_tree* tree_;
    run_trace* trace_;
};

} // namespace weft_test
