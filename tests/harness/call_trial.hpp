/// The common part of programs that repeat a collective call, each time with another fault.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstdint>
#include <exception>
#include <fstream>
#include <string>

namespace weft_test {

/// The ranks that learn of an error of one rank, by docs/errors.md.
enum class told : std::uint8_t {
    all,       ///< all ranks
    neighbours ///< those that would have received data from the rank
};

/// One run of a call on one rank.
class call_trial {
public:
    call_trial(weft::communicator const& comm, std::string const& folder) : comm_(comm), folder_(folder) {}

    [[nodiscard]] weft::communicator const& comm() const noexcept { return comm_; }
    [[nodiscard]] int rank() const noexcept { return comm_.rank(); }
    [[nodiscard]] int size() const noexcept { return comm_.size(); }
    /// Returns the path of a file, the same on all ranks.
    [[nodiscard]] std::string path(std::string const& name) const { return folder_ + "/" + name; }
    /// Writes a file on rank 0, and returns its path. Collective.
    [[nodiscard]] std::string file_of(std::string const& name, std::string const& content) const {
        std::string const file = path(name);
        if (rank() == 0) std::ofstream(file) << content;
        (void)weft::sum(comm_, 0);
        return file;
    }
    /// The exception of the call; null without one.
    [[nodiscard]] std::exception_ptr const& thrown() const noexcept { return thrown_; }

protected:
    std::exception_ptr thrown_;

private:
    weft::communicator const& comm_;
    std::string const& folder_;
};

} // namespace weft_test
