/// Runs calls that fail on purpose, one after the other, and gathers the outcome of each rank.
#pragma once

#include <harness/watchdog.hpp>

#include <weft/core/communicator.hpp>

#include <weft/mpi.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace weft_test {

/// The origin of the exception that a call has thrown here.
enum class thrown_kind : std::int32_t { nothing, own, told };

/// The outcome of a run on one rank.
struct outcome {
    thrown_kind threw = thrown_kind::nothing;
    std::int32_t right = 1;  ///< the answer is right
    std::int32_t marked = 0; ///< for the caller
    std::int32_t lone = 0;   ///< a lone failure, which is fatal
};

/// Returns `told` for errors that all ranks may have alike; others are a rank's own.
[[nodiscard]] thrown_kind kind_of(std::exception_ptr const& thrown);

/// Gathers outcomes without Weft, whose calls may be broken, and ends the program if they disagree.
class all_ranks {
public:
    /// `last_words` are printed before the program ends.
    all_ranks(
        weft::communicator const& world, watchdog& dog, std::chrono::duration<double> patience,
        void (*last_words)() = [] {});
    ~all_ranks();
    all_ranks(all_ranks const&) = delete;
    all_ranks& operator=(all_ranks const&) = delete;

    [[nodiscard]] weft::communicator const& world() const noexcept { return world_; }
    /// Returns a folder of this job.
    [[nodiscard]] std::string const& folder() const noexcept { return folder_; }

    /// Names the run that begins, for the watchdog and segmentation faults.
    void begin(std::string const& run);
    /// Collective. Ends the program if a rank has a lone failure, or if others do not arrive.
    [[nodiscard]] std::vector<outcome> gather(outcome mine, std::exception_ptr const& thrown);
    /// Collective. Ends the program if a sum of ones is wrong after the run.
    void finish(std::exception_ptr const& thrown);
    /// Prints what is wrong with the run.
    void say(std::string const& what, std::exception_ptr const& thrown) const;
    /// Prints it, and ends the program.
    [[noreturn]] void end(std::string const& what, std::exception_ptr const& thrown) const;

private:
    weft::communicator const& world_;
    watchdog& dog_;
    std::chrono::duration<double> patience_;
    MPI_Comm outside_ = MPI_COMM_NULL;
    std::string folder_;
};

} // namespace weft_test
