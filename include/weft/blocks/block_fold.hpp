/// Values of blocks combined along one tree, whatever ranks have the blocks.
#pragma once

#include <weft/blocks/block_gather.hpp>
#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/wire/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace weft {

void agree(communicator const& comm, std::exception_ptr thrown); // weft/protocol/agreement.hpp

/// The combined value of the blocks first .. first + 2^level - 1.
template <wire_type T>
struct block_part {
    std::int64_t first = 0;
    std::int32_t level = 0;
    T value = {};

    static void wire(auto& archive, auto& self) { archive(self.first, self.level, self.value); }
};

/// Combines parts that are brothers in the binary tree over block ids, as far as they are there. `parts`:
/// ascending, none within another. Local, O(parts).
template <wire_type T, class Combine>
void combine_brothers(std::vector<block_part<T>>& parts, Combine& combine) {
    std::vector<block_part<T>> whole;
    for (block_part<T>& each : parts) {
        whole.push_back(std::move(each));
        while (whole.size() > 1) {
            block_part<T>& left = whole[whole.size() - 2];
            block_part<T>& right = whole.back();
            std::int64_t const width = std::int64_t{1} << left.level;
            if (left.level != right.level || left.first % (2 * width) != 0 ||
                left.first + width != right.first)
                break;
            left.value = combine(std::move(left.value), std::move(right.value));
            ++left.level;
            whole.pop_back();
        }
    }
    parts = std::move(whole);
}

/// The values of all blocks combined, the same bits on all ranks, at any number of ranks and for any
/// assignment: in pairs by id, those in pairs, and so on; what is left over at the end joins from the right.
/// `parts`: those of this rank, of level 0, by id; there is at least one block on some rank. `failure`: what
/// making them threw. Collective: yes. Blocks: until all ranks have called. Cost: two sparse exchanges; a
/// rank sends its values as far as they cannot be combined there, at most 2 log2 of its blocks where these
/// are neighbours, else up to all of them; rank 0 takes O(P) messages and sends the result to P - 1. Throws:
/// what `combine` throws, and what encoding and decoding do, agreed; types with a hook take a census for
/// that.
template <wire_type T, class Combine>
[[nodiscard]] T fold_blocks(communicator const& comm, std::vector<block_part<T>> parts, Combine& combine) {
    std::exception_ptr failure;
    buffer mine;
    try {
        combine_brothers(parts, combine);
        encode(mine, parts);
    } catch (...) { failure = std::current_exception(); }
    message_list const received = gather_bytes(comm, std::move(mine), std::exchange(failure, {}));
    mine = buffer();
    try {
        if (comm.rank() == 0) {
            parts.clear();
            for (message const& each : received)
                for (block_part<T>& part : decode<std::vector<block_part<T>>>(each.data.bytes()))
                    parts.push_back(std::move(part));
            std::sort(parts.begin(), parts.end(),
                [](block_part<T> const& a, block_part<T> const& b) { return a.first < b.first; });
            combine_brothers(parts, combine);
            for (; parts.size() > 1; parts.pop_back()) {
                T& left = parts[parts.size() - 2].value;
                left = combine(std::move(left), std::move(parts.back().value));
            }
            encode(mine, parts.front().value);
        }
    } catch (...) { failure = std::current_exception(); }
    buffer const result = broadcast_bytes(comm, std::move(mine), std::move(failure));
    if constexpr (bare_type<T>) {
        return decode<T>(result.bytes());
    } else {
        T value = {};
        try {
            value = decode<T>(result.bytes());
        } catch (...) { failure = std::current_exception(); } // of a hook
        agree(comm, std::move(failure));
        return value;
    }
}

} // namespace weft
