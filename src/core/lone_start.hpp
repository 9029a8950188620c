/// A quick beginning of MPI for a process that is alone.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// Tells Open MPI, by variables of the environment, that this process is alone. Values that the user set
/// stay. The destructor takes the variables back, so that programs started later do not see them.
class lone_start {
public:
    lone_start();
    ~lone_start();
    lone_start(lone_start const&) = delete;
    lone_start& operator=(lone_start const&) = delete;

private:
    std::vector<std::string> set_here_;
};

/// False on a process that a launcher of MPI started with a rank above 0; before initialisation and after the
/// end too.
[[nodiscard]] bool is_first_process() noexcept;

} // namespace weft
