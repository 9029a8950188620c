/// The snippets of the guides (docs/), each run here. Run: mpirun -n 3 example_guides
#include <weft/containers/bag.hpp>
#include <weft/containers/map.hpp>
#include <weft/containers/views.hpp>
#include <weft/containers/work_queue.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/mpi.hpp>
#include <weft/weft.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

void own_communicator(MPI_Comm parent) {
    // [own_communicator]
    weft::communicator const comm = weft::make_communicator(parent); // duplicates it once
    weft::outbox<double> out{comm};
    out[(comm.rank() + 1) % comm.size()].push_back(1.5);
    MPI_Request mine = MPI_REQUEST_NULL;
    MPI_Ibarrier(parent, &mine); // messages on `parent` and those of Weft never meet
    auto const inbox = weft::exchange(std::move(out));
    MPI_Wait(&mine, MPI_STATUS_IGNORE);
    // [own_communicator]
}

void errors(weft::communicator const& comm) {
    // [errors]
    int const failing = comm.size() - 1;
    try {
        weft::agreed(comm, [&] {
            if (comm.rank() == failing) throw std::runtime_error("no room on the disk");
        });
    } catch (weft::remote_error const& there) {
        std::printf("rank %d: %s\n", comm.rank(), there.what()); // names the rank: there.rank()
    } catch (std::runtime_error const& here) {
        std::printf("rank %d itself: %s\n", comm.rank(), here.what());
    }
    // all ranks are here, and `comm` can be used
    // [errors]
}

void threads(weft::communicator const& comm) {
    // [threads]
    weft::regular_grid const line{weft::unit_box(1), 16};
    auto const make = [](weft::block_id) { return std::int64_t{0}; };
    weft::block_set<std::int64_t> blocks{comm, line, make, {.threads = 2}}; // callbacks on two threads
    blocks.exchange<int>([](std::int64_t& sum, weft::block_port<int>& port) {
        for (std::int64_t i = 0; i < 1000; ++i) sum += i;           // the block is this callback's alone
        for (weft::block_id each : port.link()) port.send(each, 1); // and so is the port
    });
    // [threads]
}

void memory(weft::communicator const& comm) {
    // [memory]
    weft::mailbox mail{comm, {.buffer_bytes = 1 << 20}}; // of this mailbox on this rank
    std::int64_t sum = 0;
    auto const add = mail.channel<std::int64_t>([&](std::int64_t const& value) { sum += value; });
    for (std::int64_t i = 0; i < 100'000; ++i)
        add.send(0, i); // a full buffer makes the sender wait, and handle
    mail.drain();

    weft::settings changed = comm.settings();
    changed.in_flight_bytes = 8 << 20; // of an exchange, on this rank
    weft::communicator const careful = comm.with(changed);
    // [memory]
    (void)careful;
}

void containers(weft::communicator const& comm) {
    using vertex = std::int64_t;
    weft::mailbox mail{comm};
    weft::map<vertex, std::vector<vertex>> adjacency{mail};
    auto const from = vertex{comm.rank()};
    auto const to = vertex{comm.size()};
    // [containers]
    auto add_edge =
        adjacency.visitor<vertex>([](std::vector<vertex>& list, vertex to) { list.push_back(to); });
    add_edge(from, to); // a key without an entry gets one; visitor_if_contains passes it over
    // [containers]
    weft::map<std::string, std::int64_t> next{mail};
    // [asker]
    auto const draw = next.asker<std::int64_t>([](std::int64_t& value) { return value++; });
    auto first = draw("window"); // the question goes to the rank that owns the key
    auto second = draw("window");
    bool const in_order = first.get() < second.get();
    // [asker]
    if (!in_order) throw std::runtime_error("the order of calls was not kept");
    if (adjacency.find(0) != std::vector<vertex>{to}) throw std::runtime_error("an edge is missing");
}

void queues(weft::communicator const& comm) {
    using vertex = std::int64_t;
    weft::mailbox mail{comm};
    std::set<vertex> reached;
    auto const neighbors_of = [](vertex v) { // of a tree with 127 vertices
        return v < 63 ? std::vector<vertex>{2 * v + 1, 2 * v + 2} : std::vector<vertex>{};
    };
    // [work_queue]
    weft::work_queue<vertex> todo{mail};
    if (comm.rank() == 0) todo.insert(0);
    todo.drain([&](vertex v) { // on the rank that has v
        if (!reached.insert(v).second) return;
        for (vertex const next : neighbors_of(v)) todo.insert_at(static_cast<int>(next % comm.size()), next);
    });
    // [work_queue]
    if (weft::sum(comm, std::ssize(reached)) != 127) throw std::runtime_error("a vertex is missing");
}

void views(weft::communicator const& comm) {
    weft::mailbox mail{comm};
    weft::bag<std::string> lines{mail};
    lines.insert("the warp and the weft");
    auto const words_of = [](std::string const& line) {
        std::vector<std::string> found;
        std::istringstream in{line};
        for (std::string word; in >> word;) found.push_back(word);
        return found;
    };
    // clang-format off
    // [views]
    auto const words = lines | weft::transform(words_of) | weft::flatten() // of weft::bag<std::string> lines
                     | weft::filter([](std::string const& word) { return word.size() > 3; });
    auto const counts = words | weft::transform([](std::string const& word) { return std::pair(word, 1); })
                      | weft::reduce_by_key(std::plus<>{}); // a weft::map<std::string, int>
    auto const all = words.size();
    // [views]
    // clang-format on
    if (all != 2 * comm.size() || counts.find("warp") != comm.size())
        throw std::runtime_error("a word is missing");
}

// [stalls]
class loud final : public weft::stall_listener {
    void stalled(std::string const& text) noexcept override { std::fprintf(stderr, "%s\n", text.c_str()); }
};
// [stalls]

void frames(weft::communicator const& comm) {
    // [frames]
    auto const cells = weft::block_distribution::uniform(comm, 1000); // cell 0..999: who has it
    std::vector<double> temperature(static_cast<std::size_t>(cells.size(comm.rank())), comm.rank());
    std::vector<weft::global_id> const wanted{0, 500, 999, 500}; // any ids, any number of times
    weft::block_to_part const plan{comm, cells, wanted};
    std::vector<double> const mine = plan.exchange(temperature); // in the order of `wanted`
    // [frames]
    if (comm.rank() == 0) std::printf("the last cell is of rank %.0f\n", mine[2]);
}

void plans(weft::communicator const& comm) {
    // [plans]
    int const right = (comm.rank() + 1) % comm.size();
    weft::exchange_plan const plan{comm, std::vector{right}, std::vector<std::int64_t>{3}};
    std::vector<double> const out{1, 2, 3};
    std::vector<double> in(static_cast<std::size_t>(plan.incoming_items()));
    for (int step = 0; step < 10; ++step) plan.exchange(out, in); // one message per neighbour, no search
    std::vector<double> back(3);
    plan.inverse().exchange(in, back); // to where it came from
    // [plans]
    if (back != out) throw std::runtime_error("the inverse of a plan brought other values");
}

void calls(weft::communicator const& comm) {
    // [calls]
    static std::int64_t heard = 0;
    weft::mailbox mail{comm};
    for (int rank = 0; rank < comm.size(); ++rank)
        mail.async(
            rank, [](weft::mailbox&, int from, std::string const&) { heard += from; }, comm.rank(),
            std::string("any wire type"));
    mail.drain();
    // [calls]
    if (heard != comm.size() * (comm.size() - 1) / 2) throw std::runtime_error("a call was lost");
}

void counts(weft::communicator const& comm) {
    // [counts]
    struct word {
        std::int64_t key;
        std::int64_t count;
    };
    std::map<std::int64_t, std::int64_t> counted; // the keys of this rank
    weft::mailbox mail{comm};
    auto const add = mail.channel<word>([&](word const& w) { counted[w.key] += w.count; },
        weft::combine_by{[](word const& w) { return w.key; },
            [](word& into, word const& from) { into.count += from.count; }});
    for (std::int64_t i = 0; i < 1000; ++i) add.send(static_cast<int>(i % 10 % comm.size()), {i % 10, 1});
    mail.drain(); // some 10 messages left this rank, not 1,000: `mail.counters().sent`
    // [counts]
    for (auto const& [key, count] : counted)
        if (count != 100 * comm.size()) throw std::runtime_error("a word was lost");
}

void halo(weft::communicator const& comm) {
    // [halo]
    weft::regular_grid const grid{weft::cell_box(64, 64), {1, 4}}; // four strips of rows
    struct strip {
        std::int64_t lo, hi;      // has the rows lo to hi - 1, and a ghost on either side
        std::vector<double> rows; // of 64 values each
        std::span<double> row(std::int64_t y) {
            return std::span(rows).subspan(static_cast<std::size_t>(y - lo + 1) * 64, 64);
        }
    };
    auto const make = [&](weft::block_id id) {
        auto const own = grid.bounds(id);
        auto const rows = static_cast<std::size_t>(own.hi[1] - own.lo[1] + 2);
        return strip{own.lo[1], own.hi[1], std::vector<double>(rows * 64, static_cast<double>(own.lo[1]))};
    };
    weft::block_set<strip> blocks{comm, grid, make};
    auto const is_below = [&](weft::block_id id, strip const& s) { return grid.bounds(id).lo[1] < s.lo; };
    blocks.for_each_port<double>([&](strip& s, weft::block_port<double>& port) {
        for (weft::block_id to : port.link()) port.send(to, s.row(is_below(to, s) ? s.lo : s.hi - 1));
    });
    blocks.exchange();
    blocks.for_each_port<double>([&](strip& s, weft::block_port<double>& port) {
        for (auto const& [source, items] : port.messages()) // one of each neighbour
            std::ranges::copy(items, s.row(is_below(source, s) ? s.lo - 1 : s.hi).begin());
    });
    // [halo]
    for (auto const& [id, s] : blocks.local())
        if (s.lo > 0 && s.row(s.lo - 1)[0] != static_cast<double>(s.lo - 16))
            throw std::runtime_error("a row of ghosts is wrong");
}

} // namespace

int main(int argc, char** argv) {
    weft::environment env{argc, argv};
    weft::communicator comm = env.world();
    loud listener;
    weft::stalls_of(comm).listener = &listener;
    weft::stalls_of(comm).seconds = 30;
    own_communicator(MPI_COMM_WORLD);
    errors(comm);
    threads(comm);
    memory(comm);
    containers(comm);
    queues(comm);
    views(comm);
    frames(comm);
    plans(comm);
    calls(comm);
    counts(comm);
    halo(comm);
    weft::stalls_of(comm).listener = nullptr;
    if (comm.rank() == 0) std::printf("all snippets have run\n");
}
