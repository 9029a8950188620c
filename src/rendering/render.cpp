#include <rendering/render.hpp>

#include <collective/need_memory.hpp>
#include <weft/blocks/block_reduction.hpp>
#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace weft {

namespace {

/// A slab and its image. Blocks are numbered from front to back.
struct slab_block {
    volume_slab slab;
    std::vector<rgba> image;
};

/// The part of the picture that a block has composed.
struct picture_part {
    std::uint64_t first = 0;
    std::vector<rgba> pixels;

    static void wire(auto& archive, auto& self) { archive(self.first, self.pixels); }
};

vector3d spacing_of(grid_shape const& shape) {
    vector3d spacing{1, 1, 1};
    for (std::size_t d = 0; d < 3; ++d) {
        std::vector<double> const& axis = shape.axes[d];
        if (axis.size() > 1 && axis.back() != axis.front())
            spacing[d] = std::abs(axis.back() - axis.front()) / static_cast<double>(axis.size() - 1);
    }
    return spacing;
}

/// Returns the directions of the axes in the world, in which the numbers of points ascend.
placement turn_of(grid_shape const& shape) {
    placement turn = shape.place;
    turn.origin = {};
    for (std::size_t d = 0; d < 3; ++d)
        if (shape.axes[d].size() > 1 && shape.axes[d].back() < shape.axes[d].front())
            for (auto& row : turn.matrix) row[d] = 0 - row[d]; // avoids a negative zero
    return turn;
}

/// The division of a volume into slabs for a picture.
struct slab_cut {
    slab_cut(grid_shape const& shape, render_options const& options)
        : view(options.view, shape.points, spacing_of(shape), turn_of(shape)), axis(view.slab_axis()) {
        if (options.blocks < 1)
            throw usage_error("`blocks` " + std::to_string(options.blocks) + ": at least 1");
        slabs = std::clamp<std::int64_t>(shape.points[axis] - 1, 1, options.blocks);
        around = options.cast.shaded ? 1 : 0;
    }

    /// Returns slab number `place` from the front, without its values.
    [[nodiscard]] volume_slab slab(grid_shape const& shape, std::int64_t place) const {
        std::int64_t const number = view.slab_at(place, slabs);
        volume_slab made;
        made.points = shape.points;
        made.axis = axis;
        std::int64_t const cells = std::max<std::int64_t>(shape.points[axis] - 1, 1);
        made.first = cells * number / slabs;
        made.last = std::min(cells * (number + 1) / slabs, shape.points[axis] - 1);
        made.first_held = std::max<std::int64_t>(made.first - around, 0);
        made.last_held = std::min(made.last + around, shape.points[axis] - 1);
        return made;
    }

    volume_view view;
    std::size_t axis;
    std::int64_t slabs = 1;
    std::int64_t around = 0; ///< planes also held on each side, if the volume has them
};

box<std::int64_t> points_held(grid_shape const& shape, volume_slab const& slab) {
    box<std::int64_t> part = points_of(shape);
    part.lo[slab.axis] = slab.first_held;
    part.hi[slab.axis] = slab.last_held + 1;
    return part;
}

volume_slab read_slab(grid_source& source, volume_slab slab) {
    grid_shape const& shape = source.shape();
    box<std::int64_t> const part = points_held(shape, slab);
    std::vector<std::byte> bytes(bytes_of(shape, part));
    source.read(part, bytes);
    visit_values(shape.type, bytes, [&](auto values) {
        slab.values.resize(values.size());
        std::ranges::transform(values, slab.values.begin(), [&](auto value) {
            bool const missing = shape.missing && static_cast<double>(value) == *shape.missing;
            return missing ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
        });
    });
    return slab;
}

/// Returns the least and greatest of all values.
std::pair<double, double> range_of(block_set<slab_block>& blocks) {
    struct bounds {
        float least = std::numeric_limits<float>::infinity();
        float greatest = -std::numeric_limits<float>::infinity();
    } mine;
    blocks.for_each([&](slab_block const& block, block_id) {
        for (float const value : block.slab.values) {
            mine.least = std::fmin(mine.least, value);
            mine.greatest = std::fmax(mine.greatest, value);
        }
    });
    bounds const all = all_reduce(blocks.comm(), mine, [](bounds a, bounds b) {
        return bounds{std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
    });
    if (!(all.greatest >= all.least)) return {0, 1}; // all are missing
    return {static_cast<double>(all.least), static_cast<double>(all.greatest)};
}

void scale_values(volume_slab& slab, std::pair<double, double> const& range) {
    double const width = range.second > range.first ? range.second - range.first : 1;
    for (float& value : slab.values)
        value = static_cast<float>((static_cast<double>(value) - range.first) / width);
}

/// Returns the picture on rank 0, joined from the parts that blocks have composed.
std::vector<rgba> gather_picture(
    communicator const& comm, std::vector<picture_part> const& mine, std::size_t pixels) {
    gate call(comm, "render");
    buffer encoded;
    call.guard([&] { encode(encoded, mine); });
    message_list const received = gather_bytes(comm, std::move(encoded), call.take());
    std::vector<rgba> whole;
    agreed(call, [&] {
        if (comm.rank() != 0) return;
        whole.resize(pixels);
        for (message const& each : received)
            for (picture_part const& part : decode<std::vector<picture_part>>(each.data.bytes()))
                std::ranges::copy(part.pixels, whole.begin() + static_cast<std::ptrdiff_t>(part.first));
    });
    return whole;
}

} // namespace

std::vector<std::vector<box<std::int64_t>>> boxes_to_render(
    grid_shape const& shape, render_options const& options, int ranks) {
    slab_cut const cut(shape, options);
    assignment const where = assignment::contiguous(cut.slabs, ranks);
    std::vector<std::vector<box<std::int64_t>>> boxes(static_cast<std::size_t>(ranks));
    for (std::int64_t place = 0; place < cut.slabs; ++place)
        boxes[static_cast<std::size_t>(where.rank_of(block_id{place}))].push_back(
            points_held(shape, cut.slab(shape, place)));
    return boxes;
}

rendered render(communicator const& comm, grid_source& source, transfer_function const& transfer,
    render_options const& options, std::function<void(std::string_view)> const& lap) try {
    grid_shape const& shape = source.shape();
    slab_cut const cut(shape, options);
    volume_view const& view = cut.view;
    std::int64_t const slabs = cut.slabs;
    auto const pixels = static_cast<std::size_t>(view.width() * view.height());

    auto const slabs_here = (slabs + comm.size() - 1 - comm.rank()) / comm.size();
    need_memory(comm,
        "a picture of " + std::to_string(view.width()) + " x " + std::to_string(view.height()) +
            " pixels of " + std::to_string(slabs) + " slabs",
        static_cast<double>(pixels * sizeof(rgba)) *
            static_cast<double>(slabs_here + (comm.rank() == 0 ? 1 : 0)));
    block_set<slab_block> blocks(comm,
        regular_grid(cell_box(slabs), slabs), // the distribution that `boxes_to_render` describes
        assignment::contiguous(slabs, comm.size()), [&](block_id id) {
            return slab_block{read_slab(source, cut.slab(shape, index_of(id))), {}};
        });
    bool const of_values = options.cast.how == projection::maximum;
    rendered result{view.width(), view.height(), {}, options.range ? *options.range : range_of(blocks)};
    lap("read");

    blocks.for_each([&](slab_block& block, block_id) {
        if (!of_values) scale_values(block.slab, result.range);
        block.image.resize(pixels);
        cast_rays(block.slab, view, transfer, options.cast, block.image);
        block.slab.values = {};
    });
    lap("cast");

    std::vector<picture_part> mine;
    auto const image = [](slab_block& block, block_id) { return std::span(block.image); };
    auto const keep = [&](slab_block&, block_id, std::span<rgba> share, std::size_t first) {
        if (!share.empty()) mine.push_back({first, {share.begin(), share.end()}});
    };
    regular_schedule const rounds =
        options.by_merge ? merge_schedule(slabs, options.k) : swap_schedule(slabs, options.k);
    if (of_values)
        swap_reduce<rgba>(
            blocks, rounds, image,
            [](rgba const& a, rgba const& b) noexcept { return rgba{std::fmax(a.red, b.red)}; }, keep);
    else
        swap_reduce<rgba>(
            blocks, rounds, image, [](rgba const& a, rgba const& b) noexcept { return over(a, b); }, keep);
    result.pixels = gather_picture(comm, mine, pixels);
    lap("compose");
    return result;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("render");
    throw;
}

} // namespace weft
