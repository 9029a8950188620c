#include "bench.hpp"
#include "options/number_check.hpp"
#include "parcel_loop.hpp"
#include "report/terminal.hpp"

#include <flag_round.hpp>

#include <protocol/long_tag.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/protocol/repeated_census.hpp>
#include <weft/extend/protocol/termination_detector.hpp>
#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/mpi.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weft::tool {

namespace {

/// Knows beforehand how many messages this rank will handle in each phase, and so needs to ask nobody: what
/// the others are measured against.
class foreseen_end final : public termination_detector {
public:
    explicit foreseen_end(std::vector<std::int64_t> messages) : messages_(std::move(messages)) {}

    void sent(std::int64_t /*messages*/) noexcept override {}
    void handled(std::int64_t messages) noexcept override { handled_ += messages; }
    [[nodiscard]] progress step(bool /*idle*/) override {
        if (handled_ < messages_[phase_]) return progress::none;
        handled_ = 0;
        phase_ = (phase_ + 1) % messages_.size();
        return progress::done;
    }
    [[nodiscard]] std::int64_t waves() const noexcept override { return 0; }

private:
    std::vector<std::int64_t> messages_; // by phase of a run
    std::size_t phase_ = 0;
    std::int64_t handled_ = 0;
};

/// The two collectives of the consensus by hand, the barrier a barrier: what it could be at best.
class raw_consensus {
public:
    explicit raw_consensus(communicator const& comm) : comm_(comm) {}

    void round() const {
        MPI_Request pending = MPI_REQUEST_NULL;
        check_mpi(MPI_Ibarrier(native_handle(comm_), &pending), "MPI_Ibarrier");
        check_mpi(MPI_Wait(&pending, MPI_STATUS_IGNORE), "MPI_Wait");
        int const mine = 0;
        int dirty = 0;
        check_mpi(MPI_Iallreduce(&mine, &dirty, 1, MPI_INT, MPI_LOR, native_handle(comm_), &pending),
            "MPI_Iallreduce");
        check_mpi(MPI_Wait(&pending, MPI_STATUS_IGNORE), "MPI_Wait");
    }

private:
    communicator comm_;
};

/// A detector with what it needs of the machine.
struct bench_detector {
    bench_detector(communicator const& comm, termination_method how)
        : name(name_of(how)), control(comm, "bench") {
        transport& via = transport_of(comm);
        if (how == termination_method::shared_lines)
            memory = via.share(comm.topology(), repeated_census::shared_bytes);
        end = make_termination_detector(how, via, comm.topology(), control.tag, memory.parts());
    }

    /// The cost of so many phases, as text. Collective.
    [[nodiscard]] std::string costs(std::string const& what, double phases) const {
        double const messages = static_cast<double>(sum(control.comm, end->control_messages()));
        return fmt::format("{}, {}: a phase takes {:.1f} waves, and of a rank {:.1f} control messages and "
                           "{:.1f} collectives",
            what, name, static_cast<double>(end->waves()) / phases, messages / phases / control.comm.size(),
            static_cast<double>(end->collectives()) / phases);
    }

    std::string name;
    long_tag control;
    shared_memory memory;
    std::unique_ptr<termination_detector> end;
};

/// Phases of messages, of which each is timed by itself: all ranks meet in between.
class timed_parcels {
public:
    timed_parcels(communicator const& comm, int tag, parcel_shape shape, termination_detector& end)
        : comm_(comm), loop_(transport_of(comm), tag, shape, end) {}

    /// Collective.
    void run(int phases) {
        backoff const patience(comm_.settings().spin_polls);
        total_ = 0;
        after_last_ = 0;
        handled_.clear();
        for (int phase = 0; phase < phases; ++phase) {
            (void)max(comm_, 0); // all begin together
            std::int64_t const begun = nanoseconds(parcel_loop::clock::now());
            loop_.begin(static_cast<std::uint64_t>(phase));
            drive(patience, [&] { return loop_.step(); });
            std::int64_t const over = nanoseconds(parcel_loop::clock::now());
            drive(patience, [&] { return loop_.finish(); });
            total_ += max(comm_, over - begun);
            std::int64_t const last = max(comm_, nanoseconds(loop_.last_handled()));
            after_last_ += max(comm_, over) - last;
            handled_.push_back(loop_.handled());
        }
        phases_ += phases;
    }

    /// Of the last run, in seconds: all of its phases.
    [[nodiscard]] double total() const noexcept { return 1e-9 * static_cast<double>(total_); }
    /// From the last message that any rank handled to the end on all ranks. Only on one node, whose processes
    /// share a clock.
    [[nodiscard]] double after_last() const noexcept { return 1e-9 * static_cast<double>(after_last_); }
    /// By phase of the last run, the messages of this rank.
    [[nodiscard]] std::vector<std::int64_t> const& handled() const noexcept { return handled_; }
    /// Of all runs.
    [[nodiscard]] double phases() const noexcept { return phases_; }

private:
    static std::int64_t nanoseconds(parcel_loop::clock::time_point when) {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count();
    }

    communicator comm_;
    parcel_loop loop_;
    std::vector<std::int64_t> handled_;
    std::int64_t total_ = 0; // nanoseconds
    std::int64_t after_last_ = 0;
    double phases_ = 0;
};

class bench_termination final : public benchmark {
public:
    explicit bench_termination(CLI::App& bench) {
        parser_ = bench.add_subcommand("termination",
            "Compare algorithms to detect that no message is in flight: those of the mailbox "
            "with and without shared memory, four counters by collectives, and a barrier that "
            "can be cancelled, with synchronous sends; each if nothing is sent, after the "
            "hops of a token, and in trees of messages");
        parser_->add_option("--case", cases_, "Cases to measure: empty, token, tree; all")
            ->check(CLI::IsMember(std::vector<std::string>(cases_)));
        parser_->add_option("--phases", phases_, "Number of phases with messages in one timed run")
            ->check(above_zero())
            ->capture_default_str();
        parser_
            ->add_option(
                "--empty-phases", empty_phases_, "Number of phases without messages in one timed run")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--hops", hops_, "Number of hops of the token in a phase")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--fan", fan_, "Number of messages that a message of a tree causes")
            ->check(above_zero())
            ->capture_default_str();
        parser_
            ->add_option(
                "--depth", depth_, "Number of generations of a tree; each rank starts a tree in each phase")
            ->check(between(1, 30))
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        for (std::string const& name : cases_) {
            if (name == "empty") empty(comm, table);
            if (name == "token")
                messages(comm, table, fmt::format("token of {} hops", hops_), {true, 1, hops_},
                    static_cast<double>(hops_) / comm.size());
            if (name == "tree") {
                double each = 0;
                for (int generation = 0; generation < depth_; ++generation) each = (each + 1) * fan_;
                messages(comm, table, fmt::format("trees {}^{}", fan_, depth_), {false, fan_, depth_}, each);
            }
        }
    }

private:
    using made_detectors = std::vector<std::unique_ptr<bench_detector>>;

    static made_detectors make_detectors(communicator const& comm) {
        made_detectors made;
        for (termination_method const each :
            {termination_method::shared_lines, termination_method::dissemination,
                termination_method::four_counters, termination_method::barrier_consensus})
            made.push_back(std::make_unique<bench_detector>(comm, each));
        return made;
    }

    void empty(communicator const& comm, bench_table& table) const {
        auto const detectors = make_detectors(comm);
        limits::mpi_round const barrier(comm);
        raw_consensus const raw(comm);
        auto const repeated = [this](auto&& once) {
            return [this, once] {
                for (int i = 0; i < empty_phases_; ++i) once();
            };
        };
        std::vector<bench_subject> subjects{{"MPI_Barrier", repeated([&] { barrier.round(); })}};
        for (auto const& each : detectors)
            subjects.push_back({each->name, repeated([&comm, &end = *each->end] {
                                    drive(
                                        backoff(comm.settings().spin_polls), [&] { return end.step(true); });
                                })});
        subjects.push_back({"raw consensus", repeated([&] { raw.round(); })});
        table.measure({"termination", "empty", 0, 0, empty_phases_ / 1e3, "kphases/s"}, subjects);
        for (auto const& each : detectors)
            table.note(each->costs("empty", static_cast<double>(each->end->waves())));
    }

    /// Twice: all of a phase, and what of it comes after the last message.
    void messages(communicator const& comm, bench_table& table, std::string const& what, parcel_shape shape,
        double each) const {
        long_tag const data(comm, "bench");
        auto const detectors = make_detectors(comm);
        std::vector<std::unique_ptr<timed_parcels>> loops;
        for (auto const& detector : detectors) {
            loops.push_back(std::make_unique<timed_parcels>(comm, data.tag, shape, *detector->end));
            loops.back()->run(phases_);
            if (loops.back()->handled() != loops.front()->handled())
                throw std::logic_error(detector->name + " left a phase too early");
        }
        foreseen_end foreseen(loops.front()->handled());
        timed_parcels unwatched(comm, data.tag, shape, foreseen);

        std::vector<bench_subject> whole{
            {"foreseen", [&] { unwatched.run(phases_); }, [&] { return unwatched.total(); }}};
        std::vector<bench_subject> end;
        for (std::size_t i = 0; i < loops.size(); ++i) {
            timed_parcels& loop = *loops[i];
            auto const run = [this, &loop] { loop.run(phases_); };
            whole.push_back({detectors[i]->name, run, [&loop] { return loop.total(); }});
            end.push_back({detectors[i]->name, run, [&loop] { return loop.after_last(); }});
        }
        bench_case row{
            "termination", what, 16, static_cast<std::int64_t>(each), each * phases_ / 1e6, "M messages/s"};
        table.measure(row, whole);
        row.name = what + ": end";
        row.work = phases_ / 1e3;
        row.unit = "kphases/s";
        if (comm.topology().node_count() == 1) table.measure(row, end);
        for (std::size_t i = 0; i < loops.size(); ++i)
            table.note(detectors[i]->costs(what, loops[i]->phases()));
    }

    std::vector<std::string> cases_{"empty", "token", "tree"};
    int phases_ = 10; // short runs: on a busy machine some of them are left in peace
    int empty_phases_ = 500;
    int hops_ = 100;
    int fan_ = 3;
    int depth_ = 6;
};

} // namespace

std::unique_ptr<benchmark> make_bench_termination(CLI::App& bench) {
    return std::make_unique<bench_termination>(bench);
}

} // namespace weft::tool
