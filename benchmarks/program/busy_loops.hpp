/// Programs that only call Weft, at full rate: what a benchmark of watching watches.
#pragma once

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft::tool {

/// Calls of one kind that a program repeats at full rate, on one root.
class busy_loop {
public:
    virtual ~busy_loop() = default;
    /// Collective.
    virtual void run(std::int64_t rounds) = 0;
};

/// The names of the loops.
[[nodiscard]] std::vector<std::string> const& busy_loop_names();
[[nodiscard]] std::unique_ptr<busy_loop> make_busy_loop(std::string const& name, communicator const& comm);

} // namespace weft::tool
