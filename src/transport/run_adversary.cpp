/// WEFT_ADVERSARY: searches for a run that fails.
#include "adversary_runs.hpp"
#include "order_search.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <string_view>
#include <utility>

namespace weft {

namespace {

void tell_failure(simulated_job const& job, adversary& all, std::string const& which, verdict const& failed) {
    std::vector<deviation> const fewest = failed.is_complete ? all.shrink(failed.applied) : failed.applied;
    verdict const again = all.run(deviations(fewest));
    std::fprintf(stderr, "%s: %s: %s\n", job.name.c_str(), which.c_str(), failed.failure.c_str());
    std::string const ranks = job.chosen.simulate.empty() ? "" : "WEFT_SIMULATE=" + job.chosen.simulate + " ";
    std::fprintf(stderr,
        "%s: %zu of its %zu deviations are enough: %s\n%s: repeat it by %sWEFT_ADVERSARY=replay:%s\n",
        job.name.c_str(), fewest.size(), failed.applied.size(), again.failure.c_str(), job.name.c_str(),
        ranks.c_str(), to_text(fewest).c_str());
}

std::int64_t whole_number(std::string_view text, std::int64_t least) {
    std::int64_t number = 0;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size() || number < least)
        throw usage_error("WEFT_ADVERSARY: \"" + std::string(text) + "\": expected a number of at least " +
                          std::to_string(least) + " in SEED[:RUNS], all[:RUNS] or replay:LIST");
    return number;
}

int run_random(simulated_job const& job, adversary& all, std::int64_t seed, std::int64_t runs) {
    for (std::int64_t run = 0; run < runs; ++run) {
        verdict const now = all.run(deviations(static_cast<std::uint64_t>(seed), run));
        if (now.failure.empty()) continue;
        tell_failure(job, all, "run " + std::to_string(run) + " of seed " + std::to_string(seed), now);
        return 1;
    }
    std::fprintf(stderr, "%s: %lld runs of seed %lld on %d ranks are right\n", job.name.c_str(),
        static_cast<long long>(runs), static_cast<long long>(seed), job.options.ranks);
    return 0;
}

/// The search of `WEFT_ADVERSARY=all`: all orders in which messages from any source arrive, with at most half
/// of the runs, and then late messages.
class search_of_all {
public:
    search_of_all(simulated_job const& job, adversary& all, std::int64_t runs)
        : job_(job), all_(all), left_(runs) {}

    [[nodiscard]] int run() {
        if (!look_at_orders((left_ + 1) / 2) || !make_late()) return 1;
        std::string const cut = "; where ranks ask for a message again and again, it arrived after " +
                                std::to_string(1000 + 100 * job_.options.ranks) + " others";
        std::fprintf(stderr, "%s: %lld runs on %d ranks are right: %s; %s%s\n", job_.name.c_str(),
            static_cast<long long>(done_), job_.options.ranks, orders_.c_str(), late_.c_str(),
            has_hurried_ ? cut.c_str() : "");
        return 0;
    }

private:
    struct late_messages {
        std::vector<deviation> all;
        std::int64_t messages; // of the run with them
    };

    /// Counts a run and reports it if it fails.
    [[nodiscard]] bool is_right(verdict const& found, std::string const& which) {
        ++done_;
        --left_;
        has_hurried_ = has_hurried_ || all_.arrivals().has_hurried;
        if (!found.failure.empty()) tell_failure(job_, all_, which, found);
        return found.failure.empty();
    }
    /// Returns false if a run fails, here and below.
    [[nodiscard]] bool look_at_orders(std::int64_t most);
    /// Makes each single message late, as `deviation::kind::holds`, then each pair of messages in both orders
    /// of release, and so on. Source: Emmi, Qadeer, Rakamaric, Delay-bounded scheduling, POPL 2011.
    [[nodiscard]] bool make_late();
    [[nodiscard]] bool make_one_more_late(late_messages const& held, std::vector<late_messages>& next);

    simulated_job const& job_;
    adversary& all_;
    std::int64_t left_; // runs
    std::int64_t done_ = 0;
    int most_late_ = 0;
    bool has_hurried_ = false;
    std::string orders_; // what was run, for the report
    std::string late_;
};

bool search_of_all::look_at_orders(std::int64_t most) {
    arrival_order::record const& arrivals = all_.arrivals();
    bool is_over = false;
    std::int64_t orders = 0;
    std::string why = "too many for these runs";
    for (std::int32_t tags = -1; tags != arrivals.tags && !is_over;) {
        tags = arrivals.tags; // the search begins again if a run uses new ones
        order_search search;
        arrival_order::plan next;
        while (!is_over && tags == arrivals.tags) {
            is_over = true;
            if (!search.next(next)) why.clear();
            if (why.empty() || most-- == 0) break;
            verdict const found = all_.run(deviations(std::vector<deviation>{}), &next);
            if (!is_right(found, "order " + std::to_string(search.orders() + 1) + " of arrival"))
                return false;
            is_over = tags == arrivals.tags && !search.tell(arrivals);
            if (is_over) why = "the program is not the same when it runs again, or too long";
            orders = search.orders();
        }
    }
    std::string const count = std::to_string(orders) + (orders == 1 ? " order" : " orders");
    orders_ = (!why.empty()     ? count
                  : orders == 1 ? "the only order"
                                : "all " + count) +
              " in which messages from any source can arrive" +
              (why.empty() ? "" : ", but not all (" + why + ")");
    return true;
}

bool search_of_all::make_late() {
    auto const text = [](int count) {
        return std::to_string(count) + (count == 1 ? " late message" : " late messages");
    };
    std::vector<late_messages> level{{{}, all_.usual().messages}};
    for (; !level.empty(); ++most_late_) {
        std::vector<late_messages> next;
        for (late_messages const& held : level)
            if (!make_one_more_late(held, next)) return false;
        if (left_ == 0) {
            late_ = "all with up to " + text(most_late_) + ", and some with " +
                    std::to_string(most_late_ + 1) + ", in each order";
            return true;
        }
        level = std::move(next);
    }
    late_ = "all with any late messages, in each order";
    return true;
}

/// Makes one message more late: each of those that follow, released before any number of the others.
bool search_of_all::make_one_more_late(late_messages const& held, std::vector<late_messages>& next) {
    for (std::int64_t each = held.all.empty() ? 0 : held.all.back().number + 1; each < held.messages;
         ++each) {
        std::int64_t waiting = 0;
        for (std::int32_t overtaken = 0; overtaken <= waiting; ++overtaken) {
            if (left_ == 0) return true;
            late_messages now{held.all, 0};
            now.all.push_back({deviation::kind::holds, overtaken, each});
            verdict const found = all_.run(deviations(now.all));
            if (!is_right(found, std::to_string(most_late_ + 1) + " late messages")) return false;
            if (found.applied.size() < now.all.size()) break; // the message is not sent
            waiting = found.waiting;
            now.messages = found.messages;
            next.push_back(std::move(now));
        }
    }
    return true;
}

} // namespace

int run_under_adversary(simulated_job const& job) {
    constexpr std::int64_t usual_runs = 1000;
    std::string_view const text = job.chosen.schedules;
    std::string_view const first = text.substr(0, text.find(':'));
    std::string_view const second = text.substr(std::min(first.size() + 1, text.size()));
    bool const replays = first == "replay";
    std::vector<deviation> const given = replays ? deviations_of(second) : std::vector<deviation>{};
    std::int64_t const seed = replays || first == "all" ? 0 : whole_number(first, 0);
    std::int64_t const runs = replays || second.empty() ? usual_runs : whole_number(second, 1);
    adversary all(job);
    if (!all.usual().failure.empty()) {
        std::fprintf(
            stderr, "%s: without any deviation: %s\n", job.name.c_str(), all.usual().failure.c_str());
        return 1;
    }
    if (!replays)
        return first == "all" ? search_of_all(job, all, runs).run() : run_random(job, all, seed, runs);
    verdict const found = all.run(deviations(given));
    std::fprintf(stderr, "%s: %s; again, in this process:\n", job.name.c_str(),
        found.failure.empty() ? "right" : found.failure.c_str());
    deviations departs(given);
    arrival_order order({}, all.arrivals());
    int const code =
        run_once_and_tell(job, &departs, departs.order_arrivals() ? &order : nullptr, all.limits());
    return found.failure.empty() ? code : 1;
}

} // namespace weft
