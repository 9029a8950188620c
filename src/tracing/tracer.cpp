#include <tracing/tracer.hpp>

#include <exchange/gated_exchange.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft {

namespace {

/// This number of ends is added up in sequence, and the sums in pairs, so the result does not depend on
/// ranks.
constexpr std::int64_t ends_a_sum = 1024;

/// Returns the rank that gets a particle's end: chunks of ids are distributed evenly.
class end_owner {
public:
    end_owner(std::int64_t seeds, int ranks)
        : chunks_(assignment::contiguous((seeds + ends_a_sum - 1) / ends_a_sum, ranks)) {}
    [[nodiscard]] std::int64_t chunks() const noexcept { return chunks_.blocks(); }
    [[nodiscard]] int operator()(std::int64_t id) const noexcept {
        return chunks_.rank_of(block_id{id / ends_a_sum});
    }

private:
    assignment chunks_;
};

struct end_sums {
    double x, y, z, path;
};

/// Adds up the totals. Collective. Throws: the error kept in `call`, agreed.
trace_totals totals_of(
    gate& call, std::vector<trace_end> const& ends, std::int64_t seeds, std::int64_t chunks) {
    trace_totals totals;
    totals.seeds = seeds;
    census_value counts = census_value::identity();
    std::vector<detail::block_part<end_sums>> parts;
    call.guard([&] {
        for (trace_end const& end : ends) {
            counts.sum[0] += end.inside;
            counts.sum[1] += end.steps;
            if (parts.empty() || parts.back().first != end.id / ends_a_sum) {
                parts.emplace_back();
                parts.back().first = end.id / ends_a_sum;
            }
            end_sums& sums = parts.back().value;
            sums.x += end.place[0];
            sums.y += end.place[1];
            sums.z += end.place[2];
            sums.path += end.path;
        }
    });
    counts = call.agree(counts);
    totals.inside = counts.sum[0];
    totals.steps = counts.sum[1];
    if (chunks == 0) return totals;
    auto add = [](end_sums const& a, end_sums const& b) {
        return end_sums{a.x + b.x, a.y + b.y, a.z + b.z, a.path + b.path};
    };
    end_sums const all = detail::fold_blocks(call.comm(), std::move(parts), add);
    auto const n = static_cast<double>(seeds);
    totals.mean_final = {all.x / n, all.y / n, all.z / n};
    totals.mean_path = all.path / n;
    return totals;
}

/// Cuts the field into at most `wanted` blocks, the largest number possible: 2 x 2 x 2 cells cannot make 7
/// blocks.
regular_grid<std::int64_t> cut(flow const& field, std::int64_t wanted) {
    box<std::int64_t> const cells = field.domain()->cells();
    std::int64_t const all = cells.hi[0] * cells.hi[1] * cells.hi[2];
    for (std::int64_t blocks = std::min(wanted, all); blocks > 1; --blocks) {
        try {
            return field.cut_into(blocks);
        } catch (usage_error const&) {} // a smaller number may fit
    }
    return field.cut_into(1);
}

} // namespace

tracer::tracer(communicator const& comm, flow const& field, tracer_options const& options)
    : comm_(comm),
      domain_(field.domain()),
      grid_(cut(field, options.blocks)),
      blocks_(comm, grid_,
          options.round_robin ? assignment::round_robin(grid_.blocks(), comm.size())
                              : assignment::contiguous(grid_.blocks(), comm.size()),
          [&](block_id id) {
              box<std::int64_t> cells = grid_.bounds(id);
              box<std::int64_t> const all = grid_.domain();
              for (std::size_t d = 0; d < 3; ++d) {
                  cells.lo[d] = std::max(cells.lo[d] - options.ghosts, all.lo[d]);
                  cells.hi[d] = std::min(cells.hi[d] + options.ghosts, all.hi[d]);
              }
              return trace_block{field.read(domain_->points_around(cells), grid_)};
          },
          {.threads = options.threads}) {
}

double tracer::greatest_speed() {
    return blocks_.all_reduce<double>(
        [](trace_block const& here, block_id) { return here.field.greatest_speed(); },
        [](double a, double b) { return std::max(a, b); });
}

void tracer::check(trace_options const& options) const {
    trace_rule const& rule = options.rule;
    if (!(std::abs(rule.step) > 0) || !std::isfinite(rule.step))
        throw usage_error("trace: the step is " + std::to_string(rule.step) +
                          "; it must be a number and not 0 (in a field that is 0 everywhere nothing moves)");
    if (rule.max_steps < 0) throw usage_error("trace: the number of steps is negative");
    if (options.method == trace_method::rk45 &&
        !(rule.tolerance > 0 && rule.min_step > 0 && rule.min_step <= rule.max_step && rule.duration > 0))
        throw usage_error("trace: rk45 needs a tolerance, a least step and a duration of more than 0, and a "
                          "greatest step that is not less than the least");
}

/// Sends seeds to the blocks in which they begin; drops those outside of the domain.
void tracer::deal(std::span<seed const> seeds) {
    gate call(comm_, "trace");
    assignment const& where = blocks_.where();
    outbox<seed> out(comm_);
    auto const block_of = [&](seed const& each) {
        return *grid_.block_of(domain_->cell_of(domain_->wrapped(each.place)));
    };
    call.guard([&] {
        for (seed const& each : seeds)
            if (domain_->holds(domain_->wrapped(each.place)))
                out[where.rank_of(block_of(each))].push_back(each);
    });
    inbox<seed> const arrived = exchange(call, std::move(out));
    std::vector<std::vector<seed>> of_block;
    agreed(call, [&] {
        of_block.resize(blocks_.size());
        for (auto const& [source, items] : arrived)
            for (seed const& each : items)
                of_block[static_cast<std::size_t>(where.local_place(block_of(each)))].push_back(each);
    });
    blocks_.for_each([&](trace_block& here, block_id id) {
        here.seeds = std::move(of_block[static_cast<std::size_t>(where.local_place(id))]);
    });
}

template <class Method>
void tracer::run(trace_options const& options) {
    using travelling = particle<Method>;
    trace_rule const& rule = options.rule;
    bool const flushes = options.engine == trace_engine::iexchange;
    auto const move_all = [&](trace_block& here, block_port<travelling>& port) {
        particle_steps<Method> steps(here.field, rule, options.lines ? &here.lines : nullptr);
        int sent = 0;
        auto const move = [&](travelling p) {
            trace_outcome const outcome = steps.advance(p);
            if (outcome != trace_outcome::elsewhere) {
                here.ends.push_back({p.id, {}, domain_->wrapped(p.place), p.steps, p.path,
                    outcome == trace_outcome::ended ? 1 : 0});
                return;
            }
            port.send(*grid_.block_of(domain_->cell_of(domain_->wrapped(steps.wanted()))), p);
            if (flushes && ++sent % 1024 == 0) port.flush(); // gives other blocks work early
        };
        for (seed const& each : std::exchange(here.seeds, {}))
            move(particle_at<Method>(each.id, each.place, rule));
        for (travelling const& each : port.received()) move(each);
    };
    if (options.engine == trace_engine::iexchange)
        blocks_.template iexchange<travelling>(move_all);
    else
        while (blocks_.template exchange<travelling>(move_all) > 0) {}
}

/// Sends ends and lines to the ranks that own them.
traces tracer::collect(std::span<seed const> seeds, bool lines) {
    gate call(comm_, "trace");
    traces found;
    std::vector<std::vector<trace_end>> ends;
    std::vector<line_store> stores;
    call.guard([&] {
        ends.resize(blocks_.size());
        stores.resize(blocks_.size());
    });
    census_value seeds_here = census_value::identity();
    seeds_here.sum[0] = static_cast<std::int64_t>(seeds.size());
    std::int64_t const count = call.agree(seeds_here).sum[0];
    end_owner const owner(count, comm_.size());
    // Ends have no seeds, so the makers of seeds send these, too. A seed without an end began outside.
    outbox<seed> of_seeds(comm_);
    call.guard([&] {
        for (seed const& each : seeds) of_seeds[owner(each.id)].push_back(each);
    });
    blocks_.for_each([&](trace_block& here, block_id id) {
        auto const place = static_cast<std::size_t>(blocks_.where().local_place(id));
        ends[place] = std::exchange(here.ends, {});
        stores[place] = std::exchange(here.lines, {});
    });
    outbox<trace_end> of_ends(comm_);
    inbox<seed> const seeds_of_ends = exchange(call, std::move(of_seeds));
    call.guard([&] {
        for (auto const& of_block : ends)
            for (trace_end const& each : of_block) of_ends[owner(each.id)].push_back(each);
        for (auto const& [source, items] : seeds_of_ends)
            for (seed const& each : items) found.ends.push_back({each.id, each.place, each.place, 0, 0, 0});
        std::sort(found.ends.begin(), found.ends.end(),
            [](trace_end const& a, trace_end const& b) { return a.id < b.id; });
    });
    for (auto const& [source, items] : exchange(call, std::move(of_ends)))
        for (trace_end const& each : items) {
            trace_end& end = found.ends[static_cast<std::size_t>(each.id - found.ends.front().id)];
            vector3 const seed = end.seed;
            end = each;
            end.seed = seed;
        }
    found.totals = totals_of(call, found.ends, count, owner.chunks());
    if (lines) found.lines = join_lines(comm_, stores, owner);
    return found;
}

traces tracer::trace(std::span<seed const> seeds, trace_options const& options) {
    check(options);
    deal(seeds);
    transport& clock = transport_of(comm_);
    double const start = clock.seconds();
    if (options.method == trace_method::rk45)
        run<rk45>(options);
    else
        run<rk4>(options);
    double const seconds = clock.seconds() - start;
    traces found = collect(seeds, options.lines);
    found.seconds = seconds;
    return found;
}

} // namespace weft
