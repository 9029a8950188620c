/// Collectives on a simulated machine: their messages take time, but data move when all ranks have entered.
#include "simulated_state.hpp"

#include <machine/message_costs.hpp>

#include <algorithm>
#include <stdexcept>

namespace weft {

request simulated_machine::state::enter(int in, int place, collective_kind what, participant const& mine) {
    group& here = of(in);
    int const members = size_of(here);
    simulated_rank& caller = rank(rank_at(here, place));
    caller.acted = true;
    std::int64_t const number = here.begun[static_cast<std::size_t>(place)]++;
    if (number - here.retired == static_cast<std::int64_t>(here.collectives.size())) {
        here.collectives.push_back({what, collective_schedule(what, members), 0, 0, {}});
        here.collectives.back().ranks.resize(static_cast<std::size_t>(members));
    }
    collective& common = here.collectives[static_cast<std::size_t>(number - here.retired)];
    if (common.what != what) throw std::logic_error("simulated_machine: ranks begin different collectives");
    participant& own = common.ranks[static_cast<std::size_t>(place)];
    std::uint64_t const arrived = own.arrived; // from ranks that entered before
    own = mine;
    own.arrived = arrived;
    request const pending = caller.begin(0);
    own.slot = pending.slot;
    if (++common.entered == members) move_data(common);
    if (double const start = start_seconds(here, what); start > 0) work(caller, start);
    double const hardware = machine_.simulation.hardware_all_reduce;
    if (what != collective_kind::all_reduce || hardware <= 0) {
        advance(in, number, place);
    } else if (common.entered == members) {
        for (int each = 0; each < members; ++each) {
            simulated_message made;
            made.what = simulated_message::kind::finished;
            made.destination = rank_at(here, each);
            made.tag = static_cast<std::int32_t>(number);
            made.group = in;
            events_.push(std::max(caller.clock, now_) + hardware, event_queue::kind::arrives,
                all_.add(std::move(made)));
        }
    }
    return pending;
}

double simulated_machine::state::start_seconds(group const& in, collective_kind what) const {
    if (what != collective_kind::all_to_all) return 0;
    int const members = size_of(in);
    auto const by_number = [&](int place) {
        return in.places.empty() ? place : rank_at(in, in.places[static_cast<std::size_t>(place)]);
    };
    network_model const& over = network(by_number(0), by_number(members - 1)); // nodes have ranks in a row
    if (over.measured.empty() || members < 2) return 0;
    measured_costs const& costs = over.measured.front();
    double messages = 0;
    collective_schedule const schedule(what, costs.ranks);
    for (int round = 0; round < schedule.rounds(); ++round)
        messages += over.parameters.latency + 2 * over.parameters.overhead +
                    transfer_seconds(over, static_cast<double>(schedule.at(costs.ranks - 1, round).bytes));
    return std::max(costs.all_to_all - messages, 0.0);
}

/// Moves the data. No rank reads its result before it is told that the collective is complete.
void simulated_machine::state::move_data(collective& common) {
    auto& all = common.ranks;
    std::size_t const size = all.size();
    switch (common.what) {
    case collective_kind::all_to_all: {
        constexpr std::size_t tile = 64; // walks both matrices by cache lines
        for (std::size_t rows = 0; rows < size; rows += tile)
            for (std::size_t columns = 0; columns < size; columns += tile)
                for (std::size_t i = rows; i < std::min(rows + tile, size); ++i)
                    for (std::size_t j = columns; j < std::min(columns + tile, size); ++j)
                        all[i].into_words[j] = all[j].words[i];
        break;
    }
    case collective_kind::reduce_scatter: {
        std::vector<std::uint64_t> sums(size); // unsigned, since they wrap like MPI's unsigned words
        for (participant const& each : all)
            for (std::size_t i = 0; i < size; ++i) sums[i] += static_cast<std::uint64_t>(each.words[i]);
        for (std::size_t i = 0; i < size; ++i) *all[i].into_words = static_cast<std::int64_t>(sums[i]);
        break;
    }
    case collective_kind::all_reduce: {
        census_value combined = census_value::identity();
        for (participant const& each : all) combined = combine(combined, *each.value);
        for (participant const& each : all) *each.into_value = combined;
        break;
    }
    }
}

/// Makes progress on this rank: sends in its round, and continues with the next one when the round's message
/// has arrived.
void simulated_machine::state::advance(int in, std::int64_t number, int place) {
    group& members = of(in);
    collective& common = members.collectives[static_cast<std::size_t>(number - members.retired)];
    participant& own = common.ranks[static_cast<std::size_t>(place)];
    if (own.slot < 0) return; // has not entered
    int const at = rank_at(members, place);
    simulated_rank& here = rank(at);
    for (; own.round < common.schedule.rounds(); ++own.round, own.sent = false) {
        collective_round const now = common.schedule.at(place, own.round);
        if (!own.sent && now.to >= 0) {
            own.sent = true;
            int const to = rank_at(members, now.to);
            work(here, network(at, to).parameters.overhead);
            simulated_message made;
            made.what = simulated_message::kind::collective;
            made.source = at;
            made.destination = to;
            made.tag = static_cast<std::int32_t>(number);
            made.group = in;
            made.round = own.round;
            made.bytes = now.bytes;
            inject(all_.add(std::move(made)));
        }
        if (now.from < 0) continue;
        if ((own.arrived >> own.round & 1) == 0) return;
        work(here, network(rank_at(members, now.from), at).parameters.overhead);
    }
    finish(in, number, place);
}

void simulated_machine::state::finish(int in, std::int64_t number, int place) {
    group& members = of(in);
    int const at = rank_at(members, place);
    collective& common = members.collectives[static_cast<std::size_t>(number - members.retired)];
    rank(at).complete(common.ranks[static_cast<std::size_t>(place)].slot);
    ++common.finished;
    while (!members.collectives.empty() && members.collectives.front().finished == size_of(members)) {
        members.collectives.pop_front();
        ++members.retired;
    }
    tell(at);
}

} // namespace weft
