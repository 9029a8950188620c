/// Work that makes work: a random walk from vertices that are drawn by their weights, items with ids, and
/// containers in files. Run: mpirun -n 4 example_21_queues FOLDER
#include <weft/containers/alias_table.hpp>
#include <weft/containers/tagged_bag.hpp>
#include <weft/containers/work_queue.hpp>
#include <weft/weft.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

struct walker {
    std::int64_t vertex;
    int steps_left;
};

} // namespace

int main(int argc, char** argv) {
    return weft::run(argc, argv, [&](weft::communicator comm) {
        weft::mailbox mail{comm};
        // A ring of 1000 vertices; vertex v is on rank v mod P, and walkers begin at multiples of 10.
        std::vector<std::pair<std::int64_t, double>> weights;
        for (std::int64_t v = comm.rank(); v < 1000; v += comm.size())
            weights.emplace_back(v, v % 10 == 0 ? 1.0 : 0.0);
        weft::alias_table<std::int64_t> const starts{mail, weights};

        auto const more_steps_first = [](walker const& a, walker const& b) {
            return a.steps_left > b.steps_left;
        };
        weft::work_queue<walker, weft::by_priority<decltype(more_steps_first)>> todo{
            mail, {more_steps_first}};
        auto const owner = [&](std::int64_t vertex) { return static_cast<int>(vertex % comm.size()); };
        for (std::int64_t const start : starts.sample(100)) todo.insert_at(owner(start), {start, 5});
        weft::tagged_bag<std::int64_t> ends{mail};
        std::int64_t last_id = -1;
        todo.drain([&](walker const& now) {
            if (now.steps_left == 0) {
                last_id = ends.insert(now.vertex);
                return;
            }
            std::int64_t const next = (now.vertex + 1) % 1000;
            todo.insert_at(owner(next), {next, now.steps_left - 1});
        });

        auto const all = ends.size();
        std::vector<std::int64_t> const asked(last_id < 0 ? 0 : 1, last_id);
        bool right = true;
        for (auto const& vertex : ends.collect(asked)) right = right && vertex.value() % 10 == 5;
        std::string const file = (argc > 1 ? argv[1] : std::string(".")) + "/ends.weft";
        ends.save(file);
        ends.clear();
        ends.load(file); // on any number of ranks
        bool const came_back = ends.size() == all;
        if (weft::sum(comm, right && came_back ? 0 : 1) == 0 && comm.rank() == 0)
            std::printf("%lld of %d walks have ended where they should\n", static_cast<long long>(all),
                100 * comm.size());
    });
}
