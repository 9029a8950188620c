#include "id_weights.hpp"

#include "radix_sort.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft {

namespace {

struct weighted_id {
    global_id id;
    std::int64_t weight;
};

} // namespace

id_weights::id_weights(
    parts_view<global_id> const& ids, parts_view<double> const* weights, int unit_exponent) {
    std::vector<weighted_id> items;
    items.reserve(ids.items());
    std::uint64_t all_bits = 0;
    for (std::size_t part = 0; part < ids.parts(); ++part)
        for (std::size_t i = 0; i < ids[part].size(); ++i) {
            global_id const id = ids[part][i];
            all_bits |= static_cast<std::uint64_t>(id);
            items.push_back(
                {id, weights == nullptr ? 1 : std::llround(std::ldexp((*weights)[part][i], unit_exponent))});
        }
    radix_sort(items, static_cast<int>(std::bit_width(all_bits)),
        [](weighted_id const& item) { return static_cast<std::uint64_t>(item.id); });
    ids_.reserve(items.size());
    before_.reserve(items.size() + 1);
    before_.push_back(0);
    for (weighted_id const& item : items) {
        ids_.push_back(item.id);
        before_.push_back(before_.back() + item.weight);
    }
}

void id_weights::below(std::span<global_id const> points, std::span<std::int64_t> sums) const {
    auto from = ids_.begin();
    for (std::size_t i = 0; i < points.size(); ++i) {
        from = std::lower_bound(from, ids_.end(), points[i]);
        sums[i] = before_[static_cast<std::size_t>(from - ids_.begin())];
    }
}

} // namespace weft
