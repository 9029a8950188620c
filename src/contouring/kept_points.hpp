/// The corners of the kept cells of a volume, numbered without a table. Private.
#pragma once

#include <contouring/kept_boxes.hpp>

#include <weft/core/communicator.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::contouring {

/// Numbers the corners of the kept cells of all boxes in the order of their places. Each rank has a bit for
/// each point of some rows of the grid. Boxes store the number of the first point of each of their runs only:
/// all points of a run are corners, so their numbers are consecutive.
class kept_points {
public:
    /// Collective: yes. Blocks: until all ranks have called. Cost: two exchanges of 24 and 8 bytes for each
    /// run of corners along x; two bits for each point of the grid, over all ranks. Throws: agreed.
    kept_points(communicator const& comm, grid_lines const& grid, std::vector<kept_box> const& boxes);

    [[nodiscard]] std::int64_t total() const noexcept { return total_; }
    /// Returns the number of corners in the rows of this rank.
    [[nodiscard]] std::int64_t mine() const noexcept { return mine_; }

    /// Calls `use(x, y, z)` for each corner in the rows of this rank, in order.
    template <class Use>
    void for_mine(Use&& use) const {
        for (std::size_t word = 0; word < bits_.size(); ++word)
            for (std::uint64_t left = bits_[word]; left != 0; left &= left - 1) {
                auto const bit = static_cast<std::int64_t>(word * 64) + std::countr_zero(left);
                std::int64_t const row = first_row_ + bit / width_;
                use(bit % width_, row % height_, row / height_);
            }
    }

    /// The corners of a box as runs along x, and the number of the first point of each run.
    struct numbered_runs {
        row_runs rows;
        std::vector<global_id> first_numbers;

        /// Returns the number of the corner at x in a row; `x` counts from the lower end of the box.
        [[nodiscard]] global_id number_of(std::size_t row, std::int64_t x) const noexcept;
    };
    [[nodiscard]] std::span<numbered_runs const> of_boxes() const noexcept { return runs_; }

private:
    [[nodiscard]] std::int64_t number_at(std::int64_t row, std::int64_t x) const noexcept;
    void mark(std::int64_t row, std::int64_t x, std::int64_t length) noexcept;

    std::int64_t width_;
    std::int64_t height_;
    std::int64_t first_row_ = 0;
    std::int64_t first_number_ = 0;
    std::int64_t mine_ = 0;
    std::int64_t total_ = 0;
    std::vector<std::uint64_t> bits_;        // for the rows of this rank
    std::vector<std::int64_t> before_words_; // number of this rank's points before each word
    std::vector<numbered_runs> runs_;
};

} // namespace weft::contouring
