#include "faults.hpp"
#include "verb.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace random_programs {

extern verb const agree_verb, ask_verb, assign_blocks_verb, balance_blocks_verb, block_round_verb,
    close_channel_verb, collectives_verb, cut_volume_verb, drain_verb, drop_verb, exchange_verb, files_verb,
    fill_blocks_verb, fold_blocks_verb, fold_ranks_verb, iexchange_verb, label_verb, late_rounds_verb,
    make_blocks_verb, make_channel_verb, make_frame_verb, make_mailbox_verb, make_plan_verb,
    make_service_verb, move_blocks_verb, neighbor_round_verb, order_items_verb, poll_verb, reduce_blocks_verb,
    run_frame_verb, run_plan_verb, save_blocks_verb, send_verb, split_verb, start_exchange_verb,
    visit_blocks_verb, with_verb;

std::span<verb const* const> verbs() noexcept {
    static std::array const all{&agree_verb, &ask_verb, &assign_blocks_verb, &balance_blocks_verb,
        &block_round_verb, &close_channel_verb, &collectives_verb, &cut_volume_verb, &drain_verb, &drop_verb,
        &exchange_verb, &files_verb, &fill_blocks_verb, &fold_blocks_verb, &fold_ranks_verb, &iexchange_verb,
        &label_verb, &late_rounds_verb, &make_blocks_verb, &make_channel_verb, &make_frame_verb,
        &make_mailbox_verb, &make_plan_verb, &make_service_verb, &move_blocks_verb, &neighbor_round_verb,
        &order_items_verb, &poll_verb, &reduce_blocks_verb, &run_frame_verb, &run_plan_verb,
        &save_blocks_verb, &send_verb, &split_verb, &start_exchange_verb, &visit_blocks_verb, &with_verb};
    return all;
}

verb const& verb_of(std::string_view name) {
    for (verb const* each : verbs())
        if (name == each->name) return *each;
    throw std::runtime_error("no verb is called " + std::string(name));
}

namespace {

bool listed(std::string_view names, std::string_view name) {
    if (name.empty()) return false;
    std::string const all = "," + std::string(names) + ",";
    return all.find("," + std::string(name) + ",") != std::string::npos;
}

} // namespace

program draw_program(
    std::uint64_t seed, int operations, int ranks, std::string_view only, std::string_view without) {
    draws random(mixed({seed, static_cast<std::uint64_t>(ranks)}));
    std::vector<verb const*> urn;
    for (verb const* each : verbs())
        if ((only.empty() || listed(only, each->name)) && !listed(without, each->name))
            urn.insert(urn.end(), static_cast<std::size_t>(each->weight), each);
    model now;
    now.ranks = ranks;
    program made;
    for (int number = 1; number <= operations;) {
        verb const& kind = *urn[static_cast<std::size_t>(random.below(static_cast<int>(urn.size())))];
        operation line;
        line.number = number;
        line.verb = kind.name;
        line.set("seed", random.below(1'000'000));
        draw_fault(random, line);
        if (!kind.draw(random, now, line)) continue;
        if (std::ranges::any_of(
                line.arguments, [&](auto const& each) { return listed(without, each.second); }))
            continue;
        if (kind.apply != nullptr) kind.apply(now, line);
        made.push_back(line);
        ++number;
    }
    return made;
}

} // namespace random_programs
