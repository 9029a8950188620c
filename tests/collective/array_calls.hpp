/// Arrays of texts: each element shows the combined texts, their order and brackets. Private.
#pragma once

#include "merges.hpp"

#include <weft/extend/collective/array_call.hpp>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft_test {

/// An element: a hash of a bracketed text, and the number of texts in it.
struct bracketed {
    std::uint64_t hash = 0;
    std::int64_t count = 0;

    static bracketed of(std::int64_t participant, std::size_t element) {
        return {0x9E3779B97F4A7C15ull * (static_cast<std::uint64_t>(participant) * 1000 + element + 1), 1};
    }
    /// Neither commutative nor associative.
    static bracketed joined(bracketed left, bracketed right) {
        std::uint64_t mixed = left.hash * 0xBF58476D1CE4E5B9ull + (right.hash ^ (right.hash >> 31));
        return {mixed ^ (mixed >> 29), left.count + right.count};
    }
    friend bool operator==(bracketed const&, bracketed const&) = default;
};

class bracketing final : public weft::array_operator {
public:
    /// Throws at the `poison`-th call.
    explicit bracketing(int poison = -1) : poison_(poison) {}

    void combine(std::byte* into, std::byte const* other, std::size_t elements, bool other_is_left) override {
        if (poison_ >= 0 && poison_-- == 0) throw std::runtime_error("poison");
        auto* const mine = reinterpret_cast<bracketed*>(into);
        auto const* const theirs = reinterpret_cast<bracketed const*>(other);
        for (std::size_t i = 0; i < elements; ++i)
            mine[i] =
                other_is_left ? bracketed::joined(theirs[i], mine[i]) : bracketed::joined(mine[i], theirs[i]);
    }

private:
    int poison_;
};

/// Returns the arrays of all participants after a reduction by the simplest algorithm.
inline std::vector<std::vector<bracketed>> reduced_plainly(
    weft::schedule const& schedule, std::size_t elements) {
    std::vector<std::vector<bracketed>> arrays(static_cast<std::size_t>(schedule.participants()));
    for (std::size_t id = 0; id < arrays.size(); ++id)
        for (std::size_t i = 0; i < elements; ++i)
            arrays[id].push_back(bracketed::of(static_cast<std::int64_t>(id), i));
    for (int round = 0; round < schedule.rounds(); ++round) {
        auto next = arrays;
        for (std::size_t id = 0; id < arrays.size(); ++id) {
            auto const group = schedule.group_of(round, static_cast<std::int64_t>(id));
            if (group.members.empty()) continue;
            for (std::size_t i = 0; i < elements; ++i) {
                std::vector<bracketed> parts;
                for (std::int64_t const member : group.members)
                    parts.push_back(arrays[static_cast<std::size_t>(member)][i]);
                while (parts.size() > 1) {
                    std::vector<bracketed> pairs;
                    for (std::size_t p = 0; p < parts.size(); p += 2)
                        pairs.push_back(
                            p + 1 < parts.size() ? bracketed::joined(parts[p], parts[p + 1]) : parts[p]);
                    parts = std::move(pairs);
                }
                next[id][i] = parts.front();
            }
        }
        arrays = std::move(next);
    }
    return arrays;
}

} // namespace weft_test
