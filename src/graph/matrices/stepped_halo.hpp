/// Halo exchange for steps that read all values while they write the next ones. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/detail/frames/halo_pattern.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/wire/wire.hpp>

#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// As `halo`, with two arrays of values that `swap` exchanges: a step reads one and writes the other, in one
/// pass over memory.
template <bare_type T>
class stepped_halo {
public:
    /// As the constructor of `halo`.
    stepped_halo(
        communicator const& comm, block_distribution const& owners, std::span<global_id const> ghosts) try
        : pattern_(comm, owners, ghosts) {
        gate call(comm, "halo");
        agreed(call, [&] {
            outgoing_.resize(pattern_.wanted().size());
            for (std::vector<T>& values : values_) values.resize(pattern_.own() + pattern_.ghosts());
        });
        for (std::vector<T>& values : values_)
            runs_.push_back(pattern_.plan().inverse().bind(
                std::span<T const>(outgoing_), std::span(values).subspan(pattern_.own())));
    } catch (std::bad_alloc const&) {
        alone_unless_agreed("halo");
        throw;
    }
    stepped_halo(stepped_halo const&) = delete;
    stepped_halo& operator=(stepped_halo const&) = delete;

    [[nodiscard]] detail::halo_pattern const& pattern() const noexcept { return pattern_; }
    /// Own values, then those of ghosts.
    [[nodiscard]] std::span<T const> current() const noexcept { return values_[now_]; }
    /// Own values of the next step.
    [[nodiscard]] std::span<T> next() noexcept { return std::span(values_[1 - now_]).first(pattern_.own()); }

    /// As `halo::start`, with the current values.
    void start() {
        auto const wanted = pattern_.wanted();
        for (std::size_t i = 0; i < wanted.size(); ++i) outgoing_[i] = values_[now_][wanted[i]];
        runs_[now_].start();
    }
    /// As `halo::finish`.
    void finish() { runs_[now_].wait(); }
    /// Makes the next values the current ones; their ghosts are those of two steps ago until `finish`.
    void swap() noexcept { now_ = 1 - now_; }

private:
    detail::halo_pattern pattern_;
    std::vector<T> outgoing_; // of own ids that are ghosts elsewhere
    std::array<std::vector<T>, 2> values_;
    std::vector<planned_exchange> runs_; // into the ghosts of each
    std::size_t now_ = 0;
};

} // namespace weft
