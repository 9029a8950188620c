/// Pictures of surfaces.
#pragma once

#include "flat_lines.hpp"

#include <weft/contouring/surface.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft::tool {

/// The options of a picture, where a command has its own.
struct surface_picture_choice {
    std::string image;
    std::string view; ///< AZIMUTH,ELEVATION
    std::vector<std::int64_t> size;
    std::string theme;
    std::vector<double> range; ///< ends of the colours; empty: those of the values
};

/// --image and what belongs to it.
class surface_picture {
public:
    surface_picture() = default;
    explicit surface_picture(surface_picture_choice chosen)
        : image_(std::move(chosen.image)),
          view_(std::move(chosen.view)),
          size_(std::move(chosen.size)),
          theme_(std::move(chosen.theme)),
          range_(std::move(chosen.range)) {}

    void add_to(CLI::App& command);
    /// From where a plane is seen straight, where --view says nothing. The normal is not 0. Local.
    void look_straight_at(std::array<double, 3> const& normal);

    [[nodiscard]] bool is_wanted() const noexcept { return !image_.empty(); }
    /// Throws `usage_error` for an invalid view, or a field that `made` does not carry. Local.
    void check(surface const& made) const;
    /// Each rank draws its triangles, flat where their corners have no normals; the nearest of all is seen.
    /// `shown`: the field that colours it where none is named; empty for none. Without one, a surface of
    /// several values has a colour for each of `numbers` that it has, and the inner ones shine through.
    /// `lines`, on rank 0, lie over it. Collective. Throws: `usage_error`; `io_error`, agreed.
    void write(communicator const& comm, surface const& made, std::vector<double> const& numbers,
        std::string const& title, std::string const& shown, std::vector<flat_line> const& lines = {}) const;
    /// Draws the values of lines, on rank 0, against the distance along them. Collective. Throws: `io_error`,
    /// agreed.
    void write_profile(communicator const& comm, std::vector<flat_line> const& lines,
        std::string const& title, std::string const& value) const;
    /// Adds the options that were given to the report.
    void describe(nlohmann::ordered_json& options) const;

private:
    std::string image_;
    std::string view_ = "30,20";
    CLI::Option const* view_option_ = nullptr;
    std::string colour_;
    std::vector<std::int64_t> size_;
    std::string theme_ = "light";
    std::vector<double> range_;
};

} // namespace weft::tool
