/// Visits all states that a small model can reach, in any order of events.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft_test {

/// A model has a type `state`, which consists of bytes, and
/// - `initial()`, the first state;
/// - `each_next(state, emit)`, which calls `emit(name, next)` for every possible event;
/// - `complaint(state)`, empty if the state is valid;
/// - `is_over(state)`, true if all work is done;
/// - `canonical(state)`, equal for states that differ only in the numbers of ranks, or the state itself.
/// An invalid step leads to a state with a complaint.
template <class Model>
concept checkable = std::has_unique_object_representations_v<typename Model::state> &&
    requires(Model const& model, typename Model::state const& state) {
    { model.initial() } -> std::same_as<typename Model::state>;
    { model.complaint(state) } -> std::convertible_to<std::string>;
    { model.is_over(state) } -> std::same_as<bool>;
    { model.canonical(state) } -> std::same_as<typename Model::state>;
};

struct checked {
    std::int64_t states = 0;
    std::int64_t steps = 0;
    std::int64_t ends = 0;   ///< final states
    std::string wrong;       ///< empty if all states are valid; else the first complaint
    std::string history;     ///< a shortest sequence of steps that leads to it
    bool is_complete = true; ///< no state was left out
};

/// Breadth first, so that a complaint has a shortest history. These are errors, too: a state that is not over
/// and has no next state (ranks wait for ever), and a state from which no end can be reached (ranks loop for
/// ever).
template <checkable Model>
checked check_all_states(Model const& model, std::int64_t most = 20'000'000) {
    using state = typename Model::state;
    struct hash {
        std::size_t operator()(state const& of) const noexcept {
            return std::hash<std::string_view>{}({reinterpret_cast<char const*>(&of), sizeof of});
        }
    };
    struct same {
        bool operator()(state const& a, state const& b) const noexcept {
            return std::memcmp(&a, &b, sizeof a) == 0;
        }
    };
    struct origin {
        std::uint32_t before;
        std::string_view step;
    };

    checked found;
    std::unordered_map<state, std::uint32_t, hash, same> numbers;
    std::vector<state const*> all;
    std::vector<origin> origins;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> steps; // to, from
    std::vector<std::uint32_t> ends;

    auto const blame = [&](std::uint32_t at, std::string what) {
        found.wrong = std::move(what);
        std::vector<std::string_view> names;
        for (; at != 0; at = origins[at].before) names.push_back(origins[at].step);
        std::ranges::reverse(names);
        for (std::string_view const each : names) found.history += std::string(each) + "\n";
    };
    auto const number_of = [&](state const& reached, origin by) {
        auto const [place, is_new] =
            numbers.try_emplace(model.canonical(reached), static_cast<std::uint32_t>(all.size()));
        if (is_new) {
            all.push_back(&place->first);
            origins.push_back(by);
        }
        return place->second;
    };

    (void)number_of(model.initial(), {0, ""});
    for (std::uint32_t at = 0; at < all.size() && found.wrong.empty(); ++at) {
        if (static_cast<std::int64_t>(all.size()) > most) {
            found.is_complete = false;
            break;
        }
        state const now = *all[at];
        if (std::string complaint = model.complaint(now); !complaint.empty()) {
            blame(at, std::move(complaint));
            break;
        }
        bool goes_on = false;
        model.each_next(now, [&](std::string_view step, state const& next) {
            goes_on = true;
            steps.emplace_back(number_of(next, {at, step}), at);
        });
        if (model.is_over(now))
            ends.push_back(at);
        else if (!goes_on)
            blame(at, "nothing can happen any more, and it is not over");
    }
    found.states = static_cast<std::int64_t>(all.size());
    found.steps = static_cast<std::int64_t>(steps.size());
    found.ends = static_cast<std::int64_t>(ends.size());
    if (!found.wrong.empty() || !found.is_complete) return found;

    // Marks states backwards from the ends.
    std::ranges::sort(steps);
    std::vector<char> can_end(all.size());
    for (std::uint32_t const each : ends) can_end[each] = 1;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        auto const [first, last] =
            std::ranges::equal_range(steps, ends[i], {}, &std::pair<std::uint32_t, std::uint32_t>::first);
        for (auto step = first; step != last; ++step)
            if (std::exchange(can_end[step->second], 1) == 0) ends.push_back(step->second);
    }
    auto const lost = std::ranges::find(can_end, 0);
    if (lost != can_end.end())
        blame(static_cast<std::uint32_t>(lost - can_end.begin()), "no end can be reached from here");
    return found;
}

} // namespace weft_test
