/// Small messages that make messages, in a plain loop over `transport`: what detectors of termination wait
/// for.
#pragma once

#include <weft/extend/protocol/termination_detector.hpp>
#include <weft/extend/transport/transport.hpp>

#include <chrono>
#include <cstdint>
#include <deque>

namespace weft::tool {

/// The course of a phase. Where messages go depends on nothing but the phase, so that every run is the
/// same.
struct parcel_shape {
    bool only_one = false; ///< rank 0 begins with one message that goes on to the next rank; else every rank
                           ///< begins one, and all go to random ranks
    int fan = 1;           ///< messages that a message makes
    int depth = 0;         ///< the messages of the last generation make none
};

/// One rank of it; the ranks are apart from each other in no phase but the one of their detectors.
class parcel_loop {
public:
    using clock = std::chrono::steady_clock;

    parcel_loop(transport& via, int tag, parcel_shape shape, termination_detector& end)
        : via_(via), tag_(tag), shape_(shape), end_(end) {}

    /// Sends what begins a phase.
    void begin(std::uint64_t phase);
    /// Done when the detector says so.
    [[nodiscard]] progress step();
    /// Done when no request is under way.
    [[nodiscard]] progress finish();

    /// In this phase, by this rank.
    [[nodiscard]] std::int64_t handled() const noexcept { return handled_; }
    [[nodiscard]] clock::time_point last_handled() const noexcept { return last_handled_; }

private:
    struct parcel {
        std::uint64_t word; // from which all that it makes is drawn
        std::int64_t left;  // generations
    };
    struct flight {
        parcel what;
        request pending = {};
    };

    void send(int destination, parcel const& what);
    void handle(parcel const& what);
    [[nodiscard]] bool receive();
    void test_sends();

    transport& via_;
    int tag_;
    parcel_shape shape_;
    termination_detector& end_;
    std::deque<flight> flights_; // which keeps its elements in place
    parcel incoming_ = {};
    request receive_ = {};
    std::int64_t handled_ = 0;
    clock::time_point last_handled_ = {};
};

} // namespace weft::tool
