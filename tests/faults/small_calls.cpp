#include "call.hpp"

#include <weft/blocks/assignment.hpp>
#include <weft/blocks/link.hpp>
#include <weft/contouring/mesh.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/census_value.hpp>
#include <weft/mpi.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <optional>

// Functions that others call, tried by themselves.

namespace faults {

namespace {

/// Blocks in a ring, each with both neighbours.
void checked_links(trial& now) {
    constexpr std::int64_t of_rank = 400;
    std::int64_t const all = of_rank * now.size();
    auto const owners = weft::assignment::contiguous(all, now.size());
    std::vector<weft::block_id> mine;
    std::vector<weft::link> links;
    for (std::int64_t i = 0; i < of_rank; ++i) {
        mine.push_back(owners.block_at(now.rank(), i));
        std::int64_t const here = index_of(mine.back());
        links.push_back(
            weft::link({weft::block_id{(here + 1) % all}, weft::block_id{(here + all - 1) % all}}));
    }
    (void)now.under_test([&] { weft::check_links(now.comm(), owners, mine, links); });
}

/// Tetrahedra that share nothing but the places of their first corners.
void joined_points(trial& now) {
    constexpr std::int64_t of_rank = 300;
    weft::mesh given;
    given.points = weft::block_distribution::uniform(now.comm(), 4 * of_rank * now.size());
    given.cells = weft::block_distribution::uniform(now.comm(), of_rank * now.size());
    weft::global_numbers numbers{{}, 3 * of_rank * now.size() + 1};
    for (auto id = given.points.begin(now.rank()); id < given.points.end(now.rank()); ++id) {
        std::int64_t const corner = id % 4;
        given.places.push_back({corner == 1 ? 1.0 : 0.0, corner == 2 ? 1.0 : 0.0, corner == 3 ? 1.0 : 0.0});
        given.corners.push_back(id);
        numbers.numbers.push_back(corner == 0 ? 0 : id / 4 * 3 + corner);
    }
    given.kinds.assign(static_cast<std::size_t>(of_rank), weft::cell_kind::tetrahedron);
    given.of_points.push_back({"height", 1, std::vector<double>(given.places.size(), 0.5)});
    std::int64_t const expected = numbers.count;
    std::optional<weft::mesh> got;
    if (now.under_test([&] { got = weft::with_points_joined(now.comm(), std::move(given), numbers); }))
        now.expect(got->points.total() == expected);
}

/// A run of a plan for which a callback makes the items: a rank that has none refuses.
void refused_run(trial& now) {
    std::vector<int> const to{(now.rank() + 1) % now.size()};
    weft::exchange_plan const plan(now.comm(), to, std::vector<std::int64_t>{1});
    std::vector<int> in(1);
    if (now.under_test([&] {
            try {
                in_callback();
            } catch (...) { plan.refuse(std::current_exception()); }
            plan.exchange(std::vector<int>{now.rank()}, in);
        }))
        now.expect(in.front() == (now.rank() + now.size() - 1) % now.size());
}

void agreed_errors(trial& now) {
    weft::census_value all = weft::census_value::identity();
    all.sum[0] = 1;
    if (now.under_test([&] {
            std::exception_ptr thrown;
            try {
                in_callback();
            } catch (...) { thrown = std::current_exception(); }
            weft::agree(now.comm(), thrown);
            all = weft::combine_all(now.comm(), all);
        }))
        now.expect(all.sum[0] == now.size());
}

void communicator_of_another(trial& now) {
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    std::int64_t ranks = 0;
    if (now.under_test([&] { ranks = weft::sum(weft::make_communicator(parent), 1); }))
        now.expect(ranks == now.size());
    if (!weft::lone_failure()) MPI_Comm_free(&parent); // else MPI may still be at work on it
}

} // namespace

std::vector<call> small_calls() {
    return {
        {"check_links", checked_links},
        {"with_points_joined", joined_points},
        {"exchange_plan::refuse", refused_run, told::neighbours},
        {"agree, combine_all", agreed_errors},
        {"make_communicator", communicator_of_another},
    };
}

} // namespace faults
