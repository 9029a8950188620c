#include <weft/machine/machine_model.hpp>

#include "message_costs.hpp"

#include <core/protocol_rows.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

namespace weft {

namespace {

constexpr double word_bytes = 8;
constexpr double header_bytes = 16; // of a message that is combined with others

double rounds_of(int ranks) {
    return ranks < 2 ? 0 : std::bit_width(static_cast<unsigned>(ranks - 1));
}

double all_reduce_formula(loggp const& p, int ranks) {
    return (p.latency + 2 * p.overhead) * rounds_of(ranks);
}

double personalised_formula(loggp const& p, int ranks) {
    double const word = word_bytes * p.gap_per_byte;
    double const round = std::max(p.latency + 2 * p.overhead - word, 0.0);
    return word * std::max(ranks - 1, 0) + round * rounds_of(ranks);
}

/// Returns the value at `bytes` of a table over `measured_bytes`: linear between its points, and extrapolated
/// from the last two.
double at_size(std::vector<double> const& table, double bytes) {
    auto const sizes = std::span(measured_bytes);
    if (bytes <= sizes.front()) return table.front();
    auto const above = std::ranges::upper_bound(sizes.begin() + 1, sizes.end() - 1, bytes);
    auto const i = static_cast<std::size_t>(above - sizes.begin());
    double const slope = (table[i] - table[i - 1]) / (sizes[i] - sizes[i - 1]);
    return table[i - 1] + std::max(slope, 0.0) * (bytes - sizes[i - 1]);
}

double at_count(double first, double more, double messages) {
    return messages < 1 ? first * std::max(messages, 0.0) : first + more * (messages - 1);
}

/// Returns a cost on `ranks` ranks. Beyond the measured ranks, it grows as `formula`.
template <class Value, class Formula>
double at_ranks(std::vector<measured_costs> const& rows, int ranks, Value&& value, Formula&& formula) {
    auto const above = std::ranges::lower_bound(rows, ranks, {}, &measured_costs::ranks);
    if (above == rows.begin()) return value(rows.front());
    measured_costs const& low = *std::prev(above);
    if (above != rows.end()) {
        double const part = std::log2(1.0 * ranks / low.ranks) / std::log2(1.0 * above->ranks / low.ranks);
        return value(low) + part * (value(*above) - value(low));
    }
    double const as_formula = formula(ranks) / formula(low.ranks);
    double const in_proportion = 1.0 * ranks / low.ranks;
    if (rows.size() < 2) return value(low) * as_formula;
    measured_costs const& before = rows[rows.size() - 2];
    double const grew = value(low) / std::max(value(before), std::numeric_limits<double>::min());
    double const formula_grew = formula(low.ranks) / formula(before.ranks);
    double const ranks_grew = 1.0 * low.ranks / before.ranks;
    bool const told_apart = ranks_grew > 1.2 * formula_grew;
    bool const is_proportional = told_apart && grew > std::sqrt(formula_grew * ranks_grew);
    return value(low) * (is_proportional ? std::max(in_proportion, as_formula) : as_formula);
}

/// The costs for the ranks and nodes of a shape: from the measured rows, or from the parameters if there are
/// no rows.
class cost_view {
public:
    cost_view(machine_model const& machine, int ranks, int nodes)
        : ranks_(ranks),
          network_(nodes > 1 ? machine.between : machine.inside),
          rows_(nodes > 1 && nodes < ranks && !machine.mixed.empty() ? machine.mixed : network_.measured) {}

    [[nodiscard]] double all_reduce() const {
        auto const formula = [&](int ranks) { return all_reduce_formula(network_.parameters, ranks); };
        return collective(&measured_costs::all_reduce, formula);
    }
    [[nodiscard]] double all_to_all() const { return personalised(&measured_costs::all_to_all); }
    [[nodiscard]] double reduce_scatter() const { return personalised(&measured_costs::reduce_scatter); }

    /// T_DT, for one of the three ways to receive.
    [[nodiscard]] double phase(phase_costs measured_costs::*way, double messages, double bytes_in_all) const {
        if (ranks_ < 2 || messages <= 0) return 0;
        if (rows_.empty()) return phase_formula(way, messages, bytes_in_all);
        double const bytes = bytes_in_all / messages;
        auto const value = [&](measured_costs const& row) {
            phase_costs const& costs = row.*way;
            return at_count(at_size(costs.first, bytes), at_size(costs.more, bytes), messages);
        };
        return at_ranks(rows_, ranks_, value, [](int) { return 1.0; });
    }

    /// k o: the time that the processor spends on sending.
    [[nodiscard]] double sending(double messages) const { return messages * network_.parameters.overhead; }

    /// L + k o.
    [[nodiscard]] double remote_sums(double messages) const {
        return phase(&measured_costs::known, messages, word_bytes * messages);
    }

private:
    template <class Formula>
    [[nodiscard]] double collective(double measured_costs::*what, Formula&& formula) const {
        if (ranks_ < 2) return 0;
        if (rows_.empty()) return formula(ranks_);
        return at_ranks(
            rows_, ranks_, [&](measured_costs const& row) { return row.*what; }, formula);
    }
    [[nodiscard]] double personalised(double measured_costs::*what) const {
        return collective(what, [&](int ranks) { return personalised_formula(network_.parameters, ranks); });
    }
    [[nodiscard]] double phase_formula(
        phase_costs measured_costs::*way, double messages, double bytes_in_all) const {
        loggp const& p = network_.parameters;
        double const first = p.latency + 2 * p.overhead;
        double const time =
            at_count(first, std::max(p.overhead, p.gap), messages) + p.gap_per_byte * bytes_in_all;
        bool const waits = way == &measured_costs::synchronous;
        return waits ? time + at_count(network_.synchronous_penalty, p.overhead, messages) : time;
    }

    int ranks_;
    network_model const& network_;
    std::vector<measured_costs> const& rows_;
};

double store_and_forward_seconds(
    machine_model const& machine, cost_view const& view, exchange_shape const& shape) {
    // The share of pairs of ranks whose distance has a given bit: all on two ranks, half on many.
    double const share = shape.ranks / (2.0 * (shape.ranks - 1));
    double const moved = share * (shape.bytes + header_bytes * shape.messages);
    return rounds_of(shape.ranks) *
           (view.phase(&measured_costs::known, 1, moved) + 3 * machine.copy_per_byte * moved);
}

/// The phase between nodes plus the phases within nodes. `inner` is nbx or pcx.
double two_level_seconds(machine_model const& machine, protocol inner, exchange_shape const& shape) {
    if (shape.nodes < 2 || shape.largest_node < 2) return predicted_seconds(machine, inner, shape);
    double const in_node = shape.largest_node - 1;
    double const bytes = shape.bytes + header_bytes * shape.messages;
    exchange_shape combined = shape;
    combined.messages = std::min(shape.messages, std::ceil((shape.nodes - 1.0) / shape.largest_node));
    combined.bytes = bytes;
    cost_view const node(machine, shape.largest_node, 1);
    double const to_all = node.phase(&measured_costs::probed, in_node, bytes);
    return 2 * (to_all + machine.copy_per_byte * bytes) + predicted_seconds(machine, inner, combined);
}

double data_seconds(cost_view const& view, exchange_shape const& shape, phase_costs measured_costs::*way) {
    return view.phase(way, shape.messages, shape.bytes);
}

using cost_function = double (*)(
    machine_model const& machine, cost_view const& view, exchange_shape const& shape);

/// The predicted time of each protocol, in their order.
constexpr std::pair<protocol, cost_function> protocol_costs[] = {
    {protocol::nbx,
        [](auto&, auto& view, auto& shape) {
            return view.all_reduce() + data_seconds(view, shape, &measured_costs::synchronous);
        }},
    {protocol::pex,
        [](auto&, auto& view, auto& shape) {
            return view.all_to_all() + data_seconds(view, shape, &measured_costs::known);
        }},
    {protocol::pcx,
        [](auto&, auto& view, auto& shape) {
            return std::max(view.reduce_scatter(), view.sending(shape.messages)) +
                   data_seconds(view, shape, &measured_costs::probed);
        }},
    {protocol::rsx,
        [](auto&, auto& view, auto& shape) {
            return view.remote_sums(shape.messages) + view.all_reduce() +
                   data_seconds(view, shape, &measured_costs::probed);
        }},
    {protocol::store_and_forward, store_and_forward_seconds},
    {protocol::nbx_two_level,
        [](auto& machine, auto&, auto& shape) { return two_level_seconds(machine, protocol::nbx, shape); }},
    {protocol::pcx_two_level,
        [](auto& machine, auto&, auto& shape) { return two_level_seconds(machine, protocol::pcx, shape); }},
};

constexpr auto protocols = [] {
    std::array<protocol, std::size(protocol_costs)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = protocol_costs[i].first;
    return all;
}();
static_assert(std::size(protocol_costs) == std::size(protocol_rows) && std::ranges::is_sorted(protocols),
    "a row a protocol");

} // namespace

machine_model built_in_machine() {
    machine_model machine;
    machine.inside.parameters = {0.3e-6, 0.2e-6, 0.2e-6, 0.1e-9};
    machine.between.parameters = {1.5e-6, 0.4e-6, 0.5e-6, 0.08e-9};
    for (network_model* const network : {&machine.inside, &machine.between})
        network->synchronous_penalty = network->parameters.latency + network->parameters.overhead;
    machine.copy_per_byte = 0.1e-9;
    machine.measured_on = "no machine";
    machine.origin = "built in; `weft -n N tune` measures this machine";
    return machine;
}

double transfer_seconds(network_model const& network, double bytes) {
    if (network.measured.empty()) return std::max(bytes - 1, 0.0) * network.parameters.gap_per_byte;
    // Uses the way to receive that adds the least; `reception_seconds` has the additional costs of the
    // others.
    double least = std::numeric_limits<double>::infinity();
    for (auto const way : {&measured_costs::known, &measured_costs::probed, &measured_costs::synchronous}) {
        std::vector<double> const& phases = (network.measured.front().*way).first;
        least = std::min(least, at_size(phases, bytes) - phases.front());
    }
    return std::max(least, 0.0);
}

double further_transfer_seconds(network_model const& network, double bytes) {
    double const alone = transfer_seconds(network, bytes);
    if (network.measured.empty()) return alone;
    std::vector<double> const& more = network.measured.front().known.more;
    return std::min(alone, std::max(at_size(more, bytes) - more.front(), 0.0));
}

double reception_seconds(network_model const& network, reception how, double bytes) {
    if (network.measured.empty()) return 0;
    measured_costs const& costs = network.measured.front();
    phase_costs const& way = how == reception::known    ? costs.known
                             : how == reception::probed ? costs.probed
                                                        : costs.synchronous;
    return std::max(
        at_size(way.first, bytes) - costs.known.first.front() - transfer_seconds(network, bytes), 0.0);
}

measured_costs const& costs_up_to(network_model const& network, int ranks) noexcept {
    auto const above = std::ranges::upper_bound(network.measured, ranks, {}, &measured_costs::ranks);
    return above == network.measured.begin() ? *above : *std::prev(above);
}

std::span<protocol const> all_protocols() noexcept {
    return protocols;
}

protocol fastest(machine_model const& machine, exchange_shape const& shape, std::span<protocol const> among) {
    return *std::ranges::min_element(
        among, {}, [&](protocol how) { return predicted_seconds(machine, how, shape); });
}

double predicted_seconds(machine_model const& machine, protocol how, exchange_shape const& shape) {
    if (shape.ranks < 2) return 0;
    if (has_row(how))
        return protocol_costs[static_cast<std::size_t>(how)].second(
            machine, cost_view(machine, shape.ranks, shape.nodes), shape);
    return predicted_seconds(machine, fastest(machine, shape, protocols), shape);
}

} // namespace weft
