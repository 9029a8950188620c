#include "clock_offset.hpp"

#include <weft/extend/transport/mpi_transport.hpp>

#include <cmath>
#include <string>

namespace weft {

clock_offset::clock_offset(transport& via, int tag, rank_clock const& clock)
    : via_(via), tag_(tag), clock_(clock) {
    int const rank = via.rank();
    above_ = rank == 0 ? -1 : rank & (rank - 1);
    for (int bit = 1; rank + bit < via.size() && (rank & bit) == 0; bit *= 2) below_.push_back(rank + bit);
    if (above_ >= 0) ask();
}

clock_offset::~clock_offset() = default;

void clock_offset::ask() {
    receiving_ = via_.receive(above_, tag_, std::as_writable_bytes(std::span(&heard_, 1)));
    asked_at_ = clock_.seconds();
    sending_ = via_.send(above_, tag_, std::as_bytes(std::span(&question_, 1)), send_mode::standard);
}

progress clock_offset::step() {
    progress result = progress::none;
    while (asked_ < questions && above_ >= 0) {
        if (!via_.test(receiving_)) return result;
        double const now = clock_.seconds();
        if (!via_.test(sending_)) return result;
        result = progress::some;
        double const trip = now - asked_at_;
        if (fastest_ < 0 || trip < fastest_) {
            fastest_ = trip;
            double const apart = heard_.time - (asked_at_ + now) / 2;
            offset_ = heard_.offset + (std::abs(apart) <= trip / 2 ? 0 : apart);
            error_ = heard_.error + trip / 2;
        }
        if (++asked_ < questions) ask();
    }
    // Ranks below wait until this rank knows the time itself: the tree is processed from the top.
    while (!below_.empty()) {
        if (!via_.test(sending_)) return result;
        if (!hears_) {
            auto const found = via_.probe(below_.back(), tag_);
            if (!found) return result;
            receiving_ = via_.receive(*found, std::as_writable_bytes(std::span(&question_, 1)));
            hears_ = true;
        }
        if (!via_.test(receiving_)) return result;
        hears_ = false;
        said_ = {clock_.seconds(), offset_, error_};
        sending_ = via_.send(below_.back(), tag_, std::as_bytes(std::span(&said_, 1)), send_mode::standard);
        result = progress::some;
        if (++answered_ < questions) continue;
        answered_ = 0;
        below_.pop_back();
    }
    return via_.test(sending_) ? progress::done : result;
}

void clock_offset::describe_wait(std::string& into) const {
    if (above_ >= 0 && asked_ < questions)
        into += "the time of rank " + std::to_string(above_) + "; ";
    else if (!below_.empty())
        into += "rank " + std::to_string(below_.back()) + " to ask for the time; ";
}

clock_difference find_clock_offset(communicator const& comm, rank_clock const& clock) {
    auto const lease = begin_operation(comm);
    operation_context& context = context_of(comm);
    clock_offset found(context.via, lease.tags().control, clock);
    complete(context, found, "aligning clocks");
    return {found.offset(), found.error()};
}

} // namespace weft
