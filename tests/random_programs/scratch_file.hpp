/// Names of files that a program writes.
#pragma once

#include "session.hpp"

#include <unistd.h>

#include <filesystem>
#include <string>

namespace random_programs {

/// Returns a name shared by the ranks of one communicator only: ranks of one machine have one launcher.
[[nodiscard]] inline std::string scratch_file(operation const& line, live_group const& group) {
    return (std::filesystem::temp_directory_path() /
            ("random_programs_" + std::to_string(getppid()) + "_" + std::to_string(group.name) + "_" +
                std::to_string(line.number)))
        .string();
}

} // namespace random_programs
