#include "bench.hpp"
#include "options/byte_range.hpp"
#include "options/number_check.hpp"
#include "raw_exchange.hpp"
#include "report/terminal.hpp"

#include <protocol/exchange/protocol_choice.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/core/attachment.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/machine/machine_model.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace weft::tool {

namespace {

using bytes = std::vector<std::byte>;
using rounds_of_messages = std::vector<std::vector<raw_message>>;

/// The messages of this rank in each round, to `degree` distinct other ranks and with bytes from a range,
/// drawn from a seed.
rounds_of_messages random_messages(communicator const& comm, int degree, byte_range const& size, int rounds) {
    std::mt19937_64 next(static_cast<std::uint64_t>(comm.rank()) + 1);
    std::uniform_int_distribution<std::int64_t> any_size(size.least, size.most);
    std::vector<int> ranks(static_cast<std::size_t>(comm.size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::erase(ranks, comm.rank());
    rounds_of_messages sent(static_cast<std::size_t>(rounds));
    for (std::vector<raw_message>& round : sent) {
        std::ranges::shuffle(ranks, next);
        for (int i = 0; i < degree; ++i)
            round.push_back({ranks[static_cast<std::size_t>(i)], static_cast<std::size_t>(any_size(next))});
    }
    return sent;
}

/// The microbenchmark of Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 4.3: k random targets a round.
class bench_exchange final : public benchmark {
public:
    explicit bench_exchange(CLI::App& bench) {
        for (protocol const each : all_protocols()) protocols_[std::string(name_of(each))] = each;
        protocols_[std::string(name_of(protocol::automatic))] = protocol::automatic;
        std::vector<std::string> known;
        for (auto const& [name, how] : protocols_) {
            known.push_back(name);
            chosen_.push_back(name);
        }
        parser_ = bench.add_subcommand("exchange",
            "Compare all protocols of the sparse exchange, with random targets, with code "
            "written by hand with MPI, and with PETSc if it is installed");
        parser_
            ->add_option("--degree,-k", degrees_,
                "Number of targets of a rank, other than itself; at most all other ranks")
            ->capture_default_str();
        parser_
            ->add_option("--bytes", sizes_,
                "Bytes of a message, or a range from which they are drawn, such as 1-1024; with PETSc all "
                "messages have the same size")
            ->check(check_bytes)
            ->capture_default_str();
        parser_
            ->add_option("--rounds", rounds_, "Number of exchanges in one timed run; fewer if they take long")
            ->check(above_zero())
            ->capture_default_str();
        parser_
            ->add_option("--protocol", chosen_,
                "Protocols to measure; all; automatic is measured after it has chosen a protocol")
            ->check(CLI::IsMember(known));
        parser_
            ->add_option("--baseline", wanted_, "Other code to compare with; none; or all that is installed")
            ->check(CLI::IsMember({"raw-nbx", "raw-alltoallv", "petsc", "none"}));
    }

    void run(communicator const& comm, bench_table& table) override {
        std::map<std::string, std::unique_ptr<raw_exchange>> baselines;
        for (std::string const& name : wanted_) {
            if (name == "raw-nbx") baselines[name] = make_raw_nbx(comm);
            if (name == "raw-alltoallv") baselines[name] = make_raw_alltoallv(comm);
            if (name != "petsc") continue;
            if (auto petsc = make_petsc_two_sided(comm)) baselines[name] = std::move(petsc);
        }
        std::vector<int> degrees;
        for (int const degree : degrees_) degrees.push_back(std::min(degree, comm.size() - 1));
        degrees.erase(std::unique(degrees.begin(), degrees.end()), degrees.end());
        for (int const degree : degrees)
            for (std::string const& size : sizes_) measure(comm, table, degree, bytes_from(size), baselines);
        if (!choices_.empty()) table.note("automatic chose " + choices_);
    }

private:
    static void exchange_once(
        communicator const& comm, std::vector<raw_message> const& round, bytes const& payload, protocol how) {
        outbox<std::byte> out(comm);
        for (raw_message const& each : round)
            out[each.target].append_view(std::span(payload).first(each.bytes));
        (void)exchange(std::move(out), {.protocol = how});
    }

    /// Exchanges until `automatic` has chosen: a program has that once, and then what is timed here.
    static protocol chosen_after_trial(
        communicator const& comm, rounds_of_messages const& targets, bytes const& payload) {
        auto& choice = attachment<protocol_choice>(comm, comm);
        for (std::size_t round = 0; round < 2 || !choice.settled(); ++round) {
            exchange_once(comm, targets[round % targets.size()], payload, protocol::automatic);
            (void)choice.next();
        }
        return choice.next();
    }

    void measure(communicator const& comm, bench_table& table, int degree, byte_range const& size,
        std::map<std::string, std::unique_ptr<raw_exchange>> const& baselines) {
        constexpr std::int64_t bytes_a_run = std::int64_t{64} << 20; // more would only take longer
        auto const rounds = static_cast<int>(std::clamp<std::int64_t>(
            bytes_a_run / std::max<std::int64_t>(size.most * degree, 1), 1, rounds_));
        bytes const payload(static_cast<std::size_t>(size.most), std::byte{1});
        auto const targets = random_messages(comm, degree, size, rounds);
        double took = 0; // the rounds of the last subject
        auto const subject = [&](std::string const& name, auto once) {
            return bench_subject{name,
                [&comm, &targets, &took, once] {
                    // Caches and kept memory that the subject before has left are not its own.
                    for (std::size_t round = 0; round <= targets.size() / 8; ++round) once(targets[round]);
                    (void)max(comm, 0);
                    double const start = transport_of(comm).seconds();
                    for (auto const& round : targets) once(round);
                    took = transport_of(comm).seconds() - start;
                },
                [&took] { return took; }};
        };
        std::vector<bench_subject> subjects;
        for (std::string const& name : chosen_)
            subjects.push_back(
                subject(name, [&, how = protocols_.at(name)](std::vector<raw_message> const& round) {
                    exchange_once(comm, round, payload, how);
                }));
        bool const is_range = size.least != size.most;
        for (auto const& [name, baseline] : baselines)
            if (!is_range || name != "petsc")
                subjects.push_back(
                    subject(name, [&, by = baseline.get()](
                                      std::vector<raw_message> const& round) { by->round(round, payload); }));
        std::string const name = fmt::format(
            "k={} {}{}", degree, is_range ? fmt::format("{}-", size.least) : "", bytes_as_text(size.most));
        if (std::ranges::find(chosen_, name_of(protocol::automatic)) != chosen_.end())
            choices_ += fmt::format("{}{} for {}", choices_.empty() ? "" : ", ",
                name_of(chosen_after_trial(comm, targets, payload)), name);
        table.measure({"exchange", name, (size.least + size.most) / 2, degree,
                          static_cast<double>(rounds) / 1e3, "kexchanges/s"},
            subjects);
    }

    std::map<std::string, protocol> protocols_;
    std::vector<std::string> chosen_;
    std::vector<std::string> wanted_{"raw-nbx", "raw-alltoallv", "petsc"};
    std::vector<int> degrees_{1};
    std::vector<std::string> sizes_{"8", "1024", "65536", "1048576"};
    int rounds_ = 200;
    std::string choices_; // of `automatic`
};

} // namespace

std::unique_ptr<benchmark> make_bench_exchange(CLI::App& bench) {
    return std::make_unique<bench_exchange>(bench);
}

} // namespace weft::tool
