/// The deviations of a simulated run from its usual order. Private.
#pragma once

#include <core/counter_random.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// One deviation. Messages and turns of ranks are counted over the whole run, from 0; up to this number, the
/// run is unchanged.
struct deviation {
    enum class kind : std::int32_t {
        /// The message is held until nothing else can happen, or very many others are sent. It is released
        /// before the `amount` last ones of those that are held then.
        holds,
        delays, ///< the message arrives `amount` latencies later
        blocks, ///< the message waits for its receiver, as if buffers were full
        slows,  ///< the rank with this turn is busy for `amount` latencies
        parks,  ///< the rank with this turn is busy until nothing else can happen; one at a time
        /// Messages from any source arrive one by one, when nothing else can happen, and the arrival with
        /// this number is that of message `amount`. A run has only deviations of this kind and the next, or
        /// neither.
        comes,
        joins, ///< as `comes`, but the receiver looks only when the next message has arrived, which is for it
               ///< too
        /// The sender is told late that its synchronous message is received, as late as one that is held.
        answers,
    };

    kind what = kind::holds;
    std::int32_t amount = 0;
    std::int64_t number = 0; ///< of the message, or of the turn

    friend bool operator==(deviation const&, deviation const&) = default;
};

/// The deviations of one run: drawn at random during the run, or given.
class deviations {
public:
    /// For run `run` of `seed`. The density and the kinds of deviations depend on the run.
    deviations(std::uint64_t seed, std::int64_t run);
    /// Uses the given deviations, which must be ordered by number.
    explicit deviations(std::vector<deviation> given) : given_(std::move(given)) {}

    /// Returns the amount of the deviation of this kind at this number, if there is one.
    [[nodiscard]] std::optional<std::int32_t> at(deviation::kind what, std::int64_t number);
    /// Receives each deviation that takes place; it must live as long.
    struct record {
        static constexpr std::int64_t most = 100'000;
        std::int64_t count = 0;   ///< includes those beyond `most`
        std::int64_t waiting = 0; ///< messages that were held when the last one was held by a deviation
        deviation all[most];
        std::int64_t answered = 0; ///< messages of which the sender was told, up to `most`
        std::int64_t all_answered[most];
    };
    void write_into(record* where) noexcept { record_ = where; }
    /// Reports one that was not asked for by `at`.
    void note(deviation const& made) noexcept {
        if (record_ != nullptr && record_->count++ < record::most) record_->all[record_->count - 1] = made;
    }
    /// Returns true if the given ones set an order of arrival.
    [[nodiscard]] bool order_arrivals() const noexcept {
        return !given_.empty() && (given_.front().what == deviation::kind::comes ||
                                      given_.front().what == deviation::kind::joins);
    }
    /// Reports that the sender of this message is told that it is received. Returns the amount if it is told
    /// late.
    [[nodiscard]] std::optional<std::int32_t> late_answer(std::int64_t message) {
        if (record_ != nullptr && record_->answered < record::most)
            record_->all_answered[record_->answered++] = message;
        return at(deviation::kind::answers, message);
    }
    /// Reports the number of messages that one could be released before.
    void tell_of_waiting(std::int64_t count) noexcept {
        if (record_ != nullptr) record_->waiting = count;
    }

private:
    std::optional<counter_random> random_;
    double density_ = 0;
    std::uint32_t kinds_ = 0; // a bit for each kind
    std::vector<deviation> given_;
    record* record_ = nullptr;
};

/// Returns the form "h12,d40x30": holds message 12, delays message 40 by 30 latencies. Amounts of 0 are left
/// out.
[[nodiscard]] std::string to_text(std::vector<deviation> const& all);
/// Parses this form. Throws: `usage_error`.
[[nodiscard]] std::vector<deviation> deviations_of(std::string_view text);

} // namespace weft
