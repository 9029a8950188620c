#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>

#include <core/left_memory.hpp>

#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <algorithm>
#include <bit>
#include <new>
#include <string>
#include <utility>

namespace weft {

namespace {

bool lacks_memory(std::exception_ptr const& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (std::bad_alloc const&) { return true; } catch (...) {
        return false;
    }
}

} // namespace

agreement::agreement(transport& via, int control_tag, all_reduce_method method)
    : via_(via), tag_(control_tag), census_(via, control_tag, method) {
}

void agreement::prepare(std::exception_ptr thrown) {
    thrown_ = std::move(thrown);
    contribution().max[census_slot::failed] = thrown_ ? via_.size() - via_.rank() : 0;
    census_.prepare();
}

void agreement::enter_known(int lowest_failed, std::exception_ptr thrown, std::string where) {
    where_ = std::move(where);
    entered_ = true;
    census_done_ = true;
    thrown_ = std::move(thrown);
    if (lowest_failed >= 0) begin_broadcast(lowest_failed);
}

void agreement::begin_broadcast(int lowest_failed) {
    failed_rank_ = lowest_failed;
    if (failed_rank_ != via_.rank()) return;
    std::string const text = where_ + text_of(thrown_);
    notice_.reserve(1 + text.size());
    notice_.push_back(static_cast<char>(kind_of(thrown_)));
    notice_.insert(notice_.end(), text.begin(), text.end());
    have_notice_ = true;
    forward();
}

void agreement::forward() {
    // A binomial tree over ranks counted from the failed one: node v gets the notice in round bit_width(v) -
    // 1 and sends it to v + 2^k in every later round k.
    int const size = via_.size();
    int const place = (via_.rank() - failed_rank_ + size) % size;
    // Room for all requests first: a message whose request is lost cannot be waited for.
    sent_.reserve(static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(size))));
    for (int k = std::bit_width(static_cast<unsigned>(place)); (place + (1 << k)) < size; ++k)
        sent_.push_back(via_.send(
            (via_.rank() + (1 << k)) % size, tag_, std::as_bytes(std::span(notice_)), send_mode::standard));
}

void agreement::leave_notice() noexcept {
    bool const is_under_way = std::ranges::any_of(sent_, [](request const& each) { return bool(each); });
    if (receive_ || is_under_way) leave_to_mpi(std::move(notice_));
}

void agreement::describe_wait(std::string& into) const {
    if (entered_ && !census_done_)
        census_.describe_wait(into);
    else if (failed_rank_ >= 0 && !have_notice_)
        into += "the text of the error of rank " + std::to_string(failed_rank_) + "; ";
}

bool agreement::let_go() {
    bool over = census_.let_go();
    if (receiving_) over = via_.test(receive_) && over;
    for (request& each : sent_) over = via_.test(each) && over;
    return over;
}

progress agreement::step() {
    progress result = progress::none;
    if (!census_done_) {
        progress const now = census_.step();
        if (now != progress::done) return now;
        census_done_ = true;
        result = progress::some;
        std::int64_t const failed = census_.result().max[census_slot::failed];
        if (failed > 0) begin_broadcast(via_.size() - static_cast<int>(failed));
    }
    if (failed_rank_ < 0) return progress::done;
    if (!have_notice_ && !receiving_) {
        int const size = via_.size();
        auto const place = static_cast<unsigned>((via_.rank() - failed_rank_ + size) % size);
        int const parent = (via_.rank() - static_cast<int>(std::bit_floor(place)) + size) % size;
        auto const found = via_.probe(parent, tag_);
        if (!found) return result;
        notice_.resize(static_cast<std::size_t>(found->bytes));
        receive_ = via_.receive(*found, std::as_writable_bytes(std::span(notice_)));
        receiving_ = true;
        result = progress::some;
    }
    if (receiving_) {
        if (!via_.test(receive_)) return result;
        receiving_ = false;
        // mutant: agreement_does_not_forward
        have_notice_ = true;
        forward();
        result = progress::some;
    }
    // mutant: agreement_leaves_its_sends
    for (request& pending : sent_)
        if (!via_.test(pending)) return result;
    return progress::done;
}

void agreement::rethrow() const {
    if (failed_rank_ < 0) return;
    auto const kind = static_cast<error_kind>(notice_.front());
    // Errors of usage and files are the same on all ranks; other errors are thrown where they occurred. If
    // ranks lack memory, often many do, and only the first one reports it.
    bool const common = kind == error_kind::usage || kind == error_kind::io;
    if (failed_rank_ == via_.rank() || (thrown_ && !common && !lacks_memory(thrown_))) {
        if (lacks_memory(thrown_)) note_agreed(thrown_);
        std::rethrow_exception(thrown_);
    }
    throw_remote(kind, failed_rank_, std::string(text()));
}

void agree(communicator const& comm, std::exception_ptr thrown) {
    gate call(comm, "agree");
    call.fail(std::move(thrown));
    call.agree();
}

} // namespace weft
