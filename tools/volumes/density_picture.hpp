/// Pictures of the mass along lines of sight.
#pragma once

#include <pictures/theme.hpp>

#include <weft/core/communicator.hpp>
#include <weft/nbody/particle.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft::tool {

/// Draws the surface density of particles in log scale, with axes and a colour bar. The view and the
/// range of the colours are chosen by the first picture, and are the same in all that follow.
class density_picture {
public:
    /// `along`: the axis of the line of sight, 0 to 2. `reach`: from the middle of the picture to its edges;
    /// not set: so far that 99 % of the mass are seen.
    /// `shows_domains`: draws the box around the particles of each rank.
    density_picture(
        int along, std::optional<double> reach, theme look, std::string title, bool shows_domains = false);

    /// Collective: yes. Blocks: until all ranks have called. Cost: O(n / P), and a sum over ranks of a value
    /// a pixel. Throws: `io_error`, agreed.
    void write(communicator const& comm, std::filesystem::path const& file,
        std::span<particle const> particles, double time);

private:
    void look_at(communicator const& comm, std::span<particle const> particles);
    /// By rank: the least and the greatest coordinate across, and along the other axis; turned for those
    /// without particles.
    [[nodiscard]] std::vector<std::array<double, 4>> boxes(
        communicator const& comm, std::span<particle const> particles) const;

    int across_;
    int up_;
    theme look_;
    std::string title_;
    bool shows_domains_;
    std::optional<double> reach_;
    bool has_view_ = false;
    std::array<double, 2> middle_{};
    bool has_range_ = false;
    double lo_ = 0; // powers of ten of the surface density
    double hi_ = 1;
};

} // namespace weft::tool
