#include "long_transfers.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace weft {

namespace {

[[nodiscard]] piece_head read_announcement(std::span<std::byte const> run) noexcept {
    piece_head head;
    std::memcpy(&head, run.data(), sizeof head);
    return head;
}

} // namespace

long_transfers::long_transfers(transport& via, mail_setup const& setup)
    : via_(via),
      nodes_(*setup.nodes),
      answer_tag_(setup.long_tag),
      data_tag_(setup.long_tag + 1),
      least_(setup.long_bytes),
      shares_(static_cast<bool>(setup.memory)),
      most_under_way_(static_cast<std::size_t>(std::max<std::int64_t>(setup.sizes.wire_bound, 0))) {
}

bool long_transfers::sends(int destination, std::size_t bytes) const noexcept {
    // Pieces through shared memory are as fast: both ranks copy at the same time.
    bool const is_near = shares_ && nodes_.node_of(destination) == nodes_.node();
    return bytes >= least_ && !is_near && destination != via_.rank();
}

long_transfers::outgoing& long_transfers::add(
    int destination, std::uint64_t number, std::span<std::byte const> data) {
    return outgoing_.emplace_back(outgoing{destination, number, data});
}

void long_transfers::forget(outgoing const& gone) noexcept {
    outgoing_.remove_if([&](outgoing const& each) { return &each == &gone; });
}

std::uint64_t long_transfers::number_in(std::span<std::byte const> announcement) noexcept {
    return read_announcement(announcement).number & ~announced;
}

std::size_t long_transfers::bytes_in(std::span<std::byte const> announcement) noexcept {
    return static_cast<std::size_t>(read_announcement(announcement).message_bytes);
}

bool long_transfers::is_announcement(run_head const& head, std::span<std::byte const> run) noexcept {
    return head.piece && (read_announcement(run).number & announced) != 0;
}

void long_transfers::tell(int source, std::uint64_t number) {
    answer& made = told_.emplace_back(answer{number, {}});
    made.pending =
        via_.send(source, answer_tag_, std::as_bytes(std::span(&made.number, 1)), send_mode::standard);
}

bool long_transfers::ask(int source, std::span<std::byte const> announcement) {
    piece_head const head = read_announcement(announcement);
    std::uint64_t const number = number_in(announcement);
    if (incoming_.contains({source, number})) return true;
    auto const bytes = static_cast<std::size_t>(head.message_bytes);
    if (under_way_ > 0 && under_way_ + bytes > most_under_way_) return false;
    incoming& made = incoming_[{source, number}];
    try {
        made.whole.resize(bytes);
    } catch (...) {
        incoming_.erase({source, number});
        throw;
    }
    under_way_ += bytes;
    std::span const first = announcement.subspan(sizeof head);
    if (!first.empty()) std::memcpy(made.whole.data(), first.data(), first.size());
    made.in_announcement = first.size();
    made.pending[0] = via_.receive(source, data_tag_, made.whole.bytes().subspan(first.size()));
    made.pending[1] = via_.receive(source, data_tag_, std::as_writable_bytes(std::span(made.closing)));
    tell(source, number);
    return true;
}

bool long_transfers::has_come(int source, std::span<std::byte const> announcement) const {
    incoming const& here = incoming_.at({source, number_in(announcement)});
    // A withdrawn message never arrives: its source has left.
    return !here.under_way && here.closing[1] == here.whole.size() - here.in_announcement;
}

buffer long_transfers::take(int source, std::span<std::byte const> announcement) {
    auto const found = incoming_.find({source, number_in(announcement)});
    buffer whole = std::move(found->second.whole);
    incoming_.erase(found);
    return whole;
}

void long_transfers::refuse(int source, std::span<std::byte const> announcement) {
    std::uint64_t const number = number_in(announcement);
    auto const found = incoming_.find({source, number});
    if (found != incoming_.end())
        found->second.dropped = true;
    else
        tell(source, number | refused);
}

void long_transfers::send_data(outgoing& each) {
    each.closing = {each.number, each.data.size()};
    each.pending[0] = via_.send(each.destination, data_tag_, each.data, send_mode::standard);
    each.pending[1] = via_.send(
        each.destination, data_tag_, std::as_bytes(std::span(&each.closing, 1)), send_mode::standard);
    ++sent_;
    sent_bytes_ += static_cast<std::int64_t>(each.data.size());
    if (nodes_.node_of(each.destination) == nodes_.node()) return;
    ++between_;
    between_bytes_ += static_cast<std::int64_t>(each.data.size());
}

bool long_transfers::take_answers() {
    bool any = false;
    while (true) {
        if (hears_) {
            if (!via_.test(hearing_)) return any;
            hears_ = false;
            std::uint64_t const number = heard_ & ~refused;
            auto const found = std::ranges::find(outgoing_, number, &outgoing::number);
            if (found != outgoing_.end() && !found->asked) {
                found->asked = true;
                if ((heard_ & refused) != 0)
                    found->over = true;
                else
                    send_data(*found);
            }
            any = true;
        }
        bool const expects = std::ranges::any_of(outgoing_, [](outgoing const& each) { return !each.asked; });
        if (!expects) return any;
        auto const found = via_.probe(transport::any_source, answer_tag_);
        if (!found) return any;
        hearing_ = via_.receive(*found, std::as_writable_bytes(std::span(&heard_, 1)));
        hears_ = true; // also where the request is complete already
    }
}

bool long_transfers::test_outgoing(outgoing& each) {
    if (!each.asked || each.over) return false;
    for (request& pending : each.pending)
        if (!via_.test(pending)) return false;
    return each.over = true;
}

bool long_transfers::begin_and_test() {
    if (outgoing_.empty() && incoming_.empty() && told_.empty() && !hears_) return false;
    bool any = take_answers();
    for (outgoing& each : outgoing_)
        if (test_outgoing(each)) any = true;
    std::erase_if(told_, [&](answer& each) { return via_.test(each.pending); });
    for (auto entry = incoming_.begin(); entry != incoming_.end();) {
        incoming& each = entry->second;
        if (each.under_way && via_.test(each.pending[0]) && via_.test(each.pending[1])) {
            each.under_way = false;
            under_way_ -= each.whole.size();
            any = true;
        }
        entry = !each.under_way && each.dropped ? incoming_.erase(entry) : std::next(entry);
    }
    return any;
}

void long_transfers::withdraw() {
    for (outgoing& each : outgoing_)
        if (!each.asked) withdraw(each);
}

void long_transfers::withdraw(outgoing& mine) {
    mine.asked = true;
    mine.data = {};
    mine.closing = {mine.number, 0};
    mine.pending[0] = via_.send(mine.destination, data_tag_, {}, send_mode::standard);
    mine.pending[1] = via_.send(
        mine.destination, data_tag_, std::as_bytes(std::span(&mine.closing, 1)), send_mode::standard);
}

bool long_transfers::at_rest() const noexcept {
    return !hears_ && told_.empty() &&
           std::ranges::none_of(outgoing_, [](outgoing const& each) { return each.asked && !each.over; }) &&
           std::ranges::none_of(incoming_, [](auto const& entry) { return entry.second.under_way; });
}

void long_transfers::add_to(mailbox_counters& sums) const noexcept {
    sums.wire_buffers += sent_;
    sums.wire_bytes += sent_bytes_;
    sums.between_buffers += between_;
    sums.between_bytes += between_bytes_;
}

void long_transfers::describe_wait(std::string& into) const {
    for (outgoing const& each : outgoing_)
        into += "a message of " + std::to_string(each.data.size()) + " bytes to rank " +
                std::to_string(each.destination) +
                (each.asked ? ", which is under way; " : ", which has not come to it; ");
    for (auto const& [from, each] : incoming_)
        if (each.under_way)
            into += "a message of " + std::to_string(each.whole.size()) + " bytes from rank " +
                    std::to_string(from.first) + "; ";
}

} // namespace weft
