/// The ways in which a simulated run departs from its usual order. Private.
#pragma once

#include <core/counter_random.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// One departure. Messages and turns of ranks are counted over the whole run, from 0: the run is the same
/// until then.
struct deviation {
    enum class kind : std::int32_t {
        holds,  ///< the message stays under way until nothing else can happen, or very many others are sent
        delays, ///< the message comes `amount` latencies later
        blocks, ///< the message waits for its receiver, as where buffers are full
        slows,  ///< the rank whose turn it is does something else for `amount` latencies
        parks, ///< the rank whose turn it is does something else until nothing else can happen; one at a time
    };

    kind what = kind::holds;
    std::int32_t amount = 0;
    std::int64_t number = 0; ///< of the message, or of the turn

    friend bool operator==(deviation const&, deviation const&) = default;
};

/// The deviations of one run: drawn at random as the run goes on, or given.
class deviations {
public:
    /// Run `run` of `seed`. How many it draws, and of which kinds, depends on the run.
    deviations(std::uint64_t seed, std::int64_t run);
    /// These, ordered by number.
    explicit deviations(std::vector<deviation> given) : given_(std::move(given)) {}

    /// The amount of the deviation of this kind at this number, if there is one.
    [[nodiscard]] std::optional<std::int32_t> at(deviation::kind what, std::int64_t number);
    /// Where each deviation that takes place is written too; it must live as long.
    struct record {
        static constexpr std::int64_t most = 100'000;
        std::int64_t count = 0; ///< also of those beyond `most`
        deviation all[most];
    };
    void write_into(record* where) noexcept { record_ = where; }

private:
    std::optional<counter_random> random_;
    double density_ = 0;
    std::uint32_t kinds_ = 0; // a bit a kind
    std::vector<deviation> given_;
    record* record_ = nullptr;
};

/// "h12,d40x30": holds message 12, delays message 40 by 30 latencies.
[[nodiscard]] std::string to_text(std::vector<deviation> const& all);
/// Throws: `usage_error`.
[[nodiscard]] std::vector<deviation> deviations_of(std::string_view text);

} // namespace weft
