/// Finds the types of items when ranks exchange items of different types. Private.
#pragma once

#include <weft/extend/core/item_type.hpp>
#include <weft/protocol/agreement.hpp>

#include <optional>
#include <string>

namespace weft {

/// The least and largest fingerprint of all ranks, from maxima of the fingerprints and of their complements.
struct item_prints {
    std::int64_t largest = 0;
    std::int64_t least = 0;

    [[nodiscard]] static item_prints in(std::int64_t largest, std::int64_t complemented_least) noexcept {
        return {largest, ~complemented_least};
    }
    [[nodiscard]] static item_prints in(census_value const& closed) noexcept {
        return in(closed.max[census_slot::largest_print], closed.max[census_slot::least_print]);
    }
    [[nodiscard]] bool differ() const noexcept { return largest != least; }
};

/// Begins when all ranks know that their items differ, and the range of fingerprints. First a rank with the
/// least fingerprint describes its items, then one with the largest; then all throw the same error.
///
/// Cost: two agreements. Runs only in an incorrect program.
class item_dispute final : public engine {
public:
    /// `mine`: this rank's fingerprint in the encoding of `all`.
    item_dispute(transport& via, int control_tag, all_reduce_method method, item_type const& items,
        std::int64_t mine, item_prints const& all);

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    /// Throws the `usage_error`. To be called when done.
    [[noreturn]] void raise() const;
    [[nodiscard]] int messages() const noexcept { return messages_; }

private:
    void ask(bool is_mine);

    transport& via_;
    int tag_;
    all_reduce_method method_;
    item_type items_;
    bool is_largest_;
    std::optional<agreement> telling_;
    std::string least_; // the description of its rank, once known
    std::string largest_;
    int messages_ = 0;
};

} // namespace weft
