/// Programs of users, one a name, which simulated_test.py runs on simulated ranks.
#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/extend/observe/activity.hpp>
#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/directory.hpp>
#include <weft/machine/machine_model.hpp>
#include <weft/weft.hpp>

#include <weft/mpi.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using weft::communicator;

void expect(bool right, std::string const& what) {
    if (!right) throw std::runtime_error("wrong: " + what);
}

std::int64_t sum_of_ranks(communicator const& comm) {
    return std::int64_t{comm.size()} * (comm.size() - 1) / 2;
}

void exchange_by_all_protocols(communicator const& comm) {
    for (weft::protocol const how : weft::all_protocols()) {
        weft::outbox<int> out{comm};
        for (int d = 1; d <= 3; ++d) out[(comm.rank() + d) % comm.size()].push_back(comm.rank());
        std::int64_t sum = 0;
        for (auto [source, items] : weft::exchange(std::move(out), {.protocol = how}))
            for (int item : items) sum += item == source ? item : -1000000;
        std::int64_t expected = 0;
        for (int d = 1; d <= 3; ++d) expected += (comm.rank() + 3 * comm.size() - d) % comm.size();
        expect(sum == expected, "exchange by " + std::string(name_of(how)));
    }
}

void long_messages(communicator const& comm) {
    weft::outbox<std::int64_t> out{comm};
    std::vector<std::int64_t> const many(20'000, comm.rank());
    for (std::int64_t each : many) out[(comm.rank() + 1) % comm.size()].push_back(each);
    for (auto [source, items] : weft::exchange(std::move(out)))
        expect(items.size() == many.size() && items[19'999] == source, "a long message");
}

void mail_with_answers(communicator const& comm) {
    std::int64_t heard = 0;
    weft::mailbox mail{comm, {.buffer_bytes = 65536}};
    auto answer = mail.channel<int>([&](int from) { heard += from; });
    auto ask = mail.channel<int>([&](int from) { answer.send(from, comm.rank()); });
    for (int i = 0; i < 2000; ++i) ask.send((comm.rank() + i) % comm.size(), comm.rank());
    mail.drain();
    std::int64_t expected = 0;
    for (int i = 0; i < 2000; ++i) expected += (comm.rank() + i) % comm.size();
    expect(heard == expected, "answers of a mailbox");
}

/// Texts that travel in pieces, and texts that their receivers ask for.
void long_mail(communicator const& comm) {
    weft::mailbox mail(comm);
    std::int64_t bytes = 0;
    auto const texts = mail.channel<std::string>([&](std::string const& text) { bytes += std::ssize(text); });
    std::int64_t sent = 0;
    for (int const length : {100, 5000, 70'000, 300'000})
        for (int const away : {1, comm.size() - 1}) {
            texts.send(
                (comm.rank() + away) % comm.size(), std::string(static_cast<std::size_t>(length), 'x'));
            sent += length;
        }
    texts.broadcast(std::string(100'000, 'y'));
    mail.drain();
    expect(bytes == sent + std::int64_t{100'000} * comm.size(), "all texts have come");
}

void mail_in_a_loop_of_the_program(communicator const& comm) {
    std::int64_t heard = 0;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int value) { heard += value; });
    tell.send((comm.rank() + 1) % comm.size(), comm.rank());
    while (!mail.test_empty()) {}
    expect(heard == (comm.rank() + comm.size() - 1) % comm.size(), "mail in a loop");
}

/// Appends the order in which rank 0 has heard the others to the file ORDERS_FILE; the order BREAKS_IN_ORDER
/// is wrong.
void look_at_order(communicator const& comm, std::string const& order) {
    if (comm.rank() > 0) return;
    if (char const* const name = std::getenv("ORDERS_FILE"))
        std::ofstream(name, std::ios::app) << order << '\n';
    char const* const wrong = std::getenv("BREAKS_IN_ORDER");
    expect(wrong == nullptr || order != wrong, "an order");
}

void exchange_in_any_order(communicator const& comm) {
    std::string order;
    weft::outbox<int> out{comm};
    if (comm.rank() > 0) out[0].push_back(comm.rank());
    weft::exchange(std::move(out), [&](int source, std::span<int const>) { order += std::to_string(source); },
        {.protocol = weft::protocol::nbx});
    look_at_order(comm, order);
}

void mail_in_any_order(communicator const& comm) {
    std::string order;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int from) { order += std::to_string(from); });
    if (comm.rank() > 0) tell.send(0, comm.rank());
    mail.drain();
    look_at_order(comm, order);
}

/// The order has a mark behind each look that has found something.
void mail_in_any_looks(communicator const& comm) {
    std::string order;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int from) { order += std::to_string(from); });
    if (comm.rank() > 0) tell.send(0, comm.rank());
    for (bool over = false; !over;) {
        over = mail.test_empty();
        if (!order.empty() && order.back() != '|') order += '|';
    }
    look_at_order(comm, order);
}

void blocks_that_walk(communicator const& comm) {
    weft::regular_grid const ring{weft::unit_box(1), 2 * comm.size() + 1, {.wrap = true}};
    weft::block_set<std::int64_t> blocks{comm, ring, [](weft::block_id) { return 0; }, {.threads = 2}};
    blocks.for_each_port<int>([](std::int64_t&, weft::block_port<int>& port) { port.send(port.id(), 20); });
    blocks.iexchange<int>([](std::int64_t& visits, weft::block_port<int>& port) {
        for (int hops : port.received()) {
            ++visits;
            if (hops > 0)
                port.send(port.link()[static_cast<std::size_t>(hops) % port.link().size()], hops - 1);
        }
    });
    auto const visits = blocks.all_reduce<std::int64_t>(
        [](std::int64_t mine, weft::block_id) { return mine; }, std::plus<>{});
    expect(visits == 21 * (2 * comm.size() + 1), "visits of iexchange");
}

void values_of_all(communicator const& comm) {
    expect(weft::sum(comm, std::int64_t{comm.rank()}) == sum_of_ranks(comm), "a sum");
    std::string const word = weft::all_reduce(
        comm, std::string(1, static_cast<char>('a' + comm.rank() % 26)), std::plus<>{}); // not commutative
    for (int r = 0; r < comm.size(); ++r)
        expect(word[static_cast<std::size_t>(r)] == static_cast<char>('a' + r % 26), "an ordered reduction");
    std::vector<int> const ranks = weft::all_gather(comm, comm.rank());
    expect(std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0}) == sum_of_ranks(comm), "a gather");
}

void frames_there_and_back(communicator const& comm) {
    std::vector<weft::global_id> ids;
    for (int i = 0; i < 10; ++i)
        ids.push_back(weft::global_id{(10 * comm.rank() + 7 * i) % (10 * comm.size())});
    weft::block_to_part const plan{comm, weft::block_distribution::uniform(comm, 10 * comm.size()), ids};
    std::vector<std::int64_t> block(static_cast<std::size_t>(10));
    std::iota(block.begin(), block.end(), std::int64_t{10} * comm.rank());
    std::vector<std::int64_t> const values = plan.exchange(block);
    for (std::size_t i = 0; i < ids.size(); ++i) expect(values[i] == ids[i], "values by id");
}

void parts_of_the_ranks(communicator const& comm) {
    communicator const half = comm.split(comm.rank() % 2, -comm.rank());
    int const color = comm.rank() % 2;
    int const members = (comm.size() + 1 - color) / 2;
    expect(half.size() == members, "ranks of a split");
    expect(half.rank() == members - 1 - comm.rank() / 2, "order of a split");
    std::int64_t expected = 0;
    for (int r = color; r < comm.size(); r += 2) expected += r;
    expect(weft::sum(half, std::int64_t{comm.rank()}) == expected, "a sum of a split");
    exchange_by_all_protocols(half);
    mail_with_answers(half);
    weft::settings changed = comm.settings();
    changed.exchange = weft::protocol::pex;
    changed.ranks_per_node = "2";
    communicator const other = comm.with(changed);
    expect(other.rank() == comm.rank() && other.topology().node() == comm.rank() / 2, "pretend nodes");
    exchange_by_all_protocols(other);
}

void the_collective_census(communicator const& comm) {
    weft::settings changed = comm.settings();
    changed.all_reduce = weft::all_reduce_method::collective;
    exchange_by_all_protocols(comm.with(changed));
    exchange_by_all_protocols(comm.with(changed).split(comm.rank() % 2));
}

/// Ranks of a node share memory, as with MPI; WEFT_SHARED_MEMORY=off changes messages and not what is
/// computed.
void memory_of_nodes(communicator const& comm) {
    auto const expect_memory = [&](weft::mailbox const& mail, bool is_wanted) {
        expect(mail.shares_memory() == (is_wanted && comm.settings().shared_memory), mail.why_not_shared());
    };
    auto const is_wanted = [](communicator const& over) { return over.topology().largest_node() > 1; };
    for (weft::route const how : {weft::route::direct, weft::route::node_local, weft::route::nlnr}) {
        weft::mailbox mail{comm, {.route = how, .buffer_bytes = 4096}};
        expect_memory(mail, is_wanted(comm));
        std::int64_t heard = 0;
        auto tell = mail.channel<int>([&](int value) { heard += value; });
        for (int i = 0; i < 5000; ++i) tell.send(i % comm.size(), i);
        while (!mail.test_empty()) {} // in a loop of the program
        std::int64_t expected = 0;
        for (int i = comm.rank(); i < 5000; i += comm.size()) expected += std::int64_t{comm.size()} * i;
        expect(heard == expected, "mail inside and between nodes");
    }
    communicator const part = comm.split(comm.rank() % 2, -comm.rank());
    mail_with_answers(part);
    expect_memory(weft::mailbox{part}, is_wanted(part));
    blocks_that_walk(comm);

    std::vector<weft::global_id> ids;
    for (int i = 0; i < 100; ++i) ids.push_back((100 * comm.rank() + 70 * i) % (100 * comm.size()));
    weft::block_to_part const plan{comm, weft::block_distribution::uniform(comm, 100 * comm.size()), ids,
        {.transfer = weft::frame_transfer::shared}};
    std::vector<std::int64_t> block(100);
    for (int round = 1; round <= 3; ++round) {
        std::iota(block.begin(), block.end(), std::int64_t{100} * comm.rank() * round);
        std::vector<std::int64_t> const values = plan.exchange(block);
        for (std::size_t i = 0; i < ids.size(); ++i)
            expect(values[i] == ids[i] % 100 + ids[i] / 100 * 100 * round, "values through memory");
    }

    weft::settings changed = comm.settings();
    changed.ranks_per_node = std::to_string(comm.size()); // these are ranks of several nodes of the machine
    communicator const pretends = comm.with(changed);
    mail_with_answers(pretends);
    expect_memory(weft::mailbox{pretends}, is_wanted(comm) && comm.topology().node_count() == 1);
}

void messages_inside_of_nodes(communicator const& comm) {
    expect(comm.topology().largest_node() > 1 && !weft::mailbox{comm}.shares_memory(),
        "messages inside of nodes");
    mail_with_answers(comm);
}

/// Memory of mailboxes that have ended is free again.
void memory_of_many_mailboxes(communicator const& comm) {
    auto const mappings = [] {
        std::ifstream file("/proc/self/maps");
        std::int64_t count = 0;
        for (std::string line; std::getline(file, line);)
            if (line.find("/dev/zero") != std::string::npos) ++count;
        return count;
    };
    for (int bytes = 4096; bytes < 4096 * 30; bytes += 4096) {
        weft::mailbox mail{comm, {.buffer_bytes = bytes}};
        auto tell = mail.channel<int>([](int) {});
        tell.send((comm.rank() + 1) % comm.size(), 1);
        mail.drain();
    }
    std::int64_t const left = mappings();
    expect(left > 0 && left <= 4 * comm.size(), "memory of mailboxes that have ended");
}

void dropped_handles(communicator const& comm) {
    weft::outbox<int> out{comm};
    out[(comm.rank() + 1) % comm.size()].push_back(1);
    auto under_way = weft::start_exchange(std::move(out));
    if (comm.rank() == 0) return;
    expect(std::move(under_way).get().size() == 1, "a message of a rank that left");
}

/// An exception is handled while others throw and catch theirs.
void exceptions_that_overlap(communicator const& comm) {
    for (int i = 0; i < 3; ++i) {
        try {
            throw comm.rank() * 10 + i;
        } catch (int mine) {
            (void)weft::sum(comm, std::int64_t{1}); // others run
            try {
                throw std::to_string(mine);
            } catch (std::string const& inner) {
                (void)weft::sum(comm, std::int64_t{1});
                expect(inner == std::to_string(comm.rank() * 10 + i), "an inner exception");
            }
            try {
                throw;
            } catch (int again) { expect(again == comm.rank() * 10 + i, "an exception thrown again"); }
        }
    }
}

void throw_in_a_handler(communicator const& comm) {
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int) {
        if (comm.rank() == 1) throw std::runtime_error("the harvest is lost");
    });
    tell.send((comm.rank() + 1) % comm.size(), 1);
    mail.drain();
}

void throw_alone(communicator const& comm) {
    if (comm.rank() == 1) throw std::runtime_error("the harvest is lost");
    (void)weft::sum(comm, std::int64_t{1});
}

void call_different_verbs(communicator const& comm) {
    if (comm.rank() == 0) {
        weft::mailbox const mail{comm};
        return;
    }
    (void)comm.split(0);
}

void throw_a_usage_error(communicator const& comm) {
    (void)comm.split(-1);
}

void ask_for_mpi(communicator const& comm) {
    int refused = 0;
    try {
        (void)weft::native_handle(comm);
    } catch (weft::usage_error const&) { ++refused; }
    try {
        (void)weft::make_communicator(MPI_COMM_WORLD);
    } catch (weft::usage_error const&) { ++refused; }
    try {
        weft::environment const mine;
    } catch (weft::usage_error const&) { ++refused; }
    expect(refused == 3, "MPI is refused");
}

void compute_in_turn(communicator const& comm) {
    weft::advance(comm.rank() == 0 ? 2.5 : 0.25);
    (void)weft::sum(comm, std::int64_t{1});
}

void work_for_20_ms(communicator const& comm) {
    auto const begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(20)) {}
    (void)weft::sum(comm, std::int64_t{1});
}

/// Wakes rank 1 by tag 3. It looks for tag 1 before that message comes, and for tag 2 after it has come.
void come_between_two_looks(communicator const& comm) {
    weft::transport& via = weft::transport_of(comm);
    std::byte word{};
    std::span<std::byte> const room(&word, 1);
    if (comm.rank() == 0)
        for (auto const& [seconds, tag] : {std::pair{5.0, 3}, std::pair{0.5, 1}}) {
            weft::advance(seconds);
            weft::request sent = via.send(1, tag, room, weft::send_mode::standard);
            expect(via.test(sent), "a short message is sent at once");
        }
    if (comm.rank() != 1) return;
    weft::activity_scope const call(weft::activity_of(comm), "a call"); // which sleeps until something comes
    weft::drive(weft::backoff(0), [&] {
        if (auto const found = via.probe(0, 1)) {
            weft::request got = via.receive(*found, room);
            expect(via.test(got), "the message is here");
            return weft::progress::done;
        }
        weft::advance(1);
        expect(!via.probe(0, 2), "nobody sends with tag 2");
        return weft::progress::none;
    });
    auto const first = via.probe(0, 3);
    weft::request got = via.receive(first.value(), room);
    expect(via.test(got), "the first message is here");
}

int depth_of(int left) {
    std::array<char volatile, 4096> page{};
    page[static_cast<std::size_t>(left) % page.size()] = 1;
    return left == 0 ? page[0] : depth_of(left - 1) + page[1];
}

std::map<std::string, std::function<void(communicator const&)>> const programs{
    {"exchange", exchange_by_all_protocols},
    {"long_messages", long_messages},
    {"mailbox", mail_with_answers},
    {"long_mail", long_mail},
    {"loop", mail_in_a_loop_of_the_program},
    {"exchange_in_any_order", exchange_in_any_order},
    {"mail_in_any_order", mail_in_any_order},
    {"mail_in_any_looks", mail_in_any_looks},
    {"blocks", blocks_that_walk},
    {"values", values_of_all},
    {"frames", frames_there_and_back},
    {"split", parts_of_the_ranks},
    {"census", the_collective_census},
    {"nodes", memory_of_nodes},
    {"messages_inside", messages_inside_of_nodes},
    {"many_mailboxes", memory_of_many_mailboxes},
    {"dropped", dropped_handles},
    {"exceptions", exceptions_that_overlap},
    {"throw_in_a_handler", throw_in_a_handler},
    {"throw_alone", throw_alone},
    {"different", call_different_verbs},
    {"usage", throw_a_usage_error},
    {"mpi", ask_for_mpi},
    {"compute", compute_in_turn},
    {"work", work_for_20_ms},
    {"between", come_between_two_looks},
    {"deep", [](communicator const&) { (void)depth_of(200); }},
};

} // namespace

int main(int argc, char** argv) {
    std::string const name = argc > 1 ? argv[1] : "";
    auto const found = programs.find(name);
    if (found == programs.end()) return 2;
    return weft::run(argc, argv, [&](communicator comm) {
        found->second(comm);
        if (weft::sum(comm, std::int64_t{1}) == comm.size() && comm.rank() == 0)
            std::printf("right on %d ranks\n", comm.size());
    });
}
