/// The questions about graphs and matrices that the command answers, a row each.
#pragma once

#include "command.hpp"

#include <array>
#include <memory>
#include <span>
#include <string_view>

namespace weft::tool {

struct graph_question {
    std::string_view name;     ///< of the command, and of the function in Python
    std::string_view about;    ///< its line in helps, manual pages, completions and the reference
    std::string_view function; ///< in C++
    bool in_python;
    std::unique_ptr<command> (*make)(CLI::App& app);
    std::array<std::string_view, 2>
        examples;                ///< for its help; tests run them, and check the report of the first
    std::string_view notes = {}; ///< for its help, above the examples
};

/// In the order in which helps list them.
[[nodiscard]] std::span<graph_question const> graph_questions() noexcept;

/// Throws `std::invalid_argument` where there is no such row.
[[nodiscard]] graph_question const& graph_question_named(std::string_view name);

} // namespace weft::tool
