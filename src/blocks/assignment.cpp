#include <weft/blocks/assignment.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/even_shares.hpp>

#include <string>
#include <utility>

namespace weft {

assignment::assignment(kind how, std::int64_t blocks, int ranks)
    : kind_(how), blocks_(blocks), ranks_(ranks) {
    if (blocks < 0)
        throw usage_error("assignment: expected at least 0 blocks, found " + std::to_string(blocks));
    if (ranks < 1)
        throw usage_error("assignment: expected at least 1 rank, found " + std::to_string(ranks) +
                          "; pass the size of the communicator");
    shares_ = detail::even_shares(blocks, ranks);
}

assignment assignment::contiguous(std::int64_t blocks, int ranks) {
    return {kind::contiguous, blocks, ranks};
}

assignment assignment::round_robin(std::int64_t blocks, int ranks) {
    return {kind::round_robin, blocks, ranks};
}

assignment assignment::by_table(std::vector<int> rank_of, int ranks) {
    if (rank_of.size() > INT32_MAX)
        throw usage_error("assignment: a table may have 2^31 - 1 blocks, found " +
                          std::to_string(rank_of.size()) + "; use contiguous or round_robin");
    assignment result(kind::table, static_cast<std::int64_t>(rank_of.size()), ranks);
    result.first_.assign(static_cast<std::size_t>(ranks) + 1, 0);
    result.place_of_.reserve(rank_of.size());
    for (std::size_t b = 0; b < rank_of.size(); ++b) {
        int const rank = rank_of[b];
        if (rank < 0 || rank >= ranks)
            throw usage_error("assignment: block " + std::to_string(b) + " is given to rank " +
                              std::to_string(rank) + "; ranks are 0.." + std::to_string(ranks - 1));
        result.place_of_.push_back(result.first_[static_cast<std::size_t>(rank) + 1]++);
    }
    for (std::size_t r = 1; r < result.first_.size(); ++r) result.first_[r] += result.first_[r - 1];
    result.listed_.resize(rank_of.size());
    for (std::size_t b = 0; b < rank_of.size(); ++b) {
        std::int32_t const place = result.first_[static_cast<std::size_t>(rank_of[b])] + result.place_of_[b];
        result.listed_[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(b);
    }
    result.rank_of_ = std::move(rank_of);
    return result;
}

assignment assignment::with_table(std::vector<int> rank_of) const {
    if (static_cast<std::int64_t>(rank_of.size()) != blocks_)
        throw usage_error("assignment: expected a table of " + std::to_string(blocks_) + " blocks, found " +
                          std::to_string(rank_of.size()));
    return by_table(std::move(rank_of), ranks_);
}

} // namespace weft
