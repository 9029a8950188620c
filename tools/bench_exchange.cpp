#include "bench.hpp"
#include "terminal.hpp"

#include <weft/exchange/exchange.hpp>
#include <weft/mpi.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace weft::tool {

namespace {

using bytes = std::vector<std::byte>;

/// Whom this rank sends to in each round: `degree` distinct ranks, drawn from a seed.
using pattern = std::vector<std::vector<int>>;

pattern random_targets(communicator const& comm, int degree, int rounds) {
    std::mt19937_64 next(static_cast<std::uint64_t>(comm.rank()) + 1);
    std::vector<int> ranks(static_cast<std::size_t>(comm.size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    pattern targets;
    for (int round = 0; round < rounds; ++round) {
        std::ranges::shuffle(ranks, next);
        targets.emplace_back(ranks.begin(), ranks.begin() + std::min(degree, comm.size()));
    }
    return targets;
}

/// What one would write by hand: the textbook NBX, correct back to back through two tags by parity.
class raw_nbx {
public:
    explicit raw_nbx(communicator const& comm) {
        check_mpi(MPI_Comm_dup(native_handle(comm), &comm_), "MPI_Comm_dup");
    }
    ~raw_nbx() { MPI_Comm_free(&comm_); }
    raw_nbx(raw_nbx const&) = delete;
    raw_nbx& operator=(raw_nbx const&) = delete;

    void round(std::vector<int> const& targets, bytes const& payload) {
        int const tag = parity_ ^= 1;
        std::vector<MPI_Request> sends(targets.size());
        for (std::size_t i = 0; i < targets.size(); ++i)
            MPI_Issend(payload.data(), static_cast<int>(payload.size()), MPI_BYTE, targets[i], tag, comm_,
                &sends[i]);
        std::vector<bytes> received;
        MPI_Request barrier = MPI_REQUEST_NULL;
        for (bool in_barrier = false;;) {
            int found = 0;
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &found, &status);
            if (found != 0) {
                int count = 0;
                MPI_Get_count(&status, MPI_BYTE, &count);
                bytes& message = received.emplace_back(static_cast<std::size_t>(count));
                MPI_Recv(message.data(), count, MPI_BYTE, status.MPI_SOURCE, tag, comm_, MPI_STATUS_IGNORE);
            }
            int complete = 0;
            if (in_barrier) {
                MPI_Test(&barrier, &complete, MPI_STATUS_IGNORE);
                if (complete != 0) return;
            } else {
                MPI_Testall(static_cast<int>(sends.size()), sends.data(), &complete, MPI_STATUSES_IGNORE);
                if (complete == 0) continue;
                MPI_Ibarrier(comm_, &barrier);
                in_barrier = true;
            }
        }
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    int parity_ = 0;
};

/// What most programs do: the sizes by MPI_Alltoall, the data by MPI_Alltoallv.
void raw_alltoallv(MPI_Comm comm, std::vector<int> const& targets, bytes const& payload) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    auto const ranks = static_cast<std::size_t>(size);
    std::vector<int> send_counts(ranks), send_offsets(ranks), receive_counts(ranks), receive_offsets(ranks);
    for (int const target : targets)
        send_counts[static_cast<std::size_t>(target)] = static_cast<int>(payload.size());
    MPI_Alltoall(send_counts.data(), 1, MPI_INT, receive_counts.data(), 1, MPI_INT, comm);
    std::exclusive_scan(receive_counts.begin(), receive_counts.end(), receive_offsets.begin(), 0);
    bytes received(static_cast<std::size_t>(receive_offsets.back() + receive_counts.back()));
    // Every target gets the same payload, so all offsets may be zero.
    MPI_Alltoallv(payload.data(), send_counts.data(), send_offsets.data(), MPI_BYTE, received.data(),
        receive_counts.data(), receive_offsets.data(), MPI_BYTE, comm);
}

/// The microbenchmark of Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 4.3: k random targets a round.
class bench_exchange final : public benchmark {
public:
    explicit bench_exchange(CLI::App& bench) {
        parser_ = bench.add_subcommand("exchange",
            "Sparse exchange with random targets: nbx and pex against the same by hand over raw MPI");
        parser_->add_option("--degree,-k", degrees_, "Targets a rank")->capture_default_str();
        parser_->add_option("--bytes", sizes_, "Bytes a message")->capture_default_str();
        parser_->add_option("--rounds", rounds_, "Exchanges in one timed run")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        raw_nbx by_hand(comm);
        for (int const degree : degrees_)
            for (std::int64_t const size : sizes_) {
                bytes const payload(static_cast<std::size_t>(size), std::byte{1});
                auto const targets = random_targets(comm, degree, rounds_);
                auto const weft_by = [&](protocol how) {
                    return [&, how] {
                        for (auto const& round : targets) {
                            outbox<std::byte> out(comm);
                            for (int const target : round) out[target].append(payload);
                            (void)exchange(std::move(out), {.how = how});
                        }
                    };
                };
                table.measure({"exchange", fmt::format("k={} {}", degree, bytes_as_text(size)), size, degree,
                                  static_cast<double>(rounds_) / 1e3, "kexchanges/s"},
                    {{"weft nbx", weft_by(protocol::nbx)}, {"weft pex", weft_by(protocol::pex)},
                        {"raw nbx",
                            [&] {
                                for (auto const& round : targets) by_hand.round(round, payload);
                            }},
                        {"raw alltoallv", [&] {
                             for (auto const& round : targets)
                                 raw_alltoallv(native_handle(comm), round, payload);
                         }}});
            }
    }

private:
    std::vector<int> degrees_{1};
    std::vector<std::int64_t> sizes_{8, 1024, 65536, 1048576};
    int rounds_ = 200;
};

} // namespace

std::unique_ptr<benchmark> make_bench_exchange(CLI::App& bench) {
    return std::make_unique<bench_exchange>(bench);
}

} // namespace weft::tool
