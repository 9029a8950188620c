#include <labelling/kept_components.hpp>

#include <weft/collective/reduce.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace weft {

namespace {

struct sized_component {
    std::int64_t voxels = 0;
    std::int64_t number = 0;

    friend bool operator==(sized_component const&, sized_component const&) = default;
    /// Returns true if this component is kept rather than the other.
    [[nodiscard]] bool outranks(sized_component const& other) const noexcept {
        return voxels != other.voxels ? voxels > other.voxels : number < other.number;
    }
};

using sized_components = std::vector<sized_component>;

/// Keeps the first `count` components by `outranks`. Parts of a component in several blocks count once.
void keep_first(sized_components& all, std::int64_t count) {
    std::ranges::sort(all, &sized_component::outranks);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (std::ssize(all) > count) all.resize(static_cast<std::size_t>(count));
}

/// Returns the last of the `kept.largest` components: it and those that outrank it are kept. Empty if all are
/// kept.
std::optional<sized_component> last_of_largest(
    block_set<labelled_block>& blocks, kept_components const& kept, std::int64_t components) {
    if (!kept.largest || *kept.largest >= components) return std::nullopt;
    sized_components mine;
    blocks.for_each([&](labelled_block& block, block_id) {
        for (component_facts const& each : block.whole.facts)
            if (each.voxels >= kept.dust) mine.push_back({each.voxels, each.number});
    });
    keep_first(mine, *kept.largest);
    sized_components const all =
        all_reduce(blocks.comm(), std::move(mine), [&](sized_components of, sized_components const& others) {
            of.insert(of.end(), others.begin(), others.end());
            keep_first(of, *kept.largest);
            return of;
        });
    if (std::ssize(all) < *kept.largest) return std::nullopt;
    return all.back();
}

/// Removes the runs for which `drops(facts)` from a block; returns the number of their voxels.
template <class Drops>
std::int64_t drop_runs(labelled_block& block, Drops&& drops) {
    row_runs& rows = block.rows;
    std::int64_t voxels = 0;
    std::size_t left = 0;
    std::size_t run = 0;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        std::size_t const end = rows.first[row + 1];
        rows.first[row] = left;
        for (; run < end; ++run) {
            if (drops(block.whole.facts[block.whole.within.of_run[run]]))
                voxels += rows.runs[run].end - rows.runs[run].begin;
            else
                rows.runs[left++] = rows.runs[run];
        }
    }
    rows.first.back() = left;
    rows.runs.resize(left);
    return voxels;
}

} // namespace

dropped_components drop_components(block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid,
    label_options const& options, kept_components const& kept, label_summary& summary) {
    std::int64_t const before = summary.components;
    auto const last = last_of_largest(blocks, kept, before);
    auto const drops = [&](component_facts const& facts) {
        return facts.voxels < kept.dust ||
               (last && last->outranks(sized_component{facts.voxels, facts.number}));
    };
    std::int64_t voxels = 0;
    blocks.for_each([&](labelled_block& block, block_id) { voxels += drop_runs(block, drops); });
    voxels = sum(blocks.comm(), voxels);
    if (voxels > 0) summary = label_blocks(blocks, grid, options);
    return {before - summary.components, voxels};
}

} // namespace weft
