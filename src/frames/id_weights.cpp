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
    std::uint64_t all_bits = 0;
    ids_.reserve(ids.items());
    for (std::size_t part = 0; part < ids.parts(); ++part)
        for (global_id const id : ids[part]) {
            all_bits |= static_cast<std::uint64_t>(id);
            ids_.push_back(id);
        }
    int const bits = static_cast<int>(std::bit_width(all_bits));
    if (weights == nullptr) {
        radix_sort(ids_, bits, [](global_id id) { return static_cast<std::uint64_t>(id); });
        return;
    }
    std::vector<weighted_id> items;
    items.reserve(ids_.size());
    for (std::size_t part = 0; part < weights->parts(); ++part)
        for (double const weight : (*weights)[part])
            items.push_back({ids_[items.size()], std::llround(std::ldexp(weight, unit_exponent))});
    radix_sort(items, bits, [](weighted_id const& item) { return static_cast<std::uint64_t>(item.id); });
    before_.reserve(items.size() + 1);
    before_.push_back(0);
    for (std::size_t i = 0; i < items.size(); ++i) {
        ids_[i] = items[i].id;
        before_.push_back(before_.back() + items[i].weight);
    }
}

void id_weights::below(std::span<global_id const> points, std::span<std::int64_t> sums) const {
    auto from = ids_.begin();
    for (std::size_t i = 0; i < points.size(); ++i) {
        from = std::lower_bound(from, ids_.end(), points[i]);
        sums[i] = below(static_cast<std::size_t>(from - ids_.begin()));
    }
}

} // namespace weft
