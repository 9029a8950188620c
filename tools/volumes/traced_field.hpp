/// The field that `weft trace` follows, in files or by a formula: its options, its steps in time, and how it
/// is named.
#pragma once

#include "volume_options.hpp"

#include <tracing/flow.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace weft::tool {

/// Options of a field of vectors, and what is known of it once it was opened.
class traced_field {
public:
    void add_to(CLI::App& parser);
    /// Throws: `CLI::ValidationError` for options that do not go together.
    void check() const;

    /// Empty for a formula.
    [[nodiscard]] std::string first_file() const { return files_.empty() ? std::string() : files_.front(); }
    [[nodiscard]] bool is_synthetic() const { return !synthetic_.empty(); }

    /// Opens the field. `first_file` is where its first file lies now. Local. Throws: as files of volumes do.
    [[nodiscard]] std::unique_ptr<flow> open(std::filesystem::path const& first_file);

    /// The rule of seeds where none is given.
    [[nodiscard]] std::string usual_seeds() const;
    /// As reports have it.
    [[nodiscard]] std::string name() const;
    /// As pictures have it.
    [[nodiscard]] std::string title() const;

    // Once it is open, where the file says it:
    [[nodiscard]] std::string const& units() const noexcept { return units_; }
    /// Returns "longitude (degrees east)"; x, y or z where the file says nothing.
    [[nodiscard]] std::string axis_label(std::size_t axis) const;
    /// True where x is a longitude and y a latitude.
    [[nodiscard]] bool is_map() const {
        return axis_names_[0] == "longitude" && axis_names_[1] == "latitude";
    }

private:
    [[nodiscard]] std::array<double, 3> periods_of(grid_shape const& shape) const;
    [[nodiscard]] double time_of(grid_source const& step, double number) const;

    std::vector<std::string> files_;
    std::string synthetic_;
    grid_file_options grid_;
    raw_options raw_;
    std::vector<std::int64_t> steps_;
    std::vector<double> times_;
    std::vector<std::string> periodic_;
    std::string units_;
    std::array<std::string, 3> axis_names_;
    std::array<std::string, 3> axis_units_;
};

} // namespace weft::tool
