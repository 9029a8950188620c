#include <weft/frames/balanced_blocks.hpp>

#include "equal_values.hpp"
#include "find_blocks.hpp"
#include "id_weights.hpp"
#include "item_place.hpp"
#include "splitters.hpp"

#include <weft/collective/arrays.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <string>

namespace weft {

namespace {

/// Facts that all ranks must know at the beginning.
struct balance_facts {
    std::int64_t items = 0;
    global_id largest = -1;
    double heaviest = 0;
};

void check_options(balance_options const& options) {
    auto const complain = [](std::string const& what) { throw usage_error("balance_blocks: " + what); };
    if (options.total && *options.total < 0)
        complain("a total of " + std::to_string(*options.total) + " ids is negative");
    if (options.buckets < 1) complain(std::to_string(options.buckets) + " buckets; expected at least 1");
    if (options.reductions < 1)
        complain(std::to_string(options.reductions) + " reductions; expected at least 1");
    if (!(options.tolerance >= 0)) complain("the tolerance must be a number that is not negative");
    if (!(options.share >= 0) || !std::isfinite(options.share))
        complain("the share of a rank must be a number that is not negative");
}

value_print print_of_options(balance_options const& options, bool weighted) {
    value_print print;
    print.add(options.total.value_or(-1)).add(std::int64_t{options.buckets}).add(options.tolerance);
    return print.add(std::int64_t{options.reductions}).add(std::int64_t{weighted});
}

balance_facts check_items(communicator const& comm, parts_view<global_id> const& ids,
    parts_view<double> const* weights, balance_options const& options, bool last_id_too) {
    check_options(options);
    if (weights != nullptr) check_same_shape("balance_blocks", comm, ids, *weights);
    balance_facts facts;
    constexpr global_id last_id = std::numeric_limits<global_id>::max();
    global_id const end = options.total.value_or(last_id);
    facts.items = static_cast<std::int64_t>(ids.items());
    for (std::size_t part = 0; part < ids.parts(); ++part)
        for (std::size_t i = 0; i < ids[part].size(); ++i) {
            global_id const id = ids[part][i];
            if (id < 0 || (id >= end && !(last_id_too && id == last_id)))
                throw usage_error("balance_blocks: id " + std::to_string(id) + where(comm, part, i) +
                                  " is outside of 0.." + std::to_string(end - 1));
            facts.largest = std::max(facts.largest, id);
            double const weight = weights == nullptr ? 1 : (*weights)[part][i];
            if (!(weight >= 0) || !std::isfinite(weight))
                throw usage_error("balance_blocks: weight " + std::to_string(weight) + where(comm, part, i) +
                                  " is negative or not finite");
            facts.heaviest = std::max(facts.heaviest, weight);
        }
    return facts;
}

/// Combines the facts of all ranks, or throws the error of one on all. Nonnegative doubles have the order of
/// their bits.
balance_facts combine_facts(communicator const& comm, balance_facts const& mine,
    std::exception_ptr const& failure, value_print const& options) {
    census_value value = census_value::identity();
    value.sum[0] = mine.items;
    value.max[first_free_maximum] = mine.largest;
    value.max[first_free_maximum + 1] = std::bit_cast<std::int64_t>(mine.heaviest);
    value = agree_on("balance_blocks", comm, failure, options,
        "differ in total, buckets, tolerance or reductions, or some have weights", value);
    return {value.sum[0], value.max[first_free_maximum],
        std::bit_cast<double>(value.max[first_free_maximum + 1])};
}

/// Returns the exponent of the unit of weights, such that their total fits into 61 bits. Whole weights that
/// are exact in a double, and few enough, are not rounded.
int unit_exponent(balance_facts const& facts) {
    int exponent = 0;
    (void)std::frexp(facts.heaviest, &exponent); // heaviest < 2^exponent
    auto const count_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(facts.items)));
    return 61 - exponent - count_bits;
}

balanced_blocks balance(communicator const& comm, parts_view<global_id> const& ids,
    parts_view<double> const* weights, balance_options const& options, global_id* largest = nullptr) try {
    balance_facts facts;
    std::exception_ptr const failure =
        detail::failure_in([&] { facts = check_items(comm, ids, weights, options, largest != nullptr); });
    facts = combine_facts(comm, facts, failure, print_of_options(options, weights != nullptr));
    if (largest != nullptr) *largest = facts.largest;
    std::vector<double> shares;
    for (std::int64_t const bits : all_gather(comm, std::bit_cast<std::int64_t>(options.share)))
        shares.push_back(std::bit_cast<double>(bits));
    if (std::ranges::all_of(shares, [](double share) { return share == 0; }))
        throw usage_error("balance_blocks: the shares of all ranks are 0");

    global_id const end = options.total.value_or(end_behind(facts.largest));
    if (facts.heaviest == 0) return {block_distribution::by_shares(comm, end, options.share), 0, 0};
    id_weights mine;
    std::exception_ptr const no_room = detail::failure_in(
        [&] { mine = id_weights(ids, weights, weights == nullptr ? 0 : unit_exponent(facts)); });
    return find_blocks(comm, mine, no_room, end, shares, options);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("balance_blocks");
    throw;
}

} // namespace

balanced_blocks find_blocks(communicator const& comm, id_weights const& mine,
    std::exception_ptr const& failure, global_id end, std::vector<double> const& shares,
    balance_options const& options) {
    census_value weight = census_value::identity();
    weight.sum[0] = mine.total();
    weight = agree_on("balance_blocks", comm, failure, {}, "differ", weight);
    balanced_blocks found;
    in_operation(comm, "balance_blocks", [&] { // memory depends on the number of ranks, not of items
        splitter_search search(0, end, weight.sum[0], shares);
        std::vector<std::int64_t> below;
        while (found.reductions < options.reductions) {
            std::vector<global_id> const points =
                search.open_points(options.buckets, options.tolerance, options.reductions - found.reductions);
            if (points.empty()) break;
            below.resize(points.size());
            mine.below(points, below);
            all_reduce(comm, std::span(below), [](std::int64_t a, std::int64_t b) noexcept { return a + b; });
            search.add(points, below);
            ++found.reductions;
        }
        block_cut cut = search.best(options.tolerance);
        found.blocks = block_distribution(std::move(cut.bounds));
        found.imbalance = cut.imbalance;
    });
    return found;
}

balanced_blocks balance_blocks(
    communicator const& comm, parts_view<global_id> const& ids, balance_options const& options) {
    return balance(comm, ids, nullptr, options);
}

balanced_blocks balance_blocks(communicator const& comm, parts_view<global_id> const& ids,
    parts_view<double> const& weights, balance_options const& options) {
    return balance(comm, ids, &weights, options);
}

balanced_blocks balance_all_ids(
    communicator const& comm, parts_view<global_id> const& ids, global_id& largest) {
    return balance(comm, ids, nullptr, {}, &largest);
}

} // namespace weft
