/// Programs of users that `simulated_vs_measured.py` runs with MPI and, unchanged, on simulated ranks.
///
/// * weft-cases walks SIDE WALKERS HOPS TIMES: a cube of SIDE blocks a side; WALKERS start in each block and
///   make HOPS hops, in rounds of exchanges and by iexchange
/// * weft-cases exchange BYTES ROUNDS TIMES: in each round a rank writes BYTES bytes and sends them to the
///   next rank, by each protocol
/// * weft-cases mailbox ITEMS TIMES: each rank sends ITEMS words to random ranks, and drains
/// * weft-cases reduce BYTES ROUNDS TIMES: in each round a rank writes an array, and the arrays are added up,
///   on one rank and in shares
///
/// Each prints rows of a name and the median seconds, of a round where there are rounds.
#include <weft/collective/arrays.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/machine/machine_model.hpp>
#include <weft/weft.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using numbers = std::span<std::int64_t const>;

struct walker {
    std::uint64_t random;
    std::int64_t hops;
};

using port_of_block = weft::block_port<walker>;

/// The seconds of the slowest rank.
template <class Subject>
double seconds_of(weft::communicator const& comm, Subject&& subject) {
    weft::transport const& clock = weft::transport_of(comm); // real, or simulated
    (void)weft::max(comm, 0);
    double const start = clock.seconds();
    subject();
    return 1e-9 *
           static_cast<double>(weft::max(comm, static_cast<std::int64_t>(1e9 * (clock.seconds() - start))));
}

double median(std::vector<double>& values) {
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Prints the median seconds of a subject, which begins with `prepare` each time.
void time(weft::communicator const& comm, std::string_view name, std::int64_t times, std::int64_t rounds,
    std::function<void()> const& prepare, std::function<void()> const& subject) {
    std::vector<double> seconds;
    for (std::int64_t i = 0; i <= times; ++i) { // the first is not counted: pages and connections are made
        prepare();
        double const took = seconds_of(comm, subject);
        if (i > 0) seconds.push_back(took / static_cast<double>(rounds));
    }
    if (comm.rank() == 0)
        std::printf("%.*s,%.9f\n", static_cast<int>(name.size()), name.data(), median(seconds));
}

void walk(weft::communicator const& comm, numbers given) {
    std::int64_t const side = given[0], walkers = given[1], hops = given[2], times = given[3];
    weft::regular_grid<double> const grid(
        weft::unit_box(3), weft::per_dimension<std::int64_t>(side), {.wrap = true});
    weft::block_set<std::int64_t> blocks(comm, grid, [](weft::block_id) { return std::int64_t{0}; });
    auto const begin = [&] {
        blocks.for_each_port<walker>([&](std::int64_t&, port_of_block& port) {
            for (std::int64_t i = 0; i < walkers; ++i)
                port.send(port.id(), {static_cast<std::uint64_t>(index_of(port.id()) * 1000 + i), hops});
        });
    };
    auto const hop = [](std::int64_t& visits, port_of_block& port) {
        for (walker each : port.received()) {
            ++visits;
            if (--each.hops < 0) continue;
            each.random = each.random * 6364136223846793005U + 1442695040888963407U;
            port.send(port.link()[(each.random >> 33) % port.link().size()], each);
        }
    };
    time(comm, "exchange", times, 1, begin, [&] {
        (void)blocks.exchange();
        while (blocks.exchange<walker>(hop) > 0) {}
    });
    time(comm, "iexchange", times, 1, begin, [&] { blocks.iexchange<walker>(hop); });
}

void exchange(weft::communicator const& comm, numbers given) {
    std::int64_t const rounds = given[1];
    std::vector<std::byte> payload(static_cast<std::size_t>(given[0]));
    std::vector<std::byte> source(payload.size());
    int const next = (comm.rank() + 1) % comm.size();
    for (weft::protocol const how : weft::all_protocols())
        time(
            comm, weft::name_of(how), given[2], rounds, [] {},
            [&] {
                for (std::int64_t round = 0; round < rounds; ++round) {
                    source.front() = static_cast<std::byte>(round);
                    std::ranges::copy(source, payload.begin());
                    weft::outbox<std::byte> out(comm);
                    out[next].append_view(std::span<std::byte const>(payload));
                    (void)weft::exchange(std::move(out), {.protocol = how});
                }
            });
}

void mailbox(weft::communicator const& comm, numbers given) {
    std::mt19937_64 random(static_cast<std::uint64_t>(comm.rank()));
    std::vector<std::uint64_t> words(static_cast<std::size_t>(given[0]));
    for (std::uint64_t& each : words) each = random();
    std::vector<std::uint64_t> counts(1 << 12);
    weft::mailbox mail(comm);
    auto const channel =
        mail.channel<std::uint64_t>([&](std::uint64_t word) { ++counts[word % counts.size()]; });
    auto const ranks = static_cast<std::uint64_t>(comm.size());
    time(
        comm, "mailbox", given[1], 1, [] {},
        [&] {
            for (std::uint64_t const word : words)
                channel.send(static_cast<int>((word >> 32) * ranks >> 32), word);
            mail.drain();
        });
}

void reduce(weft::communicator const& comm, numbers given) {
    std::int64_t const rounds = given[1];
    std::vector<float> source(static_cast<std::size_t>(given[0]) / sizeof(float), 1);
    std::vector<float> mine(source.size());
    auto const repeated = [&](auto const& once) {
        return [&] {
            for (std::int64_t round = 0; round < rounds; ++round) {
                source.front() = static_cast<float>(round);
                std::ranges::copy(source, mine.begin());
                once(std::span<float>(mine));
            }
        };
    };
    auto const merged = [&](std::span<float> data) { weft::reduce(comm, data, std::plus<>()); };
    auto const shared = [&](std::span<float> data) { (void)weft::reduce_scatter(comm, data, std::plus<>()); };
    time(
        comm, "merge", given[2], rounds, [] {}, repeated(merged));
    time(
        comm, "swap", given[2], rounds, [] {}, repeated(shared));
}

struct named_case {
    std::string_view name;
    std::size_t given;
    void (*run)(weft::communicator const&, numbers);
};
constexpr named_case cases[] = {
    {"walks", 4, walk}, {"exchange", 3, exchange}, {"mailbox", 2, mailbox}, {"reduce", 3, reduce}};

} // namespace

int main(int argc, char** argv) {
    auto const chosen =
        std::ranges::find(cases, std::string_view(argc > 1 ? argv[1] : ""), &named_case::name);
    std::vector<std::int64_t> given;
    for (int i = 2; i < argc; ++i) given.push_back(std::atoll(argv[i]));
    bool const is_right = chosen != std::end(cases) && given.size() == chosen->given;
    if (!is_right || std::ranges::min(given) < 1) {
        std::fputs("usage: weft-cases walks SIDE WALKERS HOPS TIMES\n"
                   "       weft-cases exchange BYTES ROUNDS TIMES\n"
                   "       weft-cases mailbox ITEMS TIMES\n"
                   "       weft-cases reduce BYTES ROUNDS TIMES\n",
            stderr);
        return 2;
    }
    return weft::run(argc, argv, [&](weft::communicator comm) { chosen->run(comm, given); });
}
