/// The memory that the ranks of a `memory_network` share.
#pragma once

#include <weft/core/topology.hpp>
#include <weft/extend/transport/shared_memory.hpp>

#include <cstddef>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft_test {

/// The k-th call of every rank of a node returns the same memory, with a part for each rank. It lives as long
/// as the network, so that late writes are detected by their readers. Nothing blocks here: the first call
/// makes the memory, since zeros do not reveal whether the others have called.
class shared_areas {
public:
    /// From now on ranks share no memory; to be called before the first call of `share`.
    void switch_off() { is_off_ = true; }

    [[nodiscard]] weft::shared_memory share(int rank, weft::topology const& nodes, std::size_t bytes) {
        if (calls_.size() <= static_cast<std::size_t>(rank))
            calls_.resize(static_cast<std::size_t>(rank) + 1);
        std::size_t const call = calls_[static_cast<std::size_t>(rank)]++;
        if (is_off_) return weft::shared_memory("the test says so");
        if (call == areas_.size()) areas_.emplace_back().resize(static_cast<std::size_t>(nodes.node_count()));
        area& mine = areas_.at(call).at(static_cast<std::size_t>(nodes.node()));
        std::size_t const cores = nodes.ranks_of(nodes.node()).size();
        std::size_t const blocks = (bytes + sizeof(block) - 1) / sizeof(block);
        if (mine.blocks.empty()) {
            mine.bytes = bytes;
            mine.blocks.resize(cores * blocks);
        }
        if (mine.bytes != bytes || mine.blocks.size() != cores * blocks)
            throw std::logic_error("ranks ask for different memory");
        std::vector<std::byte*> parts;
        for (std::size_t core = 0; core < cores; ++core) parts.push_back(mine.blocks[core * blocks].bytes);
        return weft::shared_memory(std::move(parts));
    }

private:
    /// On a real machine, parts begin at pages.
    struct alignas(4096) block {
        std::byte bytes[4096] = {};
    };
    struct area {
        std::size_t bytes = 0;
        std::vector<block> blocks;
    };

    bool is_off_ = false;
    std::vector<std::size_t> calls_;      // by rank
    std::deque<std::vector<area>> areas_; // by call and node
};

} // namespace weft_test
