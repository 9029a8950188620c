/// A fast start of MPI for a single process.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// Tells Open MPI, by environment variables, that this process is alone. Values set by the user stay. The
/// destructor removes the variables again, so that programs started later do not see them.
class lone_start {
public:
    lone_start();
    ~lone_start();
    lone_start(lone_start const&) = delete;
    lone_start& operator=(lone_start const&) = delete;

private:
    std::vector<std::string> set_here_;
};

/// Returns false on a process that an MPI launcher started with a rank above 0; also works before
/// initialisation and after the end.
[[nodiscard]] bool is_first_process() noexcept;

} // namespace weft
