#include "bench.hpp"
#include "busy_loops.hpp"
#include "launch/usable_cores.hpp"
#include "options/number_check.hpp"
#include "slice_pairs.hpp"
#include "watched_roots.hpp"

#include <weft/mpi.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace weft::tool {

namespace {

/// The median of ratios of runs that were made side by side, and where it lies with 95 % (of order
/// statistics, which supposes no distribution).
std::string median_of_pairs(std::vector<double> const& later, std::vector<double> const& first) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < first.size(); ++i) ratios.push_back(later[i] / first[i]);
    std::ranges::sort(ratios);
    auto const count = static_cast<double>(ratios.size());
    auto const low =
        static_cast<std::size_t>(std::max(0.0, std::floor((count - 1.96 * std::sqrt(count)) / 2)));
    return fmt::format(
        "{:.4f} ({:.4f} to {:.4f})", ratios[ratios.size() / 2], ratios[low], ratios[ratios.size() - 1 - low]);
}

constexpr double slice_seconds = 0.01;

/// Seconds that `weft top` computes for a look, of looks of one a second while all ranks are busy.
/// Collective.
estimate seconds_of_a_look(communicator const& comm, watcher const& top, busy_loop& loop) {
    constexpr int looks = 10;
    std::vector<double> used;
    top.look();
    double before = top.processor_seconds();
    for (int each = 0; each < looks; ++each) {
        double const end = MPI_Wtime() + 1;
        while (MPI_Wtime() < end) loop.run(1);
        double const now = top.processor_seconds();
        used.push_back(now - before);
        before = now;
    }
    top.rest();
    check_mpi(MPI_Barrier(native_handle(comm)), "MPI_Barrier");
    return trimmed_mean(used);
}

class bench_watching final : public benchmark {
public:
    explicit bench_watching(CLI::App& bench) {
        parser_ =
            bench.add_subcommand("watching", "Measure the cost of `weft top`: loops of calls on ranks that "
                                             "cannot be watched (WEFT_WATCHING=off), on ranks that can be "
                                             "watched, and while `weft top` watches them once a second");
        parser_->add_option("--case", cases_, "Cases to measure: sum, exchange, mailbox; all")
            ->check(CLI::IsMember(std::vector<std::string>(cases_)));
        parser_->add_option("--seconds", seconds_, "Length of one timed run")
            ->check(between(0.001, 3600.0))
            ->capture_default_str();
        parser_
            ->add_option("--pairs", pairs_,
                "Pairs of slices of 10 ms by which two states of a running program "
                "are compared; 0: none")
            ->check(between(0, 1'000'000))
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        chosen_root const dark(native_handle(comm), false);
        chosen_root const shown(native_handle(comm), true);
        watcher const top(comm.rank() == 0, 1);
        for (std::string const& name : cases_) {
            auto const unseen = make_busy_loop(name, dark.comm());
            auto const seen = make_busy_loop(name, shown.comm());
            std::int64_t const rounds = rounds_that_last(comm, *unseen);
            std::vector<bench_subject> const subjects{{"shows nothing", [&] { unseen->run(rounds); }},
                {"can be seen", [&] { seen->run(rounds); }}, {"weft top looks", [&] {
                                                                  top.look();
                                                                  seen->run(rounds);
                                                                  top.rest();
                                                              }}};
            table.measure({"watching", name, 0, 0, static_cast<double>(rounds) / 1e3, "krounds/s"}, subjects);
            auto const& runs = table.last_runs();
            table.note(fmt::format(
                "{}, median of ratios of pairs and its 95 % interval: can be seen {}, weft top looks {}, "
                "weft top to can be seen {}",
                name, median_of_pairs(runs[1], runs[0]), median_of_pairs(runs[2], runs[0]),
                median_of_pairs(runs[2], runs[1])));
            if (pairs_ > 0) compare_slices(comm, name, top, table);
        }
    }

private:
    /// Compares states of ranks that run loops of their own and wait for nobody. Collective.
    void compare_slices(
        communicator const& comm, std::string const& name, watcher const& top, bench_table& table) const {
        constexpr double bound = 0.005;
        chosen_root const dark(MPI_COMM_SELF, false);
        chosen_root const shown(MPI_COMM_SELF, true);
        auto const unseen = make_busy_loop(name, dark.comm());
        auto const seen = make_busy_loop(name, shown.comm());
        page_of_two_kinds page;
        watcher const frequent(comm.rank() == 0, 0.01);
        auto const in_private = [&] { page.share(false); };
        auto const in_shared = [&] { page.share(true); };
        auto const seems_watched = [&](bool watched) { return [&, watched] { page.seem_watched(watched); }; };
        slice_pairs const pairs(comm, pairs_, slice_seconds);
        estimate const none = pairs.extra({seen.get(), [] {}}, {seen.get(), [] {}});
        estimate const showing = pairs.extra({unseen.get(), [] {}}, {seen.get(), [] {}});
        estimate const kind = pairs.extra({seen.get(), in_private}, {seen.get(), in_shared});
        page.share(true);
        estimate const samples =
            pairs.extra({seen.get(), seems_watched(false)}, {seen.get(), seems_watched(true)});
        estimate const look = seconds_of_a_look(comm, top, *seen);
        double const before = frequent.processor_seconds();
        estimate const looks =
            pairs.extra({seen.get(), [&] { frequent.rest(); }}, {seen.get(), [&] {
                                                                     page.seem_watched(true);
                                                                     frequent.look();
                                                                 }});
        frequent.rest();
        if (comm.rank() > 0) return;

        // The looks in those slices, if each takes as long as one a second does; some fell into their begin.
        double const count = (frequent.processor_seconds() - before) / look.mean / 1.1;
        double const slices = pairs_ * slice_seconds;
        int const cores = std::min(comm.size(), usable_cores());
        // At one look a second, as a share of the cores that the ranks use: what it costs them, and what it
        // takes.
        // No part can be below 0.
        auto const of_all = [&](double sampling, double looking, double own) {
            return std::max(sampling, 0.0) +
                   (std::max(looking, 0.0) * slices / count * comm.size() + own) / cores;
        };
        estimate const whole{of_all(samples.mean, looks.mean, look.mean),
            of_all(samples.low, looks.low, look.low), of_all(samples.high, looks.high, look.high)};
        table.note(fmt::format(
            "{}: more processor time a round, of {} pairs of slices of 10 ms on {} ranks that do not wait\n"
            "  nothing differs                                 {}\n"
            "  can be seen, to shows nothing                   {}\n"
            "  page in shared memory, to private memory        {}\n"
            "  sampled 50 times a second, to 10 times          {}\n"
            "  weft top looks {:.0f} times in a second of that, to not at all {}\n"
            "  weft top computes {:.2f} ms a look ({:.2f} to {:.2f})\n"
            "  weft top looks once a second: {} of {} cores; {:.1f} % is {}",
            name, pairs_, comm.size(), as_percent(none), as_percent(showing), as_percent(kind),
            as_percent(samples), count / slices, as_percent(looks), 1e3 * look.mean, 1e3 * look.low,
            1e3 * look.high, as_percent(whole), cores, 100 * bound,
            none.low < -bound || none.high > bound ? "finer than this measurement: more --pairs are needed"
            : whole.high <= bound                  ? "kept"
            : whole.low <= bound                   ? "inside of the interval: more --pairs are needed"
                                                   : "exceeded"));
    }
    /// Collective.
    [[nodiscard]] std::int64_t rounds_that_last(communicator const& comm, busy_loop& loop) const {
        constexpr std::int64_t until_warm = 100; // exchanges try out protocols
        loop.run(until_warm);
        std::int64_t rounds = 1;
        while (true) {
            double const start = MPI_Wtime();
            loop.run(rounds);
            auto const took =
                1e-9 * static_cast<double>(max(comm, static_cast<std::int64_t>((MPI_Wtime() - start) * 1e9)));
            if (took > seconds_ / 4)
                return std::max<std::int64_t>(
                    1, static_cast<std::int64_t>(static_cast<double>(rounds) * seconds_ / took));
            rounds *= 2;
        }
    }

    std::vector<std::string> cases_ = busy_loop_names();
    double seconds_ = 1;
    int pairs_ = 120;
};

} // namespace

std::unique_ptr<benchmark> make_bench_watching(CLI::App& bench) {
    return std::make_unique<bench_watching>(bench);
}

} // namespace weft::tool
