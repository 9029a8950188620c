/// The files of commands about texts, and what is an item in them.
#pragma once

#include "report/reporting_command.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tool {

/// Files, and items in them: lines, words, fields of a column, or values at a path of JSON.
class item_input {
public:
    void add_to(CLI::App& command);

    /// Calls `use` with each item, on the rank that reads it; fills `input` and `options` of the report, and
    /// laps the watch. Returns the number of records that were read on all ranks: lines, or those of CSV.
    /// Collective. Throws: `io_error`, `usage_error`.
    [[nodiscard]] std::int64_t read(
        session const& now, std::function<void(std::string_view)> const& use) const;

    /// How the table names it.
    [[nodiscard]] std::string short_name() const;
    /// The kind of an item: "line", "word", "field" or "value".
    [[nodiscard]] char const* item() const noexcept;

private:
    std::vector<std::string> files_;
    bool words_ = false;
    std::string field_;
    std::string json_;
    std::string header_ = "yes";
    std::string delimiter_;
};

} // namespace weft::tool
