#include <labelling/component_numbers.hpp>

#include <exchange/gated_exchange.hpp>

#include <weft/collective/reduce.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace weft {

namespace {

void merge(component_facts& whole, component_facts const& part) {
    whole.voxels += part.voxels;
    whole.first_plane = std::min(whole.first_plane, part.first_plane);
    whole.last_plane = std::max(whole.last_plane, part.last_plane);
}

/// Returns the facts with those of equal labels merged, by ascending label.
std::vector<component_facts> merged(std::vector<component_facts> parts) {
    auto const by_label = [](component_facts const& a, component_facts const& b) {
        return a.label < b.label;
    };
    if (!std::ranges::is_sorted(parts, by_label)) std::ranges::sort(parts, by_label);
    std::vector<component_facts> whole;
    for (component_facts const& part : parts) {
        if (whole.empty() || whole.back().label != part.label)
            whole.push_back(part);
        else
            merge(whole.back(), part);
    }
    return whole;
}

component_facts const& facts_of(std::vector<component_facts> const& sorted, global_id label) {
    return *std::ranges::lower_bound(sorted, label, {}, &component_facts::label);
}

struct ranked_component {
    std::int64_t voxels = 0;
    std::int64_t number = 0;
};

void keep_largest(std::vector<ranked_component>& all) {
    constexpr std::size_t kept = 10;
    std::size_t const count = std::min(kept, all.size());
    std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count),
        [](ranked_component const& a, ranked_component const& b) {
            return a.voxels != b.voxels ? a.voxels > b.voxels : a.number < b.number;
        });
    all.resize(count);
}

/// Returns the largest components of all ranks, on all ranks.
std::vector<ranked_component> largest_of_all(
    communicator const& comm, std::vector<ranked_component> candidates) {
    keep_largest(candidates);
    using list = std::vector<ranked_component>;
    return all_reduce(comm, std::move(candidates), [](list all, list const& others) {
        all.insert(all.end(), others.begin(), others.end());
        keep_largest(all);
        return all;
    });
}

} // namespace

label_summary number_components(
    communicator const& comm, std::int64_t labels, std::vector<component_facts>& parts) try {
    gate call(comm, "labels");
    uniform_distribution const owners(labels, comm.size());
    outbox<component_facts> asked(comm);
    call.guard([&] {
        for (component_facts const& each : merged(parts)) asked[owners.owner(each.label)].push_back(each);
    });
    auto const questions = exchange(call, std::move(asked));

    std::vector<component_facts> owned;
    std::vector<ranked_component> candidates;
    agreed(call, [&] {
        owned = merged(questions.concatenate());
        candidates.reserve(owned.size());
    });
    prefix const counts = exclusive_sum(comm, static_cast<std::int64_t>(owned.size()));
    std::int64_t number = counts.before;
    for (component_facts& each : owned) {
        each.number = ++number;
        candidates.push_back({each.voxels, each.number});
    }

    // Answers are in the order of the questions. Owners ascend with labels, so `known` is ascending, too.
    outbox<component_facts> answers(comm);
    call.guard([&] {
        for (auto const& [source, items] : questions)
            for (component_facts const& each : items) answers[source].push_back(facts_of(owned, each.label));
    });
    std::vector<component_facts> const known = exchanged_items(call, std::move(answers));
    call.agree();
    for (component_facts& part : parts) part = facts_of(known, part.label);

    label_summary summary{.components = counts.total, .largest = {}};
    for (ranked_component const& each : largest_of_all(comm, std::move(candidates))) {
        if (summary.largest.empty()) summary.number_of_largest = each.number;
        summary.largest.push_back(each.voxels);
    }
    return summary;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("label_volume");
    throw;
}

} // namespace weft
