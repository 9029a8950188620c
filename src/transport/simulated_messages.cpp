/// The transfer of messages on a simulated machine.
#include "simulated_state.hpp"

#include <machine/message_costs.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weft {

namespace {

/// Returns the bytes of a message on the wire. A request has 0; the `bytes` of an addition are its amount.
double on_the_wire(simulated_message const& message) {
    switch (message.what) {
    case simulated_message::kind::asked:
        return 0;
    case simulated_message::kind::addition:
        return sizeof message.bytes;
    default:
        return static_cast<double>(message.bytes);
    }
}

/// Returns the time of a message's bytes on the wire, alone or behind another message. Measured phases of
/// long messages include the request and its answer, so these are subtracted for a message alone.
double wire_seconds(network_model const& network, simulated_message const& message, bool follows) {
    if (follows) return further_transfer_seconds(network, on_the_wire(message));
    double const seconds = transfer_seconds(network, on_the_wire(message));
    bool const was_asked = message.what == simulated_message::kind::payload && !network.measured.empty();
    double const asking = was_asked ? 2 * (network.parameters.latency + network.parameters.overhead) : 0;
    return std::max(seconds - asking, 0.0);
}

} // namespace

request simulated_machine::state::send(
    int from, int to, int tag, int group, std::span<std::byte const> bytes, send_mode mode) {
    simulated_rank& sender = rank(from);
    sender.acted = true;
    ++sender.messages;
    sender.bytes += static_cast<std::int64_t>(bytes.size());
    work(sender, network(from, to).parameters.overhead);
    simulated_message made;
    made.source = from;
    made.destination = to;
    made.tag = tag;
    made.group = group;
    made.bytes = static_cast<std::int64_t>(bytes.size());
    bool const is_blocked = deviates_ != nullptr && deviates_->at(deviation::kind::blocks, injected_);
    bool const at_once = made.bytes <= machine_.simulation.eager_bytes && !is_blocked;
    if (at_once) {
        made.what =
            mode == send_mode::standard ? simulated_message::kind::eager : simulated_message::kind::answered;
        made.copy_from(bytes);
    } else {
        made.what = simulated_message::kind::asked;
        made.from = bytes;
    }
    request pending;
    if (made.what != simulated_message::kind::eager) {
        pending = sender.begin(0);
        made.send_slot = pending.slot;
    }
    inject(all_.add(std::move(made)));
    return pending;
}

void simulated_machine::state::inject(std::uint32_t number) {
    simulated_message const& message = all_[number];
    double const bytes = on_the_wire(message);
    simulated_rank& sender = rank(message.source);
    network_model const& between = network(message.source, message.destination);
    loggp const& p = between.parameters;
    double leaves = std::max(sender.clock, sender.sends_at);
    auto const node = static_cast<std::size_t>(node_of(message.source));
    bool const goes_out = node_of(message.destination) != node_of(message.source);
    simulation_parameters const& limits = machine_.simulation;
    if (goes_out) {
        // The queue is that of the node, not of its ranks, which send concurrently.
        double& port = node_sends_at_[node];
        port = std::max(port, now_);
        leaves = std::max(leaves, port);
        port += limits.node_gap + bytes * limits.node_gap_per_byte;
    }
    double const passed = leaves + wire_seconds(between, message, sender.sends_at > sender.clock);
    sender.sends_at = passed + p.gap;
    ++count_;
    if (watcher_ != nullptr) watcher_->leaves(number, message, leaves);
    if (message.what == simulated_message::kind::payload)
        events_.push(passed, event_queue::kind::acknowledged, number);
    travel(number, passed + p.latency);
}

void simulated_machine::state::reach(std::uint32_t number) {
    simulated_message const& message = all_[number];
    simulated_rank& receiver = rank(message.destination);
    bool const comes_in = node_of(message.destination) != node_of(message.source);
    network_model const& between = network(message.source, message.destination);
    double const bytes = on_the_wire(message);
    // The last byte is here now; the first byte cannot have arrived before the end of the previous message.
    double here = std::max(now_, receiver.hears_at + wire_seconds(between, message, true));
    if (comes_in) {
        double& port = node_hears_at_[static_cast<std::size_t>(node_of(message.destination))];
        double const in = std::max(now_, port + bytes * machine_.simulation.node_gap_per_byte);
        port = in + machine_.simulation.node_gap;
        here = std::max(here, in);
    }
    receiver.hears_at = here + between.parameters.gap;
    if (here > now_)
        events_.push(here, event_queue::kind::arrives, number);
    else
        arrive(number);
}

void simulated_machine::state::arrive(std::uint32_t number) {
    simulated_message& message = all_[number];
    int const at = message.destination;
    simulated_rank& receiver = rank(at);
    if (watcher_ != nullptr && message.what != simulated_message::kind::finished)
        watcher_->arrives(number, now_);
    switch (message.what) {
    case simulated_message::kind::eager:
    case simulated_message::kind::answered:
    case simulated_message::kind::asked:
        if (number == joined_by_)
            for (std::uint32_t const each : std::exchange(joined_, {})) take_in(each);
        take_in(number);
        break;
    case simulated_message::kind::payload:
        receiver.complete(message.receive_slot);
        all_.remove(number);
        break;
    case simulated_message::kind::addition:
        receiver.counter(message.tag) += message.bytes;
        events_.push(
            now_ + network(message.source, at).parameters.latency, event_queue::kind::acknowledged, number);
        return; // the rank would not notice
    case simulated_message::kind::collective: {
        std::int64_t const which = message.tag;
        int const in = message.group;
        group& members = of(in);
        int const place = place_of(members, at);
        members.collectives[static_cast<std::size_t>(which - members.retired)]
            .ranks[static_cast<std::size_t>(place)]
            .arrived |= std::uint64_t{1} << message.round;
        all_.remove(number);
        advance(in, which, place);
        return;
    }
    case simulated_message::kind::finished: {
        std::int64_t const which = message.tag;
        int const in = message.group;
        all_.remove(number);
        finish(in, which, place_of(of(in), at));
        return;
    }
    }
    tell(at);
}

void simulated_machine::state::take_in(std::uint32_t number) {
    simulated_rank& receiver = rank(all_[number].destination);
    simulated_rank::posted_receive found{};
    if (receiver.take_posted(all_[number], found))
        match(number, found.slot, found.room, false);
    else
        receiver.keep(number, all_);
}

/// Matches a message with its receive.
void simulated_machine::state::match(
    std::uint32_t number, std::int32_t slot, std::span<std::byte> room, bool is_probed) {
    simulated_message& message = all_[number];
    simulated_rank& receiver = rank(message.destination);
    network_model const& between = network(message.source, message.destination);
    if (room.size() < static_cast<std::size_t>(message.bytes))
        throw std::logic_error("simulated_machine: a message longer than the room for it");
    auto const bytes = static_cast<double>(message.bytes);
    reception const how = is_probed ? reception::probed : reception::known;
    if (watcher_ != nullptr) watcher_->is_received(number, std::max(receiver.clock, now_));
    if (message.what == simulated_message::kind::asked) {
        message.receive_slot = slot;
        message.room = room;
        work(receiver, between.parameters.overhead + reception_seconds(between, how, bytes));
        answer(message, between.parameters.latency);
        events_.push(receiver.clock + between.parameters.latency, event_queue::kind::clear, number);
        return;
    }
    message.copy_to(room);
    if (slot >= 0) receiver.complete(slot);
    if (message.what == simulated_message::kind::eager) {
        work(receiver, reception_seconds(between, how, bytes));
        all_.remove(number);
        return;
    }
    double const penalty = between.measured.empty()
                               ? between.synchronous_penalty
                               : reception_seconds(between, reception::synchronous, bytes);
    double const travel = std::min(between.parameters.latency, penalty);
    work(receiver, penalty - travel);
    answer(message, travel);
    if (deviates_ != nullptr)
        if (auto const overtaken = deviates_->late_answer(message.index)) {
            deviates_->tell_of_waiting(hold(number, *overtaken, true));
            return;
        }
    events_.push(receiver.clock + travel, event_queue::kind::acknowledged, number);
}

/// Counts an answer to a message that has been matched.
void simulated_machine::state::answer(simulated_message const& message, double travel) {
    ++count_;
    double const leaves = rank(message.destination).clock;
    if (watcher_ != nullptr) watcher_->answers(message, leaves, leaves + travel);
}

/// The receiver of a long message is ready.
void simulated_machine::state::send_payload(std::uint32_t number) {
    simulated_message& message = all_[number];
    work(rank(message.source), network(message.source, message.destination).parameters.overhead);
    std::ranges::copy(message.from, message.room.begin()); // read there once the request is complete
    message.what = simulated_message::kind::payload;
    inject(number);
}

void simulated_machine::state::acknowledge(std::uint32_t number) {
    simulated_message const& message = all_[number];
    int const source = message.source;
    rank(source).complete(message.send_slot);
    if (message.what != simulated_message::kind::payload) all_.remove(number); // else its data follow
    tell(source);
}

request simulated_machine::state::receive(int at, int source, int tag, int group, std::span<std::byte> room) {
    simulated_rank& receiver = rank(at);
    receiver.acted = true;
    request const pending = receiver.begin(network(source, at).parameters.overhead);
    std::uint32_t const found = receiver.take(source, tag, group, all_);
    if (found == simulated_messages::none)
        receiver.post({source, tag, group, pending.slot, room});
    else
        match(found, pending.slot, room, false);
    return pending;
}

std::optional<envelope> simulated_machine::state::probe(int at, int source, int tag, int group) {
    if (source == transport::any_source && notes_ != nullptr)
        arrival_order::note_any_source(*notes_, group, tag);
    simulated_rank& receiver = rank(at);
    receiver.probed = receiver.take(source, tag, group, all_);
    if (receiver.probed == simulated_messages::none) return std::nullopt;
    simulated_message const& found = all_[receiver.probed];
    return envelope{found.source, found.tag, found.bytes};
}

request simulated_machine::state::receive_probed(int at, std::span<std::byte> room) {
    simulated_rank& receiver = rank(at);
    receiver.acted = true;
    std::uint32_t const number = std::exchange(receiver.probed, simulated_messages::none);
    simulated_message const& found = all_[number];
    double const overhead = network(found.source, at).parameters.overhead;
    if (found.what == simulated_message::kind::asked) {
        request const pending = receiver.begin(overhead);
        match(number, pending.slot, room, true);
        return pending;
    }
    work(receiver, overhead);
    match(number, -1, room, true);
    return {};
}

bool simulated_machine::state::test(int at, request& pending) {
    if (!pending) return true;
    simulated_rank& asked = rank(at);
    if (pending.slot >= simulated_rank::prepared_slots) return test(at, asked.prepared(pending).under_way);
    if (!asked.is_complete(pending)) return false;
    asked.acted = true;
    work(asked, asked.end(pending));
    pending = {};
    return true;
}

void simulated_machine::state::start(int at, request prepared) {
    auto const what = rank(at).prepared(prepared);
    request const begun = what.sends
                              ? send(at, what.peer, what.tag, what.group, what.from, send_mode::standard)
                              : receive(at, what.peer, what.tag, what.group, what.room);
    rank(at).prepared(prepared).under_way = begun;
}

request simulated_machine::state::add_remote(int from, int to, int counter, std::int64_t amount) {
    simulated_rank& sender = rank(from);
    sender.acted = true;
    work(sender, network(from, to).parameters.overhead);
    request const pending = sender.begin(0);
    simulated_message made;
    made.what = simulated_message::kind::addition;
    made.source = from;
    made.destination = to;
    made.tag = counter;
    made.send_slot = pending.slot;
    made.bytes = amount;
    inject(all_.add(std::move(made)));
    return pending;
}

} // namespace weft
