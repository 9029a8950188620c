#include "parcel_loop.hpp"

#include <weft/detail/core/hash.hpp>

#include <optional>
#include <span>

namespace weft::tool {

namespace {

/// Words that look random, of a word and a number.
std::uint64_t scrambled(std::uint64_t word, std::uint64_t number) noexcept {
    return detail::mixed(word + detail::golden * (number + 1));
}

} // namespace

void parcel_loop::begin(std::uint64_t phase) {
    handled_ = 0;
    if (shape_.only_one && via_.rank() != 0) return;
    auto const rank = static_cast<std::uint64_t>(via_.rank());
    handle({scrambled(phase, rank), shape_.depth});
}

void parcel_loop::send(int destination, parcel const& what) {
    flight& made = flights_.emplace_back(flight{what});
    end_.sent(1);
    made.pending = via_.send(destination, tag_, std::as_bytes(std::span(&made.what, 1)), end_.mode());
}

void parcel_loop::handle(parcel const& what) {
    if (what.left == 0) return;
    auto const ranks = static_cast<std::uint64_t>(via_.size());
    for (int child = 0; child < shape_.fan; ++child) {
        std::uint64_t const word = scrambled(what.word, static_cast<std::uint64_t>(child));
        int const to = shape_.only_one ? (via_.rank() + 1) % via_.size() : static_cast<int>(word % ranks);
        send(to, {word, what.left - 1});
    }
}

bool parcel_loop::receive() {
    if (!receive_) {
        std::optional<envelope> const found = via_.probe(transport::any_source, tag_);
        if (!found) return false;
        receive_ = via_.receive(*found, std::as_writable_bytes(std::span(&incoming_, 1)));
        end_.received(1);
    }
    if (!via_.test(receive_)) return true;
    handle(incoming_);
    ++handled_;
    last_handled_ = clock::now();
    end_.handled(1);
    return true;
}

void parcel_loop::test_sends() {
    for (; !flights_.empty() && via_.test(flights_.front().pending); flights_.pop_front()) end_.delivered(1);
}

progress parcel_loop::step() {
    test_sends();
    bool const busy = receive();
    progress const now = end_.step(!busy);
    return busy && now == progress::none ? progress::some : now;
}

progress parcel_loop::finish() {
    test_sends();
    return flights_.empty() ? progress::done : progress::none;
}

} // namespace weft::tool
