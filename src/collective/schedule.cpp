#include <weft/collective/schedule.hpp>

#include <weft/core/error.hpp>
#include <weft/machine/machine_model.hpp>

#include <algorithm>
#include <string>

namespace weft {

namespace {

void check_k(std::string const& name, int k) {
    if (k < 2)
        throw usage_error(name + ": the groups of a round have " + std::to_string(k) +
                          " participants; at least 2 are needed");
}

/// The seconds of one round in which a member takes `messages` messages of `bytes` bytes.
double round_seconds(loggp const& cost, double messages, double bytes) {
    return cost.latency + 2 * cost.overhead + (messages - 1) * std::max(cost.overhead, cost.gap) +
           messages * bytes * cost.gap_per_byte;
}

/// The k of least `seconds(k)`; of equals the smallest.
template <class Seconds>
int cheapest_k(Seconds&& seconds) {
    int best = 2;
    for (int const k : {4, 8, 16})
        if (seconds(k) < seconds(best)) best = k;
    return best;
}

loggp const& costs_of(machine_model const& machine) {
    return machine.between.parameters;
}

} // namespace

regular_schedule::regular_schedule(std::int64_t participants, std::span<int const> k,
    schedule_options const& options, bool shares, char const* name)
    : participants_(participants), root_(options.root), shares_(shares) {
    std::string const who = name;
    if (participants < 1) throw usage_error(who + ": there are no participants");
    if (root_ < 0 || root_ >= participants)
        throw usage_error(who + ": the root " + std::to_string(root_) + " is not among " +
                          std::to_string(participants) + " participants");
    bool const exact = shares || options.groups == grouping::strided;
    std::int64_t product = 1;
    for (int const each : k) {
        check_k(who, each);
        if (!exact && product >= participants) break; // all is merged
        if (exact && (participants / product) % each != 0)
            throw usage_error(who + ": groups of " + std::to_string(each) + " do not divide " +
                              std::to_string(participants / product) + " of " + std::to_string(participants) +
                              " participants");
        digit next{each, product};
        if (options.groups == grouping::strided) next.stride = participants / product / each;
        rounds_.push_back(next);
        product *= each;
    }
}

std::int64_t regular_schedule::subtree(int round, std::int64_t participant) const noexcept {
    std::int64_t rest = participant;
    for (int before = 0; before < round; ++before) {
        digit const& each = rounds_[static_cast<std::size_t>(before)];
        rest -= each.of(participant) * each.stride;
    }
    return rest;
}

round_group regular_schedule::group_of(int round, std::int64_t participant) const {
    digit const& now = rounds_.at(static_cast<std::size_t>(round));
    std::int64_t const mine = now.of(participant);
    round_group group;
    if (shares_) {
        group.keeper = each_keeps_a_share;
        group.members.reserve(static_cast<std::size_t>(now.k));
        for (std::int64_t other = 0; other < now.k; ++other)
            group.members.push_back(participant + (other - mine) * now.stride);
        return group;
    }
    // A subtree is named by its first participant; the root keeps what its own subtrees have.
    std::int64_t const root_now = subtree(round, root_);
    auto const keeper_of = [&](std::int64_t tree) { return tree == root_now ? root_ : tree; };
    if (keeper_of(subtree(round, participant)) != participant) return group;
    std::int64_t const first = subtree(round + 1, participant);
    for (std::int64_t other = 0; other < now.k; ++other) {
        std::int64_t const tree = first + other * now.stride;
        if (tree >= participants_) break;
        if (tree == root_now) group.keeper = static_cast<int>(other);
        group.members.push_back(keeper_of(tree));
    }
    return group;
}

regular_schedule merge_schedule(
    std::int64_t participants, std::span<int const> k, schedule_options const& options) {
    return regular_schedule(participants, k, options, false, "merge_schedule");
}

regular_schedule merge_schedule(std::int64_t participants, int k, schedule_options const& options) {
    check_k("merge_schedule", k);
    if (options.groups == grouping::strided)
        return merge_schedule(participants, group_sizes(participants, k), options);
    // Enough for any number of participants; those beyond the last merge are not used.
    return merge_schedule(participants, std::vector<int>(63, k), options);
}

regular_schedule swap_schedule(
    std::int64_t participants, std::span<int const> k, schedule_options const& options) {
    return regular_schedule(participants, k, options, true, "swap_schedule");
}

regular_schedule swap_schedule(std::int64_t participants, int k, schedule_options const& options) {
    return swap_schedule(participants, group_sizes(participants, k), options);
}

std::vector<int> group_sizes(std::int64_t participants, int k) {
    check_k("group_sizes", k);
    if (participants < 1) throw usage_error("group_sizes: there are no participants");
    std::vector<std::int64_t> primes;
    std::int64_t rest = participants;
    for (std::int64_t prime = 2; prime * prime <= rest; ++prime)
        for (; rest % prime == 0; rest /= prime) primes.push_back(prime);
    if (rest > 1) primes.push_back(rest);
    // The largest first; each joins the first group that it fits into.
    std::reverse(primes.begin(), primes.end());
    std::vector<int> sizes;
    for (std::int64_t const prime : primes) {
        auto const fits =
            std::find_if(sizes.begin(), sizes.end(), [&](int size) { return size * prime <= k; });
        if (fits != sizes.end())
            *fits *= static_cast<int>(prime);
        else
            sizes.push_back(static_cast<int>(prime));
    }
    return sizes;
}

std::vector<int> group_sizes(std::span<std::int64_t const> divisions, int k) {
    std::vector<int> sizes;
    for (std::int64_t const along : divisions) {
        std::vector<int> const more = group_sizes(along, k);
        sizes.insert(sizes.end(), more.begin(), more.end());
    }
    return sizes;
}

int merge_k(machine_model const& machine, std::int64_t participants, double bytes) {
    loggp const& cost = costs_of(machine);
    return cheapest_k([&](int k) {
        double seconds = 0;
        for (std::int64_t left = participants; left > 1; left = (left + k - 1) / k)
            seconds += round_seconds(cost, static_cast<double>(std::min<std::int64_t>(k, left) - 1), bytes);
        return seconds;
    });
}

int swap_k(machine_model const& machine, std::int64_t participants, double bytes) {
    loggp const& cost = costs_of(machine);
    return cheapest_k([&](int k) {
        double seconds = 0;
        double share = bytes;
        for (int const size : group_sizes(participants, k)) {
            share /= size;
            seconds += round_seconds(cost, size - 1, share);
        }
        return seconds;
    });
}

} // namespace weft
