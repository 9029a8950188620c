#include "bench.hpp"
#include "options/number_check.hpp"
#include "report/terminal.hpp"

#include <weft/exchange/exchange.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/mpi.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace weft::tool {

namespace {

/// The same by MPI's neighbourhood collective, over a graph communicator.
class raw_neighborhood {
public:
    raw_neighborhood(exchange_plan const& plan, int items) : counts_(plan.sources().size(), items) {
        std::vector<int> const weights(std::max<std::size_t>(counts_.size(), 1), 1);
        auto const degree = static_cast<int>(counts_.size());
        check_mpi(
            MPI_Dist_graph_create_adjacent(native_handle(plan.comm()), degree, plan.sources().data(),
                weights.data(), degree, plan.destinations().data(), weights.data(), MPI_INFO_NULL, 0, &comm_),
            "MPI_Dist_graph_create_adjacent");
        for (int i = 0; i < degree; ++i) offsets_.push_back(i * items);
    }
    ~raw_neighborhood() { MPI_Comm_free(&comm_); }
    raw_neighborhood(raw_neighborhood const&) = delete;
    raw_neighborhood& operator=(raw_neighborhood const&) = delete;

    void run(std::vector<double> const& out, std::vector<double>& in) const {
        MPI_Neighbor_alltoallv(out.data(), counts_.data(), offsets_.data(), MPI_DOUBLE, in.data(),
            counts_.data(), offsets_.data(), MPI_DOUBLE, comm_);
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    std::vector<int> counts_;
    std::vector<int> offsets_;
};

/// A halo: every rank sends as many items to each of the next k ranks, again and again.
class bench_plan final : public benchmark {
public:
    explicit bench_plan(CLI::App& bench) {
        parser_ = bench.add_subcommand("plan",
            "Compare ways to repeat a pattern of messages: an exchange_plan, with bound arrays and "
            "without, a new exchange each time, and MPI's neighbourhood collective");
        parser_->add_option("--degree,-k", degree_, "Neighbours a rank")->capture_default_str();
        parser_->add_option("--items", items_, "Items of 8 bytes for each neighbour")->capture_default_str();
        parser_->add_option("--rounds", rounds_, "Number of exchanges in one timed run")
            ->check(above_zero())
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        int const degree = std::min(degree_, comm.size() - 1);
        std::vector<int> to;
        for (int i = 1; i <= degree; ++i) to.push_back((comm.rank() + i) % comm.size());
        for (int const items : items_) {
            std::vector<std::int64_t> const counts(to.size(), items);
            exchange_plan const plan(comm, to, counts);
            std::vector<double> const out(static_cast<std::size_t>(plan.outgoing_items()), 1.0);
            std::vector<double> in(static_cast<std::size_t>(plan.incoming_items()));
            planned_exchange bound = plan.bind<double>(out, in);
            raw_neighborhood const by_mpi(plan, items);
            auto const repeated = [&](auto&& once) {
                return [&, once] {
                    for (int round = 0; round < rounds_; ++round) once();
                };
            };
            table.measure({"plan", fmt::format("k={} {}", degree, bytes_as_text(8 * items)), 8 * items,
                              degree, static_cast<double>(rounds_) / 1e3, "kruns/s"},
                {{"bound plan", repeated([&] {
                      bound.start();
                      bound.wait();
                  })},
                    {"plan", repeated([&] { plan.exchange<double>(out, in); })},
                    {"exchange", repeated([&] {
                         outbox<double> box(comm);
                         for (int const neighbor : to)
                             box[neighbor].append_view(std::span(out).first(static_cast<std::size_t>(items)));
                         (void)exchange(std::move(box));
                     })},
                    {"raw neighborhood", repeated([&] { by_mpi.run(out, in); })}});
        }
    }

private:
    int degree_ = 6;
    std::vector<int> items_{1, 128, 8192, 131072};
    int rounds_ = 200;
};

} // namespace

std::unique_ptr<benchmark> make_bench_plan(CLI::App& bench) {
    return std::make_unique<bench_plan>(bench);
}

} // namespace weft::tool
