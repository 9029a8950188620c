#include "bench.hpp"
#include "bench_block_components.hpp"
#include "options/number_check.hpp"

#include <block_halo.hpp>

#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/observe/timeline.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <memory>
#include <random>
#include <vector>

namespace weft::tool {

namespace {

using word = std::uint64_t;

/// A block of the benchmarks.
struct bench_block {
    word sum = 0;
    std::size_t received = 0;
    std::size_t rounds = 0;
};

bench_block make_bench_block(block_id) {
    return {};
}

struct walker {
    std::uint64_t random;
    std::int64_t hops;
};

class bench_blocks final : public benchmark {
public:
    explicit bench_blocks(CLI::App& bench) {
        parser_ = bench.add_subcommand("blocks",
            "Compare messages between blocks with raw MPI: halos of 26 neighbours, hops of a "
            "message, random walks and union-find, by exchange and by iexchange");
        parser_
            ->add_option("--case", cases_,
                "Cases to measure: halo, hop, quiet, walk, union_find, timeline (random walks with and "
                "without recording a timeline); all")
            ->check(CLI::IsMember(std::vector<std::string>(cases_)));
        parser_->add_option("--blocks", side_, "Number of blocks along each of the three dimensions")
            ->check(between(1, 100))
            ->capture_default_str();
        parser_->add_option("--bytes", bytes_, "Bytes of a message between blocks, multiples of 8")
            ->check(CLI::IsMember({8, 64, 512, 4096, 32768}))
            ->capture_default_str();
        parser_->add_option("--threads", threads_, "Number of callbacks that run at the same time on a rank")
            ->capture_default_str();
        parser_->add_option("--walkers", walkers_, "Number of random walkers that start in each block")
            ->capture_default_str();
        parser_->add_option("--hops", hops_, "Number of hops of each random walker")->capture_default_str();
        parser_->add_option("--scale", scale_, "Scale of the graph for union_find: 2^scale vertices")
            ->check(between(1, 30))
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        // Wraps, so that every block has 26 neighbours.
        regular_grid<double> const grid(
            {3, {}, {1, 1, 1}}, per_dimension<std::int64_t>(side_), {.wrap = true});
        for (std::string const& name : cases_) {
            if (name == "halo")
                for (std::int64_t const bytes : bytes_)
                    halo(comm, table, grid, static_cast<std::size_t>(bytes));
            if (name == "hop") hop(comm, table);
            if (name == "quiet") quiet(comm, table, grid);
            if (name == "walk") walk(comm, table, grid);
            if (name == "timeline") recorded_walk(comm, table, grid);
            if (name == "union_find") bench_block_components(comm, table, grid.blocks(), scale_, threads_);
        }
    }

private:
    using set = block_set<bench_block>;

    [[nodiscard]] std::vector<limits::block_halo::hop> hops_of(
        communicator const& comm, regular_grid<double> const& grid) const {
        assignment const where = assignment::contiguous(grid.blocks(), comm.size());
        std::vector<limits::block_halo::hop> hops;
        for (std::int64_t from = 0; from < grid.blocks(); ++from)
            for (block_id const to : grid.link_of(block_id{from})) {
                int const a = where.rank_of(block_id{from});
                int const b = where.rank_of(to);
                if (a == comm.rank() || b == comm.rank()) hops.push_back({from, index_of(to), a, b});
            }
        return hops;
    }

    void halo(communicator const& comm, bench_table& table, regular_grid<double> const& grid,
        std::size_t bytes) const {
        std::size_t const rounds = bytes <= 4096 ? 200 : 20;
        auto const hops = hops_of(comm, grid);
        std::size_t mine = 0;
        for (auto const& each : hops) mine += each.from_rank == comm.rank() ? 1 : 0;
        using way = limits::block_halo::way;
        limits::block_halo a_rank_pair(comm, hops, bytes, way::message_a_rank_pair);
        limits::block_halo a_block_pair(comm, hops, bytes, way::message_a_block_pair);
        set blocks(comm, grid, make_bench_block, {.threads = threads_});
        std::vector<word> const items(bytes / sizeof(word), 1);
        auto const take_and_send = [&](bench_block& self, block_port<word>& port) {
            for (auto const& [source, got] : port.messages()) self.sum += got[0];
            for (block_id const to : port.link()) {
                if (items.size() == 1)
                    port.send(to, self.sum);
                else
                    port.send(to, items);
            }
        };
        auto const exchange = [&] {
            for (std::size_t i = 0; i < rounds; ++i) blocks.exchange<word>(take_and_send);
        };
        auto const exchange_neighbors = [&] {
            for (std::size_t i = 0; i < rounds; ++i) blocks.exchange_neighbors<word>(take_and_send);
        };
        // As many rounds without a step in common: a block goes on when it has heard as often as it has said.
        auto const iexchange = [&] {
            blocks.for_each_port<word>([](bench_block& self, block_port<word>& port) {
                for (word const each : port.received()) self.sum += each; // of exchanges
                self.received = self.rounds = 0;
            });
            blocks.iexchange<word>([&](bench_block& self, block_port<word>& port) {
                for (auto const& [source, got] : port.messages()) {
                    self.sum += got[0];
                    self.received += got.size() / items.size();
                }
                std::size_t const neighbors = port.link().size();
                if (self.rounds == rounds || self.received < self.rounds * neighbors) return;
                ++self.rounds;
                for (block_id const to : port.link()) port.send(to, std::span<word const>(items));
            });
        };
        std::vector<bench_subject> subjects{{"one message a rank pair",
                                                [&] {
                                                    for (std::size_t i = 0; i < rounds; ++i)
                                                        a_rank_pair.round();
                                                }},
            {"one message a block pair",
                [&] {
                    for (std::size_t i = 0; i < rounds; ++i) a_block_pair.round();
                }},
            {"exchange", exchange}, {"exchange_neighbors", exchange_neighbors}, {"iexchange", iexchange}};
        table.measure({"blocks", fmt::format("halo, {} blocks, {} B", grid.blocks(), bytes),
                          static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(mine),
                          static_cast<double>(mine * rounds) / 1e6, "M hops/s a rank"},
            subjects);
    }

    /// A message that goes round all blocks: nothing but hops.
    void hop(communicator const& comm, bench_table& table) const {
        std::int64_t const count = 64;
        constexpr word rounds = 500;
        struct ring {
            std::int64_t count;
            [[nodiscard]] std::int64_t blocks() const { return count; }
            [[nodiscard]] link link_of(block_id block) const {
                std::int64_t const id = index_of(block);
                return link({block_id{(id + 1) % count}, block_id{(id + count - 1) % count}});
            }
        } const chain{count};
        set blocks(comm, chain, make_bench_block, {.threads = threads_});
        auto const pass_on = [&](bench_block&, block_port<word>& port) {
            for (word const left : port.received())
                if (left > 0) port.send(block_id{(index_of(port.id()) + 1) % count}, left - 1);
        };
        auto const begin = [&](word hops) {
            blocks.for_each_port<word>([&](bench_block&, block_port<word>& port) {
                if (port.id() == block_id{0}) port.send(block_id{1}, hops);
            });
        };
        word const by_exchange = rounds;
        word const by_iexchange = rounds * static_cast<word>(count);
        table.measure({"blocks", "hops of one message, iexchange", 8, 1,
                          static_cast<double>(by_iexchange) / 1e6, "M hops/s"},
            {{"iexchange", [&] {
                  begin(by_iexchange);
                  blocks.iexchange<word>(pass_on);
              }}});
        table.measure({"blocks", "hops of one message, exchange", 8, 1,
                          static_cast<double>(by_exchange) / 1e6, "M hops/s"},
            {{"exchange", [&] {
                  begin(by_exchange);
                  (void)blocks.exchange();
                  while (blocks.exchange<word>(pass_on) > 0) {}
              }}});
    }

    /// Nothing to do: what it takes to agree on that.
    void quiet(communicator const& comm, bench_table& table, regular_grid<double> const& grid) const {
        constexpr int times = 2000;
        set blocks(comm, grid, make_bench_block, {.threads = threads_});
        auto const nothing = [](bench_block&, block_port<word>&) {};
        auto const repeated = [](auto&& once) {
            return [once] {
                for (int i = 0; i < times; ++i) once();
            };
        };
        table.measure({"blocks", "nothing to do", 0, 0, times / 1e6, "M/s"},
            {{"all_reduce", repeated([&] { (void)sum(comm, 0); })},
                {"exchange", repeated([&] { (void)blocks.exchange<word>(nothing); })},
                {"iexchange", repeated([&] { blocks.iexchange<word>(nothing); })}});
    }

    /// Random walks, by rounds of exchange and by iexchange.
    class walks {
    public:
        walks(communicator const& comm, regular_grid<double> const& grid, int threads, int walkers,
            std::int64_t hops)
            : blocks_(comm, grid, make_bench_block, {.threads = threads}), walkers_(walkers), hops_(hops) {}

        void by_exchange() {
            begin();
            (void)blocks_.exchange();
            while (blocks_.exchange<walker>(hop) > 0) {}
        }
        void by_iexchange() {
            begin();
            blocks_.iexchange<walker>(hop);
        }

    private:
        void begin() {
            blocks_.for_each_port<walker>([&](bench_block&, block_port<walker>& port) {
                for (int i = 0; i < walkers_; ++i)
                    port.send(port.id(),
                        {static_cast<word>(index_of(port.id())) * 1000 + static_cast<word>(i), hops_});
            });
        }
        static void hop(bench_block& self, block_port<walker>& port) {
            for (walker each : port.received()) {
                ++self.sum;
                if (--each.hops < 0) continue;
                each.random = each.random * 6364136223846793005U + 1442695040888963407U;
                port.send(port.link()[(each.random >> 33) % port.link().size()], each);
            }
        }

        set blocks_;
        int walkers_;
        std::int64_t hops_;
    };

    [[nodiscard]] double hops_a_rank(communicator const& comm, regular_grid<double> const& grid) const {
        return static_cast<double>(grid.blocks()) * walkers_ * static_cast<double>(hops_) / 1e6 / comm.size();
    }

    void walk(communicator const& comm, bench_table& table, regular_grid<double> const& grid) const {
        walks all(comm, grid, threads_, walkers_, hops_);
        table.measure({"blocks", fmt::format("random walks, {} walkers a block", walkers_), 0, 0,
                          hops_a_rank(comm, grid), "M hops/s a rank"},
            {{"exchange", [&] { all.by_exchange(); }}, {"iexchange", [&] { all.by_iexchange(); }}});
    }

    /// The cost of recording a timeline of that.
    void recorded_walk(communicator const& comm, bench_table& table, regular_grid<double> const& grid) const {
        walks all(comm, grid, threads_, walkers_, hops_);
        timeline& lane = timeline_of(comm);
        auto const measure = [&](char const* name, void (walks::*way)()) {
            table.measure({"blocks", fmt::format("random walks by {}", name), 0, 0, hops_a_rank(comm, grid),
                              "M hops/s a rank"},
                {{"not recorded", [&] { (all.*way)(); }}, {"recorded", [&] {
                                                               lane.start(std::size_t{1} << 18);
                                                               (all.*way)();
                                                               lane.stop();
                                                           }}});
        };
        measure("exchange", &walks::by_exchange);
        measure("iexchange", &walks::by_iexchange);
    }

    std::vector<std::string> cases_{"halo", "hop", "quiet", "walk", "union_find", "timeline"};
    std::int64_t side_ = 4;
    std::vector<std::int64_t> bytes_{8};
    int threads_ = 1;
    int walkers_ = 100;
    std::int64_t hops_ = 200;
    int scale_ = 18;
};

} // namespace

std::unique_ptr<benchmark> make_bench_blocks(CLI::App& bench) {
    return std::make_unique<bench_blocks>(bench);
}

} // namespace weft::tool
