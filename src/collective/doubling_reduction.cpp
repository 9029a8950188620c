#include "doubling_reduction.hpp"

#include <core/left_memory.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace weft {

namespace {

/// A message of more bytes goes in several: MPI sends these at once, where it would ask the receiver for room
/// for the whole. Of 4 KiB on a node that takes half the time.
constexpr std::size_t piece_bytes = 3 << 10;

} // namespace

template <class Each>
void doubling_reduction::for_pieces(bool room_behind, Each&& each) const {
    std::size_t first = 0;
    for (; bytes_ - first > piece_bytes; first += piece_bytes) each(first, piece_bytes);
    each(first, bytes_ - first + (room_behind ? sizeof failed_ : 0));
}

doubling_reduction::doubling_reduction(
    transport& via, int tag, std::size_t elements, std::size_t element_bytes)
    : via_(via), tag_(tag), elements_(elements), bytes_(elements * element_bytes) {
    int const ranks = via.size();
    int const rank = via.rank();
    for (int width = 1; width < ranks; width *= 2) {
        int const mine = rank / width * width;
        int const other = mine ^ width;
        if (other >= ranks) continue;
        // Only the last block may have fewer ranks than the others: then each of them serves several.
        int const here = std::min(width, ranks - mine);
        int const there = std::min(width, ranks - other);
        int const place = rank - mine;
        exchange& made = steps_.emplace_back();
        // mutant: doubling_receives_from_one_rank_of_a_block
        made.from = other + place % there;
        for (int to = place; to < there; to += here) made.to.push_back(other + to);
        made.other_is_left = other < mine;
        made.incoming.resize(bytes_ + sizeof failed_);
        made.outgoing.resize(bytes_ + sizeof failed_);
        for_pieces(true, [&](std::size_t, std::size_t) {
            made.received.emplace_back();
            made.sent.resize(made.sent.size() + made.to.size());
        });
        messages_ += static_cast<int>(made.sent.size());
    }
}

doubling_reduction::~doubling_reduction() {
    auto const open = [](request const& each) { return static_cast<bool>(each); };
    auto const is_under_way = [&](exchange const& each) {
        return std::ranges::any_of(each.received, open) || std::ranges::any_of(each.sent, open);
    };
    if (std::ranges::any_of(steps_, is_under_way)) leave_to_mpi(std::move(steps_));
}

void doubling_reduction::begin(
    std::byte* data, array_operator& how, reach wanted, std::exception_ptr failure) {
    // Throws first, if at all: nobody has been told anything yet.
    if (wanted == reach::prefix) prefix_.assign(data, data + bytes_);
    data_ = data;
    how_ = &how;
    wanted_ = wanted;
    current_ = pieces_come_ = sent_complete_ = 0;
    failed_ = failure ? via_.rank() : -1;
    thrown_ = std::move(failure);
    // Each comes from another rank, so all can be waited for from the start.
    for (exchange& each : steps_) receive(each);
    if (!steps_.empty()) send(steps_.front());
}

void doubling_reduction::receive(exchange& now) {
    int const nobody = -1; // stays where the last piece ends before it
    std::memcpy(now.incoming.data() + bytes_, &nobody, sizeof nobody);
    std::size_t piece = 0;
    for_pieces(true, [&](std::size_t first, std::size_t bytes) {
        now.received[piece++] = via_.receive(now.from, tag_, now.incoming.bytes().subspan(first, bytes));
    });
}

bool doubling_reduction::has_come(exchange& now) {
    while (pieces_come_ < now.received.size() && via_.test(now.received[pieces_come_])) ++pieces_come_;
    // mutant: doubling_combines_before_all_pieces_are_here
    return pieces_come_ == now.received.size();
}

void doubling_reduction::send(exchange& now) {
    if (bytes_ != 0) std::memcpy(now.outgoing.data(), data_, bytes_);
    std::memcpy(now.outgoing.data() + bytes_, &failed_, sizeof failed_);
    std::size_t next = 0;
    for_pieces(failed_ >= 0, [&](std::size_t first, std::size_t bytes) {
        for (int const to : now.to)
            now.sent[next++] =
                via_.send(to, tag_, now.outgoing.bytes().subspan(first, bytes), send_mode::standard);
    });
}

void doubling_reduction::take(exchange& now) {
    int failed = -1;
    std::memcpy(&failed, now.incoming.data() + bytes_, sizeof failed);
    // mutant: doubling_forgets_a_failure
    if (failed >= 0) failed_ = failed_ < 0 ? failed : std::min(failed_, failed);
    if (failed_ >= 0 || thrown_) return; // only messages go their ways
    std::byte const* const theirs = now.incoming.data();
    try {
        // mutant: doubling_puts_all_blocks_before_a_prefix
        if (wanted_ == reach::prefix && now.other_is_left)
            how_->combine(prefix_.data(), theirs, elements_, true);
        // mutant: doubling_combines_backwards
        how_->combine(data_, theirs, elements_, now.other_is_left);
        // mutant: doubling_stops_after_an_error
    } catch (...) { thrown_ = std::current_exception(); }
}

progress doubling_reduction::step() {
    progress result = progress::none;
    while (current_ < steps_.size() && has_come(steps_[current_])) {
        result = progress::some;
        pieces_come_ = 0;
        take(steps_[current_]);
        if (++current_ < steps_.size())
            send(steps_[current_]);
        else if (wanted_ == reach::prefix && bytes_ != 0)
            std::memcpy(data_, prefix_.data(), bytes_);
    }
    if (current_ < steps_.size()) return result;
    // mutant: doubling_leaves_its_sends
    for (; sent_complete_ < steps_.size(); ++sent_complete_)
        for (request& each : steps_[sent_complete_].sent)
            if (!via_.test(each)) return result;
    return progress::done;
}

void doubling_reduction::describe_wait(std::string& into) const {
    if (current_ < steps_.size())
        into += "step " + std::to_string(current_ + 1) + " of " + std::to_string(steps_.size()) +
                " of a reduction, from rank " + std::to_string(steps_[current_].from) + "; ";
}

} // namespace weft
