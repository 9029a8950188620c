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
        if (!look_at_all_orders() || !make_late()) return 1;
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
        std::int64_t messages;              // of the run with them
        std::vector<std::int64_t> answered; // as in `verdict`
    };

    /// Counts a run and reports it if it fails.
    [[nodiscard]] bool is_right(verdict const& found, std::string const& which) {
        ++done_;
        --left_;
        has_hurried_ = has_hurried_ || all_.arrivals().has_hurried;
        if (!found.failure.empty()) tell_failure(job_, all_, which, found);
        return found.failure.empty();
    }
    struct found_orders {
        bool has_failed = false;
        bool can_join = false;
        std::int64_t count = 0;
        std::string why_not_all = "too many for these runs"; // empty: they are all
    };
    /// Makes at most this number of runs.
    [[nodiscard]] found_orders look_at_orders(std::int64_t most, bool may_join);
    /// Returns false if a run fails, here and below.
    [[nodiscard]] bool look_at_all_orders();
    /// Makes each single message late, as `deviation::kind::holds`, then each pair of messages in both orders
    /// of release, and so on. Source: Emmi, Qadeer, Rakamaric, Delay-bounded scheduling, POPL 2011.
    [[nodiscard]] bool make_late();
    [[nodiscard]] bool make_one_more_late(late_messages const& held, std::vector<late_messages>& next);
    [[nodiscard]] bool make_late_once(
        late_messages const& held, deviation what, std::vector<late_messages>& next);

    simulated_job const& job_;
    adversary& all_;
    std::int64_t left_; // runs
    std::int64_t done_ = 0;
    int most_late_ = 0;
    bool has_hurried_ = false;
    std::string orders_; // what was run, for the report
    std::string late_;
};

search_of_all::found_orders search_of_all::look_at_orders(std::int64_t most, bool may_join) {
    arrival_order::record const& arrivals = all_.arrivals();
    found_orders found;
    bool is_over = false;
    for (std::int32_t tags = -1; tags != arrivals.tags && !is_over;) {
        tags = arrivals.tags; // the search begins again if a run uses new ones
        order_search search(true, may_join);
        arrival_order::plan next;
        while (!is_over && tags == arrivals.tags) {
            is_over = true;
            if (!search.next(next)) found.why_not_all.clear();
            if (found.why_not_all.empty() || most-- == 0) break;
            verdict const now = all_.run(deviations(std::vector<deviation>{}), &next);
            if (!is_right(now, "order " + std::to_string(search.orders() + 1) + " of arrival")) {
                found.has_failed = true;
                return found;
            }
            is_over = tags == arrivals.tags && !search.tell(arrivals);
            if (is_over) found.why_not_all = "the program is not the same when it runs again, or too long";
            found.can_join = found.can_join || arrivals.can_join;
            found.count = search.orders();
        }
    }
    return found;
}

/// Runs the orders in which each message is looked at before the next, and then those in which ranks find
/// several at one look, as far as half of the runs suffice. Returns false if a run fails.
bool search_of_all::look_at_all_orders() {
    std::int64_t const least = left_ / 2;
    auto const text = [](found_orders const& found, char const* what) {
        std::string const count = std::to_string(found.count) + (found.count == 1 ? " order" : " orders");
        bool const are_all = found.why_not_all.empty();
        return (!are_all              ? count
                   : found.count == 1 ? "the only order"
                                      : "all " + count) +
               what + (are_all ? "" : ", but not all (" + found.why_not_all + ")");
    };
    found_orders const alone = look_at_orders(left_ - least, false);
    if (alone.has_failed) return false;
    orders_ = text(alone, " in which messages from any source can arrive");
    if (!alone.can_join || !alone.why_not_all.empty() || left_ == least) return true;
    found_orders const joined = look_at_orders(left_ - least, true);
    if (joined.has_failed) return false;
    orders_ += "; " + text(joined, " with several messages at one look");
    return true;
}

bool search_of_all::make_late() {
    auto const text = [](int count) {
        return std::to_string(count) +
               (count == 1 ? " late message or completion" : " late messages or completions");
    };
    std::vector<late_messages> level{{{}, all_.usual().messages, all_.usual().answered}};
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
    late_ = "all with any late messages and completions, in each order";
    return true;
}

/// Makes one message more late: each of those that follow, and then the completion of its send.
bool search_of_all::make_one_more_late(late_messages const& held, std::vector<late_messages>& next) {
    deviation const last = held.all.empty() ? deviation{deviation::kind::holds, 0, -1} : held.all.back();
    for (std::int64_t each = std::max<std::int64_t>(last.number, 0); each < held.messages; ++each) {
        bool const is_new = each > last.number;
        if (is_new && !make_late_once(held, {deviation::kind::holds, 0, each}, next)) return false;
        if ((is_new || last.what == deviation::kind::holds) &&
            std::ranges::binary_search(held.answered, each) &&
            !make_late_once(held, {deviation::kind::answers, 0, each}, next))
            return false;
    }
    return true;
}

/// Releases it before any number of the others that are late.
bool search_of_all::make_late_once(
    late_messages const& held, deviation what, std::vector<late_messages>& next) {
    std::int64_t waiting = 0;
    for (what.amount = 0; what.amount <= waiting; ++what.amount) {
        if (left_ == 0) return true;
        late_messages now{held.all, 0, {}};
        now.all.push_back(what);
        verdict const found = all_.run(deviations(now.all));
        if (!is_right(found, std::to_string(most_late_ + 1) + " late messages")) return false;
        if (found.applied.size() < now.all.size()) break; // the message is not sent
        waiting = found.waiting;
        now.messages = found.messages;
        now.answered = found.answered;
        next.push_back(std::move(now));
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
    arrival_order order(arrival_order::any(), all.arrivals());
    int const code =
        run_once_and_tell(job, &departs, departs.order_arrivals() ? &order : nullptr, all.limits());
    return found.failure.empty() ? code : 1;
}

} // namespace weft
