/// How often items occur in what all ranks read.
#pragma once

#include <weft/containers/counting_set.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::tool {

/// Counts items where they are read, and brings the counts to the owners of items when there are many: an
/// item that occurs a million times travels once. Short texts wait in the flat table of the counting set,
/// which takes them without a copy; longer ones here.
class item_counter {
public:
    /// Collective: no, but all ranks make it, as they do containers.
    explicit item_counter(mailbox& mail) : counts_(mail) {}

    void add(std::string_view item) {
        if (detail::is_short<std::string>(item)) {
            counts_.insert(item);
            return;
        }
        auto const found =
            here_.find_or_make(detail::hash_of_key<std::string>(item), item, [] { return std::int64_t{0}; });
        ++found.first->value;
        if (found.second && here_.size() >= most_here) send();
    }
    /// Sends what is here on its way; the set is complete once its mailbox is drained. Local.
    void send() {
        here_.for_each([&](auto const& each) { counts_.insert(each.key, each.value); });
        here_.clear();
    }
    [[nodiscard]] counting_set<std::string> const& counts() const noexcept { return counts_; }

private:
    static constexpr std::size_t most_here = std::size_t{1} << 20;

    detail::local_table<std::string, std::int64_t> here_;
    counting_set<std::string> counts_;
};

} // namespace weft::tool
