/// Reduction over blocks along one tree that does not depend on the ranks of the blocks.
#pragma once

#include <weft/collective/reduce.hpp>
#include <weft/core/communicator.hpp>
#include <weft/wire/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <utility>
#include <vector>

namespace weft {
void agree(communicator const& comm, std::exception_ptr thrown); // weft/protocol/agreement.hpp
}

namespace weft::detail {

/// The combined value of the blocks first .. first + 2^level - 1.
template <wire_type T>
struct block_part {
    std::int64_t first = 0;
    std::int32_t level = 0;
    T value = {};

    static void wire(auto& archive, auto& self) { archive(self.first, self.level, self.value); }
};

/// Combines siblings in the binary tree over block ids, as far as both are present. `parts`: ascending and
/// disjoint. Local, O(parts).
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

/// Merges two ascending lists of parts and combines siblings. Local, O(parts).
template <wire_type T, class Combine>
[[nodiscard]] std::vector<block_part<T>> join_parts(
    std::vector<block_part<T>> left, std::vector<block_part<T>> right, Combine& combine) {
    auto const middle = static_cast<std::ptrdiff_t>(left.size());
    left.insert(left.end(), std::make_move_iterator(right.begin()), std::make_move_iterator(right.end()));
    std::inplace_merge(left.begin(), left.begin() + middle, left.end(),
        [](block_part<T> const& a, block_part<T> const& b) { return a.first < b.first; });
    combine_brothers(left, combine);
    return left;
}

template <class T, class Combine>
struct part_joiner {
    Combine& combine;
    std::vector<block_part<T>> operator()(
        std::vector<block_part<T>> left, std::vector<block_part<T>> right) const {
        return join_parts(std::move(left), std::move(right), combine);
    }
};

/// The parts of the ranks in a merge. The root finishes the tree before it informs the other ranks, so that
/// an error of the last steps is agreed as well.
template <wire_type T, class Combine>
class folded_parts final : private part_joiner<T, Combine>,
                           public typed_values<std::vector<block_part<T>>, part_joiner<T, Combine>> {
    using values = typed_values<std::vector<block_part<T>>, part_joiner<T, Combine>>;

public:
    folded_parts(Combine& combine, bool root)
        : part_joiner<T, Combine>{combine},
          values(static_cast<part_joiner<T, Combine>&>(*this)),
          root_(root) {}

    void write(std::size_t value, buffer& to) override {
        if (root_) finish(value); // it only writes the result
        values::write(value, to);
    }
    [[nodiscard]] bool reading_may_throw() const noexcept override { return !bare_type<T>; }
    /// Combines the remaining parts, from the right. A second call does nothing.
    void finish(std::size_t value) override {
        std::vector<block_part<T>>& parts = values::at(value);
        for (; parts.size() > 1; parts.pop_back()) {
            T& left = parts[parts.size() - 2].value;
            left = part_joiner<T, Combine>::combine(std::move(left), std::move(parts.back().value));
        }
    }

private:
    bool root_;
};

/// Combines the values of all blocks, with the same bits on all ranks, at any number of ranks and for any
/// assignment: in pairs by id, then pairs of pairs, and so on; the remaining parts are combined from the
/// right. `parts`: those of this rank, of level 0, by id; at least one rank has a block. Collective: yes.
/// Blocks: until all ranks have called. Cost: that of `all_reduce`: no rank takes more than O(log P)
/// messages; they hold the values that cannot be combined yet: at most 2 log2(blocks) if the blocks of a rank
/// have consecutive ids, otherwise up to all of them. Throws: errors of `combine`, agreed.
template <wire_type T, class Combine>
[[nodiscard]] T fold_blocks(communicator const& comm, std::vector<block_part<T>> parts, Combine& combine) {
    folded_parts<T, Combine> values(combine, comm.rank() == 0);
    std::exception_ptr failure;
    try {
        combine_brothers(parts, combine);
    } catch (...) { failure = std::current_exception(); }
    add_or_alone(values, std::move(parts), "fold_blocks");
    std::size_t const all = merge_ranks(comm,
        {.values = values, .k = value_k(comm, sizeof(T)), .failure = std::move(failure)}, "fold_blocks");
    values.finish(all);
    return std::move(values.at(all).front().value);
}

} // namespace weft::detail
