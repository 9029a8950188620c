/// The lines of particles: recorded in pieces by the blocks they pass, then joined.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/tracing/traces.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace weft {

/// The points of one particle that one block has recorded during one visit.
struct line_piece {
    std::int64_t seed;
    std::int64_t first; ///< step of its first point
    std::int64_t count;
};

/// The pieces that one block has recorded.
class line_store {
public:
    /// Begins a visit; calls of `keep` that follow are of this particle.
    void begin_visit(std::int64_t seed) noexcept {
        seed_ = seed;
        is_open_ = false;
    }
    void keep(std::int64_t step, std::array<double, 3> const& place, double speed) {
        if (!is_open_) pieces_.push_back({seed_, step, 0});
        is_open_ = true;
        ++pieces_.back().count;
        points_.push_back(
            {{static_cast<float>(place[0]), static_cast<float>(place[1]), static_cast<float>(place[2])},
                static_cast<float>(speed)});
    }

    [[nodiscard]] std::vector<line_piece> const& pieces() const noexcept { return pieces_; }
    /// Returns the points of all pieces, in the order of the pieces.
    [[nodiscard]] std::vector<line_point> const& points() const noexcept { return points_; }

private:
    std::vector<line_piece> pieces_;
    std::vector<line_point> points_;
    std::int64_t seed_ = 0;
    bool is_open_ = false;
};

/// Joins the pieces of all ranks to lines. Each line goes to the rank `owner(seed)`; lines are ascending by
/// seed. Lines of one point are left out. `stores`: those of the blocks of this rank. Collective: yes.
/// Blocks: until all ranks have called. Cost: two sparse exchanges of all points.
[[nodiscard]] line_set join_lines(communicator const& comm, std::vector<line_store> const& stores,
    std::function<int(std::int64_t seed)> const& owner);

/// Returns on rank 0 about `most` points of lines of all ranks, namely every n-th line; on others nothing.
/// The same at any number of ranks. Collective: yes. Blocks: until all ranks have called.
[[nodiscard]] line_set gather_lines(communicator const& comm, line_set const& mine, std::int64_t most);

} // namespace weft
