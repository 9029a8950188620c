/// The dispute of ranks that exchange items of different types. Private.
#pragma once

#include <weft/extend/core/item_type.hpp>
#include <weft/protocol/agreement.hpp>

#include <optional>
#include <string>

namespace weft {

/// The least and the largest number of the prints of all ranks, from maxima of these and their complements.
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

/// Begins where all ranks know that their items differ, and how far their prints reach. First a rank with the
/// least print says what its items are, then one with the largest; then all throw the same.
///
/// Cost: two agreements. Only in a program that is wrong.
class item_dispute final : public engine {
public:
    /// `mine`: the number of this rank's print, as `all` has it.
    item_dispute(transport& via, int control_tag, all_reduce_method method, item_type const& items,
        std::int64_t mine, item_prints const& all);

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    /// Throws the `usage_error`. After done.
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
    std::string least_; // as its rank says, once it has
    std::string largest_;
    int messages_ = 0;
};

} // namespace weft
