/// So many failures of each verb, at points that are drawn.
#pragma once

#include <mpi_faults/runner.hpp>
#include <mpi_faults/verbs.hpp>

#include <bit>
#include <functional>

namespace mpi_faults {

/// A point is a call of MPI that may fail: of a call of Weft, on a rank, at a place in the source, the n-th
/// time. What polls is called more or less often in another run, so that its n-th call may be any: there a
/// point is the n-th poll that finds something, and else all polls from the 2^n-th to the next power of two.
/// A point that a run does not reach is drawn anew.
class verb_runs {
public:
    verb_runs(runner& runs, unsigned seed)
        : runs_(runs), common_(seed), own_(seed + static_cast<unsigned>(runs.rank()) + 1) {}

    void print_head(unsigned seed) const {
        if (runs_.rank() == 0)
            std::printf("seed %u\n%-24s %6s %8s %6s %6s %6s %6s %6s %8s %6s %8s\n", seed, "verb", "calls",
                "points", "failed", "points", "sites", "answer", "error", "end", "missed", "s");
    }

    /// Returns false if fewer have failed.
    bool all_of(std::string_view verb, std::vector<call> const& calls, std::int64_t wanted) {
        auto const began = clock_type::now();
        runs_.begin_counts();
        done_.clear();
        failed_.clear();
        std::vector<std::vector<place>> counted(calls.size()); // here, without a failure
        std::vector<std::pair<std::size_t, int>> turns;
        for (std::size_t i = 0; i < calls.size(); ++i)
            for (int rank = 0; rank < runs_.size(); ++rank) turns.emplace_back(i, rank);
        std::ranges::shuffle(turns, common_); // the same on all ranks
        std::int64_t points = 0;
        std::int64_t tries = 0;
        for (; runs_.found().failures < wanted && tries < 2 * wanted + 50; ++tries) {
            auto const [which, failing] = turns[static_cast<std::size_t>(tries) % turns.size()];
            call const& one = calls[which];
            if (counted[which].empty()) {
                runs_.run(one, {}, -1);
                counted[which] = places();
                for (place const& each : counted[which]) points += points_of(each);
            }
            chosen const next = runs_.rank() == failing ? draw(one.name, counted[which]) : chosen{};
            if (runs_.run(one, next, failing) && runs_.rank() == failing) ++failed_[next.place];
        }
        bool const enough = runs_.found().failures >= wanted;
        print_row(verb, calls, points, tries, began);
        return enough;
    }

private:
    using point = std::tuple<std::string, std::size_t, bool, std::int64_t>; // call, place, finds, n

    static std::int64_t powers(std::int64_t calls) {
        return std::bit_width(static_cast<std::uint64_t>(calls));
    }
    static std::int64_t points_of(place const& at) {
        return at.polls ? at.found + powers(at.calls) : at.calls;
    }
    std::int64_t below(std::int64_t end) {
        return std::uniform_int_distribution<std::int64_t>(0, end - 1)(own_);
    }

    /// A point of this rank: of the place that has failed least often, one that was not drawn yet if there is
    /// any.
    chosen draw(std::string const& name, std::vector<place> const& counted) {
        std::vector<std::size_t> by_failures;
        for (std::size_t p = 0; p < counted.size(); ++p)
            if (counted[p].calls > 0) by_failures.push_back(p);
        if (by_failures.empty()) return {};
        std::ranges::shuffle(by_failures, own_);
        std::ranges::stable_sort(by_failures, {}, [&](std::size_t p) { return failed_[p]; });
        for (std::size_t const p : by_failures)
            for (int i = 0; i < 8; ++i) {
                auto const [drawn, number] = draw_at(p, counted[p]);
                if (done_.emplace(name, p, drawn.finds, number).second) return drawn;
            }
        return draw_at(by_failures.front(), counted[by_failures.front()]).first;
    }
    /// With the number of its point.
    std::pair<chosen, std::int64_t> draw_at(std::size_t p, place const& at) {
        if (!at.polls) {
            std::int64_t const n = 1 + below(at.calls);
            return {{p, n, false}, n};
        }
        if (at.found > 0 && below(2) == 0) {
            std::int64_t const n = 1 + below(at.found);
            return {{p, n, true}, n};
        }
        std::int64_t const power = below(powers(at.calls));
        std::int64_t const first = std::int64_t{1} << power;
        return {{p, first + below(std::min(first, at.calls + 1 - first)), false}, power};
    }

    void print_row(std::string_view verb, std::vector<call> const& calls, std::int64_t points,
        std::int64_t tries, clock_type::time_point began) const {
        std::int64_t sums[2] = {points, std::ssize(done_)};
        MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        // Ranks number their places in the order in which they reach them.
        constexpr std::size_t most = 200;
        std::vector<std::uint64_t> sites(most * static_cast<std::size_t>(runs_.size()));
        std::vector<std::uint64_t> mine;
        for (auto const& [p, failures] : failed_)
            if (failures > 0) mine.push_back(std::hash<std::string>()(text_of_place(p)));
        mine.resize(most);
        MPI_Gather(mine.data(), most, MPI_UINT64_T, sites.data(), most, MPI_UINT64_T, 0, MPI_COMM_WORLD);
        if (runs_.rank() != 0) return;
        std::set<std::uint64_t> different(sites.begin(), sites.end());
        different.erase(0);
        runner::counts const& found = runs_.found();
        std::printf("%-24s %6zd %8lld %6lld %6lld %6zu %6lld %6lld %8lld %6lld %8.2f\n",
            std::string(verb).c_str(), std::ssize(calls), static_cast<long long>(sums[0]),
            static_cast<long long>(found.failures), static_cast<long long>(sums[1]), different.size(),
            static_cast<long long>(found.answers), static_cast<long long>(found.errors),
            static_cast<long long>(found.ends), static_cast<long long>(tries - found.failures),
            std::chrono::duration<double>(clock_type::now() - began).count());
        std::fflush(stdout);
    }

    runner& runs_;
    std::mt19937 common_;
    std::mt19937 own_;
    std::set<point> done_;                       // of a verb, on this rank
    std::map<std::size_t, std::int64_t> failed_; // the same, by place
};

} // namespace mpi_faults
