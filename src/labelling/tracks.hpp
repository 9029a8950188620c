/// Objects of the frames of a stack, and how they follow each other.
#pragma once

#include <labelling/block_labels.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// A connected component of one frame.
struct frame_object {
    std::int64_t number = 0; ///< from 1, in the order of first pixels in the whole stack
    std::int64_t frame = 0;
    std::int64_t component = 0;   ///< the component of the stack that the object is part of
    std::int64_t first_frame = 0; ///< of that component
    std::int64_t last_frame = 0;
    std::int64_t size = 0;  ///< in pixels
    std::int64_t sum_x = 0; ///< of its pixels
    std::int64_t sum_y = 0;
};

/// For each of a list of objects, the objects linked to it, ascending.
struct object_links {
    std::vector<std::size_t> first{0};
    std::vector<std::int64_t> numbers;

    [[nodiscard]] std::span<std::int64_t const> of(std::size_t place) const noexcept {
        return std::span(numbers).subspan(first[place], first[place + 1] - first[place]);
    }
};

/// Counts of objects and links. Two objects of successive frames are linked if they share a pixel.
struct track_summary {
    std::int64_t objects = 0;
    std::int64_t links = 0;
    std::int64_t one_to_one = 0; ///< links whose ends have no other link to the frame of the other end
    std::int64_t splits = 0;     ///< objects linked to several of the next frame
    std::int64_t merges = 0;     ///< objects linked to several of the frame before
    std::int64_t deaths = 0;     ///< objects with a next frame but no link to it
    std::int64_t births = 0;     ///< objects with a previous frame but no link to it
};

/// The objects of one rank. Their numbers are consecutive, and continue those of the previous rank.
struct tracks {
    std::int64_t frames = 0;
    std::vector<frame_object> objects;
    object_links previous;
    object_links next;
    track_summary summary; ///< of all ranks

    [[nodiscard]] bool is_birth(std::size_t place) const noexcept {
        return objects[place].frame > 0 && previous.of(place).empty();
    }
    [[nodiscard]] bool is_death(std::size_t place) const noexcept {
        return objects[place].frame + 1 < frames && next.of(place).empty();
    }
    [[nodiscard]] bool is_split(std::size_t place) const noexcept { return next.of(place).size() > 1; }
    [[nodiscard]] bool is_merge(std::size_t place) const noexcept { return previous.of(place).size() > 1; }
};

/// Finds the objects and links of a stack whose frames are the planes of z. The blocks must have been
/// labelled as a whole; this call labels each plane, with the same kind of neighbours. Collective: yes.
/// Blocks: until all ranks have called. Cost: that of `label_blocks`, an exchange of the runs in the last
/// plane of each block, and three sparse exchanges of objects and links. Order: does not depend on blocks and
/// ranks. Throws: as `label_blocks`.
[[nodiscard]] tracks find_tracks(
    block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid, label_options const& options);

/// Returns lines of a table separated by commas, without the head: one for each object of this rank. Local.
[[nodiscard]] std::string table_of(tracks const& found);
/// Returns the head of that table.
[[nodiscard]] std::string table_head_of_tracks();

} // namespace weft
