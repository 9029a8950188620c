#include "bench.hpp"
#include "bench_mailbox_combine.hpp"
#include "bench_mailbox_users.hpp"
#include "options/number_check.hpp"
#include "report/terminal.hpp"

#include <bulk_all_to_all.hpp>
#include <flag_round.hpp>
#include <local_limits.hpp>
#include <mpi_relay.hpp>
#include <tuned_ring.hpp>

#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <random>
#include <vector>

namespace weft::tool {

namespace {

using words = std::vector<std::uint64_t>;

/// The table that functions of `async` count in: they capture nothing.
words* table_of_calls = nullptr;

/// The work of all cases: random words, each of which belongs to an entry of a table on some rank.
struct workload {
    workload(communicator const& comm, std::int64_t items, std::int64_t table_bytes)
        : ranks(static_cast<unsigned>(comm.size())),
          table(std::bit_floor(static_cast<std::size_t>(table_bytes) / sizeof(std::uint64_t))),
          sources(static_cast<std::size_t>(items)),
          destinations(sources.size()) {
        std::mt19937_64 next(static_cast<std::uint64_t>(comm.rank()) + 1);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            sources[i] = next() & 0xFFFFFFFF; // so that items of 4 bytes do
            destinations[i] = owner(sources[i]);
        }
    }
    [[nodiscard]] int owner(std::uint64_t word) const noexcept {
        return static_cast<int>((word >> 24) * ranks >> 8);
    }

    unsigned ranks;
    words table;
    words sources;
    std::vector<int> destinations;
};

/// An item of a size, made of a word.
template <std::size_t Bytes>
struct wide_item {
    std::uint64_t word;
    std::byte rest[Bytes - sizeof(std::uint64_t)];
    wide_item() = default;
    explicit wide_item(std::uint64_t source) : word(source), rest{} {}
    explicit operator std::uint64_t() const noexcept { return word; }
};

class bench_mailbox final : public benchmark {
public:
    explicit bench_mailbox(CLI::App& bench) {
        parser_ = bench.add_subcommand("mailbox",
            "Compare small messages to random ranks by a mailbox with a ring buffer tuned by hand, with one "
            "MPI_Alltoallv for all items, and with a serial loop; also measure index gather, broadcasts, "
            "long messages, a drain without messages and the time of a hop");
        parser_
            ->add_option("--case", cases_,
                "Cases to measure: histogram, transport (the same through MPI alone), combine, gather, "
                "broadcast, payload, drain (on one node), open, hop, users (degrees and products of R-MAT "
                "graphs); "
                "all")
            ->check(CLI::IsMember(std::vector<std::string>(cases_)));
        parser_->add_option("--items", items_, "Items a rank")->check(above_zero())->capture_default_str();
        parser_->add_option("--item-bytes", item_bytes_, "Bytes of an item of the histogram")
            ->check(CLI::IsMember({4, 8, 16, 32}))
            ->capture_default_str();
        parser_->add_option("--table-bytes", table_bytes_, "Bytes of the table of a rank")
            ->capture_default_str();
        parser_->add_option("--scale", scale_, "Scale of the R-MAT graph of the case users")
            ->check(between(1, 40))
            ->capture_default_str();
        parser_
            ->add_option(
                "--combine-entries", combine_entries_, "Number of entries of the cache in the case combine")
            ->capture_default_str();
        parser_
            ->add_option("--route", routes_, "Routes of the mailbox: direct, node_local, node_remote, nlnr")
            ->check(CLI::IsMember({"direct", "node_local", "node_remote", "nlnr", "automatic"}))
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        workload work(comm, items_, table_bytes_);
        bool const one_node = comm.topology().node_count() == 1;
        for (std::string const& name : cases_) {
            if (name == "histogram")
                for (int const bytes : item_bytes_) histogram_of(comm, table, work, bytes, one_node);
            if (name == "transport") transport_only(comm, table, work);
            if (name == "combine") bench_mailbox_combine(comm, table, items_, combine_entries_);
            if (name == "gather") gather(comm, table, work);
            if (name == "broadcast") broadcasts(comm, table);
            if (name == "payload") payloads(comm, table);
            if (name == "drain" && one_node) empty_drain(comm, table);
            if (name == "open") opened(comm, table);
            if (name == "hop") hops(comm, table);
            if (name == "users") bench_mailbox_users(comm, table, scale_);
        }
    }

private:
    [[nodiscard]] static mailbox_options by(std::string const& name) {
        mailbox_options options;
        for (route const each : {route::direct, route::node_local, route::node_remote, route::nlnr})
            if (name == name_of(each)) options.route = each;
        return options;
    }
    [[nodiscard]] static bench_case in_millions(std::string name, std::int64_t bytes, double items) {
        return {"mailbox", std::move(name), bytes, 0, items / 1e6, "M/s a rank"};
    }

    void histogram_of(
        communicator const& comm, bench_table& table, workload& work, int bytes, bool one_node) const {
        if (bytes == 4) histogram<std::uint32_t>(comm, table, work, one_node);
        if (bytes == 8) histogram<std::uint64_t>(comm, table, work, one_node);
        if (bytes == 16) histogram<wide_item<16>>(comm, table, work, one_node);
        if (bytes == 32) histogram<wide_item<32>>(comm, table, work, one_node);
    }

    template <class Item>
    void histogram(communicator const& comm, bench_table& table, workload& work, bool one_node) const {
        std::uint64_t* const counts = work.table.data();
        std::uint64_t const mask = work.table.size() - 1;
        auto const owner = [&work](std::uint64_t word) { return work.owner(word); };
        auto const count = [counts, mask](
                               Item const& item) { ++counts[static_cast<std::uint64_t>(item) & mask]; };
        std::vector<bench_subject> subjects;
        limits::ring_shape shape;
        if (comm.size() > 2) shape.slot_bytes = 16384;
        std::unique_ptr<limits::tuned_ring> ring;
        if (one_node) {
            ring = std::make_unique<limits::tuned_ring>(comm, shape);
            subjects.push_back(
                {"tuned ring", [&] { ring->run<Item, std::uint64_t>(work.sources, owner, count); }});
        }
        limits::bulk_all_to_all bulk(comm);
        subjects.push_back(
            {"bulk alltoallv", [&] { bulk.run<Item, std::uint64_t>(work.sources, owner, count); }});
        subjects.push_back({"serial loop", [&] { limits::serial_histogram(work.sources, work.table); }});

        struct by_route {
            by_route(communicator const& over, std::string const& how) : name(how), mail(over, by(how)) {}
            std::string name;
            mailbox mail;
        };
        std::vector<std::unique_ptr<by_route>> mailboxes;
        std::vector<Item> items;
        for (std::uint64_t const word : work.sources) items.push_back(static_cast<Item>(word));
        for (std::string const& name : routes_) {
            mailboxes.push_back(std::make_unique<by_route>(comm, name));
            mailbox& mail = mailboxes.back()->mail;
            auto const channel = mail.channel<Item>(count);
            subjects.push_back({"send, " + name, [&work, &mail, channel] {
                                    auto const to = channel; // a local variable, as in a program
                                    for (std::uint64_t const word : work.sources)
                                        to.send(work.owner(word), static_cast<Item>(word));
                                    mail.drain();
                                }});
            subjects.push_back({"bulk send, " + name, [&work, &mail, &items, channel] {
                                    auto const to = channel;
                                    to.send(work.destinations, items);
                                    mail.drain();
                                }});
        }
        if (constexpr bool is_word = sizeof(Item) == sizeof(std::uint64_t); is_word && one_node) {
            table_of_calls = &work.table;
            subjects.push_back({"ring with calls",
                [&] { ring->run_calls<Item, std::uint64_t>(work.sources, owner, count); }});
            subjects.push_back({"async", [&work, &mail = mailboxes.front()->mail] {
                                    for (std::uint64_t const word : work.sources)
                                        mail.async(
                                            work.owner(word),
                                            [](std::uint64_t item) {
                                                words& all = *table_of_calls;
                                                ++all[item & (all.size() - 1)];
                                            },
                                            word);
                                    mail.drain();
                                }});
        }
        std::vector<mailbox_counters> before;
        for (auto const& each : mailboxes) before.push_back(each->mail.counters());
        table.measure(in_millions(fmt::format("histogram, {}", bytes_as_text(sizeof(Item))), sizeof(Item),
                          static_cast<double>(work.sources.size())),
            subjects);
        if (one_node) return;
        for (std::size_t i = 0; i < mailboxes.size(); ++i) {
            mailbox_counters const now = mailboxes[i]->mail.counters();
            std::int64_t const buffers = sum(comm, now.between_buffers - before[i].between_buffers);
            std::int64_t const bytes = sum(comm, now.between_bytes - before[i].between_bytes);
            table.note(fmt::format("{}: {} messages between nodes, of {} on average", mailboxes[i]->name,
                grouped(buffers),
                bytes_as_text(
                    static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(buffers, 1)))));
        }
    }

    void transport_only(communicator const& comm, bench_table& table, workload& work) const {
        settings chosen = comm.settings();
        chosen.shared_memory = false;
        mailbox mail(comm.with(chosen));
        std::uint64_t* const counts = work.table.data();
        std::uint64_t const mask = work.table.size() - 1;
        auto const count = [counts, mask](std::uint64_t item) { ++counts[item & mask]; };
        auto const channel = mail.channel<std::uint64_t>(count);
        limits::bulk_all_to_all bulk(comm);
        table.measure(in_millions("without shared memory", sizeof(std::uint64_t),
                          static_cast<double>(work.sources.size())),
            {{"bulk alltoallv",
                 [&] {
                     bulk.run<std::uint64_t, std::uint64_t>(
                         work.sources, [&](std::uint64_t word) { return work.owner(word); }, count);
                 }},
                {"send", [&] {
                     for (std::uint64_t const word : work.sources) channel.send(work.owner(word), word);
                     mail.drain();
                 }}});
    }

    void gather(communicator const& comm, bench_table& table, workload& work) const {
        mailbox mail(comm);
        auto const lookup = mail.service<std::uint64_t, std::uint64_t>(
            [&](std::uint64_t index) { return work.table[index & (work.table.size() - 1)]; });
        mailbox counting(comm);
        auto const channel = counting.channel<std::uint64_t>(
            [&](std::uint64_t item) { ++work.table[item & (work.table.size() - 1)]; });
        words result(work.sources.size());
        limits::bulk_gather bulk(comm);
        int const log_part = std::countr_zero(work.table.size());
        words indices(work.sources.size());
        for (std::size_t i = 0; i < indices.size(); ++i)
            indices[i] = static_cast<std::uint64_t>(work.destinations[i]) << log_part |
                         (work.sources[i] & (work.table.size() - 1));
        table.measure(in_millions("index gather", 8, static_cast<double>(work.sources.size())),
            {{"histogram",
                 [&] {
                     for (std::uint64_t const word : work.sources) channel.send(work.owner(word), word);
                     counting.drain();
                 }},
                {"bulk alltoallv", [&] { bulk.run(indices, work.table, log_part, result); }},
                {"ask", [&] {
                     lookup.ask(work.destinations, work.sources, std::span<std::uint64_t>(result));
                     mail.drain();
                 }}});
    }

    void broadcasts(communicator const& comm, bench_table& table) const {
        constexpr int times = 500'000;
        std::vector<bench_subject> subjects;
        std::vector<std::unique_ptr<mailbox>> mailboxes;
        std::uint64_t sum = 0;
        for (std::string const& name : routes_) {
            mailboxes.push_back(std::make_unique<mailbox>(comm, by(name)));
            mailbox& mail = *mailboxes.back();
            auto const all = mail.channel<std::uint64_t>([&sum](std::uint64_t item) { sum += item; });
            subjects.push_back({"broadcast, " + name, [&mail, all] {
                                    for (std::uint64_t i = 0; i < times; ++i) all.broadcast(i);
                                    mail.drain();
                                }});
        }
        table.measure(
            in_millions("broadcast, deliveries", 8, times * static_cast<double>(comm.size())), subjects);
    }

    void payloads(communicator const& comm, bench_table& table) const {
        for (std::size_t const bytes : {std::size_t{1} << 18, std::size_t{1} << 21}) {
            constexpr std::size_t total = std::size_t{1} << 26;
            words const payload(bytes / sizeof(std::uint64_t), 1);
            words place(payload.size());
            mailbox mail(comm);
            auto const to = mail.channel<words>([&](std::span<std::uint64_t const> got) {
                std::copy(got.begin(), got.end(), place.begin());
            });
            auto const touched = mail.channel<words>([](std::span<std::uint64_t const>) {});
            limits::block_copy copy(bytes, total);
            int const right = (comm.rank() + 1) % comm.size();
            auto const send_all = [&](channel<words> const& by_channel) {
                return [&, by_channel] {
                    for (std::size_t sent = 0; sent < total; sent += bytes) by_channel.send(right, payload);
                    mail.drain();
                };
            };
            table.measure(
                {"mailbox", fmt::format("vectors of {}", bytes_as_text(static_cast<double>(bytes))),
                    static_cast<std::int64_t>(bytes), 1, static_cast<double>(total) / 1e9, "GB/s a rank"},
                {{"memory copy", [&] { copy.run(); }}, {"send", send_all(touched)},
                    {"send, and copy out", send_all(to)}});
        }
    }

    void empty_drain(communicator const& comm, bench_table& table) const {
        constexpr int times = 20'000;
        mailbox mail(comm);
        limits::flag_round flags(comm);
        limits::mpi_round const barrier(comm);
        auto const repeated = [](auto&& once) {
            return [once] {
                for (int i = 0; i < times; ++i) once();
            };
        };
        table.measure({"mailbox", "empty drain", 0, 0, times / 1e6, "M/s"},
            {{"flag round", repeated([&] { flags.round(); })},
                {"MPI_Barrier", repeated([&] { barrier.round(); })},
                {"drain", repeated([&] { mail.drain(); })}});
    }

    void opened(communicator const& comm, bench_table& table) const {
        constexpr int times = 200;
        limits::mpi_round const barrier(comm);
        auto const repeated = [](auto&& once) {
            return [once] {
                for (int i = 0; i < times; ++i) once();
            };
        };
        table.measure({"mailbox", "made and closed", 0, 0, times / 1e6, "M/s"},
            {{"MPI_Barrier", repeated([&] { barrier.round(); })},
                {"mailbox", repeated([&] { mailbox const mail(comm); })}});
    }

    void hops(communicator const& comm, bench_table& table) const {
        constexpr int times = 20'000;
        limits::mpi_relay const relay(comm);
        mailbox mail(comm);
        channel<int>* to = nullptr;
        auto ring = mail.channel<int>([&](int left) {
            if (left > 0) to->send((comm.rank() + 1) % comm.size(), left - 1);
        });
        to = &ring;
        table.measure({"mailbox", "hop of a ring of messages", 8, 1, times * comm.size() / 1e6, "M hops/s"},
            {{"MPI_Send, MPI_Recv", [&] { relay.run(times); }}, {"mailbox", [&] {
                                                                     if (comm.rank() == 0)
                                                                         ring.send(1 % comm.size(),
                                                                             times * comm.size());
                                                                     mail.drain();
                                                                 }}});
    }

    std::vector<std::string> cases_{"histogram", "transport", "combine", "gather", "broadcast", "payload",
        "drain", "open", "hop", "users"};
    std::int64_t items_ = std::int64_t{1} << 22;
    std::vector<int> item_bytes_{8};
    std::int64_t table_bytes_ = std::int64_t{1} << 20;
    int scale_ = 18;
    std::size_t combine_entries_ = std::size_t{1} << 18; // as many as vertices
    std::vector<std::string> routes_{"direct"};
};

} // namespace

std::unique_ptr<benchmark> make_bench_mailbox(CLI::App& bench) {
    return std::make_unique<bench_mailbox>(bench);
}

} // namespace weft::tool
