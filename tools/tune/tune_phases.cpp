#include "tune_phases.hpp"

#include <algorithm>
#include <span>

namespace weft::tool {

namespace {

constexpr int tag = 0; // groups have communicators of their own
constexpr int spin = 64;

void wait_for(transport& via, request pending) {
    drive(backoff(spin), [&] { return via.test(pending) ? progress::done : progress::none; });
}

/// How long a stream of messages takes from rank 0 to rank 1 until an answer is back, and how long its sends
/// alone. On rank 1 the times mean nothing.
struct stream_seconds {
    double whole;
    double sends;
};

stream_seconds stream(transport& via, std::span<std::byte> room, int messages, send_mode mode) {
    std::vector<request> pending;
    std::size_t const bytes = room.size() / static_cast<std::size_t>(messages);
    double const start = via.seconds();
    for (int i = 0; i < messages; ++i) {
        auto const part = room.subspan(static_cast<std::size_t>(i) * bytes, bytes);
        pending.push_back(via.rank() == 0 ? via.send(1, tag, part, mode) : via.receive(0, tag, part));
    }
    double const sent = via.seconds();
    for (request const each : pending) wait_for(via, each);
    std::byte answer{};
    std::span<std::byte> const one(&answer, 1);
    wait_for(via, via.rank() == 0 ? via.receive(1, tag, one) : via.send(0, tag, one, send_mode::standard));
    return {via.seconds() - start, sent - start};
}

/// Returns the seconds from a message of rank 0 until an answer of the same size is back. Times ten round
/// trips together, since reading the clock takes about as long as a message.
double round_trip_seconds(transport& via, std::span<std::byte> room, send_mode mode) {
    constexpr int times = 10;
    double const start = via.seconds();
    for (int i = 0; i < times; ++i) {
        request got = via.receive(1 - via.rank(), tag, room);
        if (via.rank() == 1) wait_for(via, got);
        request const sent =
            via.send(1 - via.rank(), tag, room, via.rank() == 0 ? mode : send_mode::standard);
        if (via.rank() == 0) wait_for(via, got);
        wait_for(via, sent);
    }
    return (via.seconds() - start) / times;
}

/// The decision of rank 0, on both ranks.
bool decided(transport& via, bool yes) {
    std::byte word{yes ? std::byte{1} : std::byte{0}};
    std::span<std::byte> const one(&word, 1);
    wait_for(via, via.rank() == 0 ? via.send(1, tag, one, send_mode::standard) : via.receive(0, tag, one));
    return word != std::byte{0};
}

} // namespace

double quantile(std::vector<double>& values, double part) {
    auto const place =
        values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size()));
    std::ranges::nth_element(values, place);
    return *place;
}

// A fast neighbour's message of the next phase may arrive in this one; it counts there, and a rank goes on
// receiving until its own sends are complete, so that nobody waits for a rank that listens no more.

phase_runner::phase_runner(transport& via, delivery how, std::size_t bytes, int batch)
    : via_(via), how_(how), bytes_(bytes), batch_(batch), source_(bytes) {
    std::ranges::fill(source_.bytes(), std::byte{1});
    for (int i = 0; i < batch; ++i) payloads_.emplace_back(bytes);
}

void phase_runner::write(int message) {
    source_.data()[0] = static_cast<std::byte>(++written_); // or the copies would be one
    std::ranges::copy(source_.bytes(), payloads_[static_cast<std::size_t>(message)].data());
}

void phase_runner::write() {
    for (int i = 0; i < batch_; ++i) write(i);
}

void phase_runner::run() {
    if (how_ == delivery::known)
        for (int i = 0; i < batch_; ++i) post_receive(peer(-i - 1));
    auto const mode = how_ == delivery::synchronous ? send_mode::synchronous : send_mode::standard;
    for (int i = 0; i < batch_; ++i) {
        write(i); // as programs do, so that no cache of a receiver has the bytes already
        auto const payload = payloads_[static_cast<std::size_t>(i)].bytes();
        pending_.push_back(via_.send(peer(i + 1), tag, payload, mode));
    }
    missing_ += batch_;
    drive(backoff(spin), [&] { return step(); });
    taken_ = 0;
}

/// The rank that is `distance` further in a circle without this rank.
int phase_runner::peer(int distance) const {
    int const others = via_.size() - 1;
    int const step = (distance > 0 ? distance - 1 : distance + 1) % others;
    return (via_.rank() + via_.size() + step + (distance > 0 ? 1 : -1)) % via_.size();
}

buffer& phase_runner::room() {
    if (taken_ == rooms_.size()) rooms_.emplace_back(bytes_);
    return rooms_[taken_++];
}

void phase_runner::post_receive(int source) {
    pending_.push_back(via_.receive(source, tag, room().bytes()));
    --missing_;
}

progress phase_runner::step() {
    progress result = progress::none;
    drop_complete();
    while (!is_over()) { // a needless probe takes as long as a message
        auto const found = how_ == delivery::known ? std::nullopt : via_.probe(transport::any_source, tag);
        if (!found) return result;
        pending_.push_back(via_.receive(*found, room().bytes()));
        --missing_;
        drop_complete();
        result = progress::some;
    }
    return progress::done;
}

void phase_runner::drop_complete() {
    while (!pending_.empty() && via_.test(pending_.back())) pending_.pop_back();
}

network_model measure_pair(transport& via, double seconds) {
    constexpr int many = 16;
    constexpr int few = 4;
    constexpr std::size_t small = 8;
    constexpr std::size_t large = 1 << 20;
    constexpr int at_least = 20;
    constexpr int at_most = 2000;
    buffer room(large * few);
    std::ranges::fill(room.bytes(), std::byte{1});
    auto const first = [&](std::size_t bytes) { return room.bytes().subspan(0, bytes); };
    std::vector<double> trips, held, one, burst, sends, large_one, large_burst;
    double const begin = via.seconds();
    for (int i = 0; decided(via, i < at_least || (i < at_most && via.seconds() - begin < seconds)); ++i) {
        trips.push_back(round_trip_seconds(via, first(small), send_mode::standard));
        held.push_back(round_trip_seconds(via, first(small), send_mode::synchronous));
        one.push_back(stream(via, first(small), 1, send_mode::standard).whole);
        auto const many_small = stream(via, first(small * many), many, send_mode::standard);
        burst.push_back(many_small.whole);
        sends.push_back(many_small.sends / many);
        large_one.push_back(stream(via, first(large), 1, send_mode::standard).whole);
        large_burst.push_back(stream(via, first(large * few), few, send_mode::standard).whole);
    }
    // The parameters are differences of times that hardly differ: those of the runs that nothing disturbed.
    auto const undisturbed = [](std::vector<double>& times) { return quantile(times, 0.1); };
    constexpr double least = 1e-9; // below what can be measured, and not zero
    double const round_trip = undisturbed(trips);
    network_model found;
    loggp& p = found.parameters;
    p.overhead = std::max(undisturbed(sends), least);
    p.latency = std::max(round_trip / 2 - 2 * p.overhead, least);
    p.gap = std::max((undisturbed(burst) - undisturbed(one)) / (many - 1), least);
    double const large_gap = (undisturbed(large_burst) - undisturbed(large_one)) / (few - 1);
    p.gap_per_byte = std::max(large_gap - p.gap, 0.0) / (large - small);
    found.synchronous_penalty = std::max(undisturbed(held) - round_trip, 0.0);
    return found;
}

} // namespace weft::tool
