/// Plans for runs of an `iexchange_engine`, drawn at random: blocks and their ranks, bounds, and the
/// behaviour of callbacks. Private.
#pragma once

#include <blocks/iexchange_engine.hpp>
#include <mailbox/mail_plan.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>
#include <weft/blocks/assignment.hpp>
#include <weft/blocks/block_options.hpp>

namespace weft_test {

/// The properties that all ranks of a run share.
struct iexchange_plan {
    mail_plan mail; ///< its buffers; `blocks`: a sender without room waits until there is room
    weft::assignment where = weft::assignment::contiguous(0, 1);
    weft::iexchange_options options = {};
    weft::short_wait between_callbacks = {};
    std::size_t at_once = 3; ///< callbacks that run at the same time; 0: each runs when it begins
    int phases = 3;
    int most_sends = 20;    ///< of a rank in a phase
    int most_refusals = 4;  ///< times that a block returns false without a reason
    bool takes_all = false; ///< callbacks leave nothing
    bool asks = false;      ///< blocks ask others, and are not done before they have an answer
    int throws = 0;         ///< one callback in this number throws, in odd phases; 0: no callback does
    bool stubborn = false;  ///< in odd phases a block throws, and no other is ever done
    bool floods = false;    ///< only rank 0 sends, and its blocks are not done before it has sent all

    [[nodiscard]] bool throws_in(int phase) const { return throws > 0 && phase % 2 == 1; }
    [[nodiscard]] std::int64_t blocks() const { return where.blocks(); }

    /// Describes the plan in the report of a failure.
    [[nodiscard]] std::string name() const {
        std::string text = mail.name() + "; ranks of blocks:";
        for (std::int64_t block = 0; block < blocks(); ++block)
            text += " " + std::to_string(where.rank_of(weft::block_id{block}));
        return text + ", at once " + std::to_string(at_once) + ", min_bytes " +
               std::to_string(options.min_bytes) + ", max_hold " + std::to_string(options.max_hold) +
               ", between callbacks " + std::to_string(between_callbacks.bytes) + " and " +
               std::to_string(between_callbacks.seconds) + (options.whole_queues ? ", whole queues" : "") +
               ", queue_bytes " + std::to_string(options.queue_bytes) + ", phases " + std::to_string(phases) +
               ", sends " + std::to_string(most_sends) + (asks ? ", asks" : "") +
               (stubborn ? ", stubborn" : "");
    }
};

inline weft::assignment drawn_assignment(int ranks, std::mt19937_64& random) {
    auto const blocks = static_cast<std::int64_t>(random() % 21);
    switch (random() % 4) {
    case 0:
        return weft::assignment::contiguous(blocks, ranks);
    case 1:
        return weft::assignment::round_robin(blocks, ranks);
    default:
        break;
    }
    auto const dealt_to = 1 + random() % static_cast<unsigned>(ranks); // the other ranks have no blocks
    std::vector<int> table(static_cast<std::size_t>(blocks));
    for (int& rank : table) rank = static_cast<int>(random() % dealt_to);
    return weft::assignment::by_table(std::move(table), ranks);
}

/// Draws a plan.
inline iexchange_plan drawn_iexchange(std::mt19937_64& random) {
    auto const of = [&](auto const& values) { return values[random() % std::size(values)]; };
    int const ranks = 1 + static_cast<int>(random() % 7);
    iexchange_plan made;
    made.mail = drawn_plan(ranks, random);
    made.where = drawn_assignment(ranks, random);
    made.options.min_bytes = of(std::array<std::size_t, 5>{0, 0, 1, 200, 100'000});
    made.options.max_hold = of(std::array{0.0, 0.0001, 100.0});
    made.between_callbacks = {
        of(std::array<std::size_t, 4>{0, 1, 200, 100'000}), of(std::array{0.0, 0.0001, 100.0})};
    made.options.queue_bytes = of(std::array<std::size_t, 4>{0, 64, 1000, std::size_t{1} << 26});
    made.options.whole_queues = random() % 3 == 0;
    made.at_once = of(std::array<std::size_t, 5>{0, 0, 1, 3, 8});
    made.phases = of(std::array{1, 3, 5});
    made.most_sends = of(std::array{0, 3, 20, 60});
    made.most_refusals = of(std::array{0, 1, 5});
    return made;
}

} // namespace weft_test
