/// Items of all ranks, known to every rank, for serial oracles of frames.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/frames/item_plan.hpp>
#include <weft/frames/block_distribution.hpp>

#include <harness/mpi_test.hpp>

#include <random>
#include <string>
#include <vector>

namespace weft_test {

using part_ids = std::vector<std::vector<weft::global_id>>; // of one rank

inline constexpr weft::frame_transfer all_transfers[] = {weft::frame_transfer::automatic,
    weft::frame_transfer::plan, weft::frame_transfer::shared, weft::frame_transfer::sparse,
    weft::frame_transfer::collective};

/// A block distribution and the parts of every rank, drawn from a seed: ranks without parts, empty parts,
/// empty blocks, duplicates, gaps, or all ids on one rank.
struct frame_case {
    std::vector<weft::global_id> bounds{0};
    std::vector<part_ids> parts; // by rank

    explicit frame_case(std::uint64_t seed, std::uint64_t spread = 12) {
        std::mt19937_64 random(seed * 2654435761U + 1);
        for (int each = 0; each < size(); ++each)
            bounds.push_back(bounds.back() +
                             (random() % 3 == 0 ? 0 : static_cast<weft::global_id>(random() % spread + 1)));
        if (bounds.back() == 0) bounds.back() = 3;
        auto const total = static_cast<std::uint64_t>(bounds.back());
        parts.resize(static_cast<std::size_t>(size()));
        for (part_ids& of_rank : parts) {
            of_rank.resize(random() % 4);
            auto const only = random() % total;
            for (auto& part : of_rank)
                for (auto items = random() % 9 * (random() % 3); items > 0; --items)
                    part.push_back(static_cast<weft::global_id>(seed % 5 == 0 ? only : random() % total));
        }
        if (seed % 7 == 0) // only the last rank has items
            for (int each = 0; each + 1 < size(); ++each) parts[static_cast<std::size_t>(each)].clear();
    }

    [[nodiscard]] weft::block_distribution blocks() const { return weft::block_distribution(bounds); }
    [[nodiscard]] part_ids const& mine() const { return parts[static_cast<std::size_t>(rank())]; }
    [[nodiscard]] std::vector<weft::global_id> my_flat() const {
        std::vector<weft::global_id> all;
        for (auto const& part : mine()) all.insert(all.end(), part.begin(), part.end());
        return all;
    }
};

/// Returns the text of the exception of a call, or a text that there was none.
template <class Error, class Call>
std::string text_of(Call&& call) {
    try {
        call();
    } catch (Error const& error) { return error.what(); }
    return "nothing was thrown";
}

} // namespace weft_test
