#include "neighbor_program.hpp"

#include <blocks/neighbor_rounds.hpp>
#include <blocks/packed_runs.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace weft::tool {

namespace {

/// One rank: all of its blocks, a round, and again. The count of particles that are at their end is reduced
/// beside the rounds.
class neighbor_program {
public:
    neighbor_program(simulated_machine& machine, simulated_lanes& lanes, int rank,
        traced_particles& application, assignment const& where, double fraction)
        : machine_(machine),
          lanes_(lanes),
          rank_(rank),
          application_(application),
          local_(where, rank, application.links(where, rank)),
          rounds_(machine.at(rank), 0, {local_.partners().begin(), local_.partners().end()}) {
        auto const expected = static_cast<double>(local_.partners().size());
        may_be_missing_ = static_cast<std::int64_t>(expected - std::ceil(fraction * expected));
    }

    progress step() {
        if (counting_ && machine_.at(rank_).test(counting_) && all_.sum[0] == application_.particles())
            return progress::done;
        switch (stage_) {
        case stage::compute:
            compute();
            stage_ = stage::send; // when the time of the computation is over
            return progress::some;
        case stage::send:
            packed_.pack(local_);
            (void)local_.take_sent();
            rounds_.begin(packed_.take_by_partner());
            if (!counting_) {
                mine_.sum[0] = finished_;
                counting_ = machine_.at(rank_).all_reduce(mine_, all_);
            }
            stage_ = stage::wait;
            return progress::some;
        case stage::wait:
            break;
        }
        if (counting_ && local_.partners().empty()) return progress::none; // else rounds would take no time
        progress const now = rounds_.step();
        for (message& each : rounds_.take()) packed_runs::unpack(local_, std::move(each));
        // As `exchange_neighbors`: where all must be here, sends are complete too.
        bool const over = may_be_missing_ > 0 || rounds_.at_rest();
        if (!over || rounds_.outstanding() > may_be_missing_) return now;
        stage_ = stage::compute;
        return progress::some;
    }

private:
    enum class stage { compute, send, wait };

    void compute() {
        std::int64_t const before = application_.finished();
        for (detail::block_queues& queues : local_.all()) {
            queues.in.move_in_all(queues.pending);
            std::int64_t const units = application_.take(queues, first_time_);
            lanes_.compute(rank_, queues.id, application_.seconds(queues.id, units));
            application_.leave(queues, units);
        }
        first_time_ = false;
        finished_ += application_.finished() - before;
    }

    simulated_machine& machine_;
    simulated_lanes& lanes_;
    int rank_;
    traced_particles& application_;
    detail::local_blocks local_;
    packed_runs packed_;
    neighbor_rounds rounds_;
    std::int64_t may_be_missing_ = 0;
    bool first_time_ = true;
    stage stage_ = stage::compute;
    std::int64_t finished_ = 0; // particles in blocks of this rank
    request counting_;
    census_value mine_ = census_value::identity();
    census_value all_ = census_value::identity();
};

} // namespace

void trace_among_neighbors(simulated_machine& machine, simulated_lanes& lanes, traced_particles& application,
    assignment const& where, double fraction) {
    std::vector<std::unique_ptr<neighbor_program>> programs;
    for (int rank = 0; rank < where.ranks(); ++rank)
        programs.push_back(
            std::make_unique<neighbor_program>(machine, lanes, rank, application, where, fraction));
    machine.run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); });
}

} // namespace weft::tool
