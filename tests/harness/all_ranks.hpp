/// One run after the other of calls that go wrong on purpose, and what each rank makes of it.
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

/// What a call has thrown here.
enum class thrown_kind : std::int32_t { nothing, own, told };

/// What one rank tells of one run.
struct outcome {
    thrown_kind threw = thrown_kind::nothing;
    std::int32_t right = 1;  ///< its answer
    std::int32_t marked = 0; ///< for the caller
    std::int32_t lone = 0;   ///< it has failed alone, which is fatal
};

/// Errors that all ranks may have alike are told; others are a rank's own.
[[nodiscard]] thrown_kind kind_of(std::exception_ptr const& thrown);

/// Gathers outcomes past Weft, whose calls may be broken, and ends the program where they disagree.
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
    /// A folder of this job.
    [[nodiscard]] std::string const& folder() const noexcept { return folder_; }

    /// Names the run that begins, also for a segmentation fault and for the watchdog.
    void begin(std::string const& run);
    /// Collective. Ends the program where a rank has failed alone, or where others do not come.
    [[nodiscard]] std::vector<outcome> gather(outcome mine, std::exception_ptr const& thrown);
    /// Collective. Ends the program where a sum of ones is wrong after the run.
    void finish(std::exception_ptr const& thrown);
    /// Says what is wrong with the run.
    void say(std::string const& what, std::exception_ptr const& thrown) const;
    /// The same, and ends the program.
    [[noreturn]] void end(std::string const& what, std::exception_ptr const& thrown) const;

private:
    weft::communicator const& world_;
    watchdog& dog_;
    std::chrono::duration<double> patience_;
    MPI_Comm outside_ = MPI_COMM_NULL;
    std::string folder_;
};

} // namespace weft_test
