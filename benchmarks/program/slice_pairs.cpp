#include "slice_pairs.hpp"

#include <weft/core/error.hpp>
#include <weft/mpi.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>
#include <random>
#include <thread>

namespace weft::tool {

namespace {

double processor_seconds() noexcept {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

double mean_of_middle(std::vector<double>& values) {
    std::ranges::sort(values);
    auto const cut = static_cast<std::ptrdiff_t>(values.size() / 10);
    return std::accumulate(values.begin() + cut, values.end() - cut, 0.0) /
           static_cast<double>(std::ssize(values) - 2 * cut);
}

/// Waits for all ranks. A rank that waits sleeps, so that slices of others have the cores for themselves.
void meet(communicator const& comm) {
    MPI_Request under_way = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibarrier(native_handle(comm), &under_way), "MPI_Ibarrier");
    for (int is_over = 0; is_over == 0;) {
        check_mpi(MPI_Test(&under_way, &is_over, MPI_STATUS_IGNORE), "MPI_Test");
        if (is_over == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

double seconds_of_slice(slice_state const& state, std::int64_t rounds, communicator const& comm) {
    meet(comm);
    state.begin();
    state.loop->run(std::max<std::int64_t>(1, rounds / 10)); // what changed is in caches again
    double const begin = processor_seconds();
    state.loop->run(rounds);
    return processor_seconds() - begin;
}

} // namespace

estimate trimmed_mean(std::vector<double> values) {
    constexpr std::size_t samples = 2000;
    constexpr std::size_t outside = samples / 40; // 2.5 % at each end
    std::mt19937_64 next(1);
    std::vector<double> means;
    std::vector<double> sample(values.size());
    for (std::size_t each = 0; each < samples; ++each) {
        for (double& one : sample) one = values[next() % values.size()];
        means.push_back(mean_of_middle(sample));
    }
    std::ranges::sort(means);
    return {mean_of_middle(values), means[outside], means[samples - 1 - outside]};
}

std::string as_percent(estimate const& share) {
    return fmt::format("{:+.3f} % ({:+.3f} to {:+.3f})", 100 * share.mean, 100 * share.low, 100 * share.high);
}

std::int64_t slice_pairs::rounds_of_a_slice(busy_loop& loop) const {
    constexpr std::int64_t until_warm = 100; // exchanges try out protocols
    loop.run(until_warm);
    for (std::int64_t rounds = 1;; rounds *= 2) {
        double const begin = processor_seconds();
        loop.run(rounds);
        double const took = processor_seconds() - begin;
        if (took < slice_seconds_ / 4) continue;
        return std::max<std::int64_t>(
            1, static_cast<std::int64_t>(static_cast<double>(rounds) * slice_seconds_ / took));
    }
}

estimate slice_pairs::extra(slice_state const& usual, slice_state const& state) const {
    std::int64_t const rounds = rounds_of_a_slice(*usual.loop);
    (void)rounds_of_a_slice(*state.loop);
    std::mt19937 next(2);
    std::vector<double> logs;
    for (int each = 0; each < pairs_; ++each) {
        bool const usual_first = next() % 2 == 0; // on all ranks
        double const first = seconds_of_slice(usual_first ? usual : state, rounds, comm_);
        double const second = seconds_of_slice(usual_first ? state : usual, rounds, comm_);
        logs.push_back(std::log(usual_first ? second / first : first / second));
    }
    // Ranks share caches and clocks, so a pair counts once, as the mean of all ranks.
    std::vector<double> of_all(logs.size());
    check_mpi(MPI_Allreduce(logs.data(), of_all.data(), static_cast<int>(logs.size()), MPI_DOUBLE, MPI_SUM,
                  native_handle(comm_)),
        "MPI_Allreduce");
    for (double& one : of_all) one /= comm_.size();
    estimate found = trimmed_mean(std::move(of_all));
    for (double* const part : {&found.mean, &found.low, &found.high}) *part = std::expm1(*part);
    return found;
}

} // namespace weft::tool
