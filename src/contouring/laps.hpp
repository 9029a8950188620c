/// Calls a function of the caller after each phase of an operation. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/protocol/agreement.hpp>

#include <exception>
#include <functional>
#include <string_view>
#include <utility>

namespace weft::contouring {

/// Keeps an exception of the function until the ranks agree on it at the end, since the other ranks are in
/// the next phase already.
class laps {
public:
    explicit laps(std::function<void(std::string_view)> const& call) : call_(call) {}

    /// To be called after a phase.
    void operator()(std::string_view phase) {
        if (!call_ || failure_) return;
        try {
            call_(phase);
        } catch (...) { failure_ = std::current_exception(); }
    }
    /// Collective: yes. Cost: a census. Throws: the exception of the function, agreed.
    void end(communicator const& comm) { agree(comm, std::move(failure_)); }

private:
    std::function<void(std::string_view)> const& call_;
    std::exception_ptr failure_;
};

} // namespace weft::contouring
