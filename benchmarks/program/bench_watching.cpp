#include "bench.hpp"
#include "options/number_check.hpp"

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/observe/activity.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/mpi.hpp>
#include <weft/observe/counters.hpp>
#include <weft/protocol/collectives.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace weft::tool {

namespace {

/// A root whose ranks show what they do, or do not: this is read from the environment where a root is made.
class chosen_root {
public:
    chosen_root(communicator const& comm, bool watching) {
        char const* const before = std::getenv(knob_name);
        std::optional<std::string> const kept =
            before != nullptr ? std::optional<std::string>(before) : std::nullopt;
        setenv(knob_name, watching ? "on" : "off", 1);
        check_mpi(MPI_Comm_dup(native_handle(comm), &parent_), "MPI_Comm_dup");
        made_.emplace(make_communicator(parent_));
        (void)activity_of(*made_); // which are made on first use
        (void)counters_of(*made_);
        if (kept)
            setenv(knob_name, kept->c_str(), 1);
        else
            unsetenv(knob_name);
    }
    ~chosen_root() {
        made_.reset();
        MPI_Comm_free(&parent_);
    }
    chosen_root(chosen_root const&) = delete;
    chosen_root& operator=(chosen_root const&) = delete;

    [[nodiscard]] communicator const& comm() const noexcept { return *made_; }

private:
    static constexpr char const* knob_name = "WEFT_WATCHING";
    MPI_Comm parent_ = MPI_COMM_NULL;
    std::optional<communicator> made_;
};

/// `weft top` beside this job, which looks once a second while it is not stopped. On rank 0 of the job.
class watcher {
public:
    explicit watcher(bool starts) {
        if (!starts) return;
        std::string const program = std::filesystem::read_symlink("/proc/self/exe").replace_filename("weft");
        std::vector<std::string> words{program, "top", "--interval", "1"};
        std::vector<char*> arguments;
        for (std::string& each : words) arguments.push_back(each.data());
        arguments.push_back(nullptr);
        // Variables of the launcher would make a rank of this job of it.
        std::vector<std::string> kept;
        for (char const* const name : {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"})
            if (char const* const value = std::getenv(name)) kept.push_back(std::string(name) + "=" + value);
        std::vector<char*> variables;
        for (std::string& each : kept) variables.push_back(each.data());
        variables.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        int const failure =
            posix_spawn(&pid_, program.c_str(), &files, nullptr, arguments.data(), variables.data());
        posix_spawn_file_actions_destroy(&files);
        if (failure != 0) throw error("cannot start " + program + " (build the target weft_command)");
        sleep(2); // it has begun to look
        if (waitpid(pid_, nullptr, WNOHANG) != 0) throw error(program + " top has ended");
        rest();
    }
    ~watcher() {
        if (pid_ == 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    watcher(watcher const&) = delete;
    watcher& operator=(watcher const&) = delete;

    void look() const {
        if (pid_ != 0) kill(pid_, SIGCONT);
    }
    void rest() const {
        if (pid_ != 0) kill(pid_, SIGSTOP);
    }

private:
    pid_t pid_ = 0;
};

/// Calls of one kind that a program repeats at full rate, on one root.
class busy_loop {
public:
    virtual ~busy_loop() = default;
    /// Collective.
    virtual void run(std::int64_t rounds) = 0;
};

class sums final : public busy_loop {
public:
    explicit sums(communicator comm) : comm_(std::move(comm)) {}
    void run(std::int64_t rounds) override {
        for (std::int64_t i = 0; i < rounds; ++i) total_ += sum(comm_, i);
    }

private:
    communicator comm_;
    std::int64_t total_ = 0;
};

class small_exchanges final : public busy_loop {
public:
    explicit small_exchanges(communicator comm) : comm_(std::move(comm)) {}
    void run(std::int64_t rounds) override {
        for (std::int64_t i = 0; i < rounds; ++i) {
            outbox<std::int64_t> out(comm_);
            out[(comm_.rank() + 1) % comm_.size()].push_back(i);
            total_ += static_cast<std::int64_t>(exchange(std::move(out)).size());
        }
    }

private:
    communicator comm_;
    std::int64_t total_ = 0;
};

/// A round sends 10,000 words to random ranks and drains.
class counted_words final : public busy_loop {
public:
    explicit counted_words(communicator const& comm)
        : mail_(comm), words_(mail_.channel<std::uint64_t>([this](int, std::uint64_t const& word) {
              ++table_[word % table_.size()];
          })) {
        std::mt19937 next(static_cast<unsigned>(comm.rank()));
        for (int& each : destinations_) each = static_cast<int>(next() % static_cast<unsigned>(comm.size()));
    }
    void run(std::int64_t rounds) override {
        for (std::int64_t i = 0; i < rounds; ++i) {
            std::uint64_t word = 0;
            for (int const to : destinations_) words_.send(to, word += 7919);
            mail_.drain();
        }
    }

private:
    std::vector<std::uint64_t> table_ = std::vector<std::uint64_t>(1 << 12);
    std::vector<int> destinations_ = std::vector<int>(10'000);
    mailbox mail_;
    weft::channel<std::uint64_t> words_;
};

std::unique_ptr<busy_loop> make_loop(std::string const& name, communicator const& comm) {
    if (name == "sum") return std::make_unique<sums>(comm);
    if (name == "exchange") return std::make_unique<small_exchanges>(comm);
    return std::make_unique<counted_words>(comm);
}

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
    }

    void run(communicator const& comm, bench_table& table) override {
        chosen_root const dark(comm, false);
        chosen_root const shown(comm, true);
        watcher const top(comm.rank() == 0);
        for (std::string const& name : cases_) {
            auto const unseen = make_loop(name, dark.comm());
            auto const seen = make_loop(name, shown.comm());
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
        }
    }

private:
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

    std::vector<std::string> cases_{"sum", "exchange", "mailbox"};
    double seconds_ = 1;
};

} // namespace

std::unique_ptr<benchmark> make_bench_watching(CLI::App& bench) {
    return std::make_unique<bench_watching>(bench);
}

} // namespace weft::tool
