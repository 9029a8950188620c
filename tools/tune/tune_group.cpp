#include "tune_group.hpp"

#include "memory_passing.hpp"
#include "tune_phases.hpp"

#include <weft/core/buffer.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

namespace weft::tool {

namespace {

/// Something that can be done this number of times.
using subject = std::function<void(int rounds)>;

/// Seconds of one round on the slowest rank. Collective.
double time_once(communicator const& comm, subject const& what, int rounds) {
    transport const& via = transport_of(comm);
    (void)max(comm, 0);
    what(2); // where ranks share cores, they do not begin together, and the first rounds wait
    double const start = via.seconds();
    what(rounds);
    auto const nanoseconds = static_cast<std::int64_t>((via.seconds() - start) * 1e9);
    return 1e-9 * static_cast<double>(max(comm, nanoseconds)) / rounds;
}

/// The times of all subjects, in turn so that what disturbs the machine disturbs all; lower quartiles, since
/// nothing makes a run faster than it is. Collective.
std::vector<double> time_interleaved(
    communicator const& comm, std::vector<subject> const& subjects, double seconds) {
    constexpr int repetitions = 9;
    constexpr int at_least = 3;
    constexpr double least_rounds = 4;
    constexpr double most_rounds = 1000;
    transport const& via = transport_of(comm);
    double const begin = via.seconds();
    auto const late = [&](double limit) { return max(comm, via.seconds() - begin > limit ? 1 : 0) == 1; };
    double const share = seconds / (static_cast<double>(subjects.size()) * (repetitions + 1));
    auto const fitting = [&](double once) {
        return static_cast<int>(std::clamp(share / once, least_rounds, most_rounds));
    };
    std::vector<int> rounds;
    for (subject const& each : subjects) {
        each(1); // connections and pages are made
        rounds.push_back(fitting(std::max(time_once(comm, each, 2), 1e-9)));
    }
    std::vector<std::vector<double>> times(subjects.size());
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        if (repetition > 0 && late(repetition < at_least ? 1.5 * seconds : seconds)) break;
        for (std::size_t i = 0; i < subjects.size(); ++i) {
            double const once = time_once(comm, subjects[i], rounds[i]);
            times[i].push_back(once);
            // Where ranks wait for cores, the next run can be a hundred times slower than the first.
            rounds[i] = std::min(rounds[i], 2 * fitting(std::max(once, 1e-9)));
        }
    }
    std::vector<double> result;
    for (auto& each : times) result.push_back(quantile(each, 0.25));
    return result;
}

void repeat(int rounds, transport& via, std::function<request()> const& begin) {
    for (int round = 0; round < rounds; ++round) {
        request pending = begin();
        drive(backoff(64), [&] { return via.test(pending) ? progress::done : progress::none; });
    }
}

/// More messages than one in a phase; fewer where they are large, which takes long and tells the same.
int batch_of(double bytes) {
    return bytes > 65536 ? 3 : 8;
}

/// No larger message is cheaper: what says so is noise.
void make_ascending(std::vector<double>& times) {
    for (std::size_t i = 1; i < times.size(); ++i) times[i] = std::max(times[i], times[i - 1]);
}

} // namespace

measured_costs measure_group(communicator const& comm, double seconds) {
    transport& via = transport_of(comm);
    std::vector<std::int64_t> const mine(static_cast<std::size_t>(comm.size()), 1);
    std::vector<std::int64_t> theirs(mine.size());
    std::int64_t sum = 0;
    std::vector<subject> subjects{[&](int rounds) {
                                      for (int round = 0; round < rounds; ++round)
                                          (void)combine_all(comm, census_value::identity());
                                  },
        [&](int rounds) { repeat(rounds, via, [&] { return via.all_to_all(mine, theirs); }); },
        [&](int rounds) { repeat(rounds, via, [&] { return via.reduce_scatter(mine, sum); }); }};
    auto const add_phase = [&](delivery how, double bytes, int batch, bool sends) {
        auto const made = std::make_shared<phase_runner>(via, how, static_cast<std::size_t>(bytes), batch);
        subjects.emplace_back([made, sends](int rounds) {
            for (int round = 0; round < rounds; ++round) sends ? made->run() : made->write();
        });
    };
    auto const add_phases = [&](delivery how, bool sends) {
        for (double const bytes : measured_bytes)
            for (int const batch : {1, batch_of(bytes)}) add_phase(how, bytes, batch, sends);
    };
    add_phases(delivery::known, false);
    for (delivery const how : {delivery::known, delivery::probed, delivery::synchronous})
        add_phases(how, true);

    std::vector<double> const times = time_interleaved(comm, subjects, seconds);
    measured_costs found{comm.size(), times[0], times[1], times[2]};
    auto const writes = times.begin() + 3;
    auto next = writes + 2 * std::ssize(measured_bytes);
    for (phase_costs* const phase : {&found.known, &found.probed, &found.synchronous}) {
        auto written = writes;
        for (double const bytes : measured_bytes) {
            double const one = std::max(*next++ - *written++, 0.0);
            double const several = std::max(*next++ - *written++, 0.0);
            phase->first.push_back(one);
            phase->more.push_back(std::max(several - one, 0.0) / (batch_of(bytes) - 1));
        }
        make_ascending(phase->first);
        make_ascending(phase->more);
    }
    return found;
}

double measure_exchange_overhead(communicator const& comm) {
    communicator const alone = comm.split(comm.rank(), 0);
    subject const exchanges = [&](int rounds) {
        for (int round = 0; round < rounds; ++round)
            (void)exchange(outbox<std::byte>(alone), {.protocol = protocol::nbx});
    };
    return time_interleaved(comm, {exchanges}, 0.2).front();
}

double measure_copying(communicator const& comm) {
    constexpr std::size_t bytes = 4 << 20;
    buffer from(bytes);
    buffer into(bytes);
    std::ranges::fill(from.bytes(), std::byte{1});
    subject const copy = [&](int rounds) {
        for (int round = 0; round < rounds; ++round) {
            from.data()[round] = static_cast<std::byte>(round); // or the copies would be one
            std::ranges::copy(from.bytes(), into.data());
        }
    };
    return time_interleaved(comm, {copy}, 0.2).front() / bytes;
}

double measure_handover(communicator const& comm) {
    memory_passing pairs(comm);
    if (!pairs.is_possible()) return 0;
    std::vector<subject> subjects;
    for (passing const how : {passing::none, passing::lines, passing::released})
        subjects.emplace_back([&pairs, how](int rounds) {
            for (int round = 0; round < rounds; ++round) pairs.round(how);
        });
    std::vector<double> const times = time_interleaved(comm, subjects, 0.3);
    return std::max(std::min(times[1], times[2]) - times[0], 0.0) / memory_passing::bytes;
}

} // namespace weft::tool
