/// The channels of a mailbox. Private.
#pragma once

#include <weft/core/error.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/extend/mailbox/mail_channel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// The channels in the order of their construction, which must be the same on all ranks, and fingerprints of
/// this order: ranks with equal fingerprints have made the same channels.
class channel_list {
public:
    /// Returns the number of the new channel. Throws: `usage_error` beyond 4,095 of them.
    int add(mail_channel& made) {
        constexpr std::size_t most = 4095;
        if (channels_.size() == most) throw usage_error("mailbox: more than 4,095 channels");
        channels_.push_back(&made);
        if (made.combines) combining_.push_back(&made);
        prints_.push_back(detail::fnv_hash(prints_.back()).add(made.type_print).value());
        return static_cast<int>(channels_.size() - 1);
    }

    [[nodiscard]] std::size_t size() const noexcept { return channels_.size(); }
    [[nodiscard]] mail_channel& operator[](std::size_t number) const noexcept { return *channels_[number]; }
    /// Returns the fingerprint of the first `count` channels.
    [[nodiscard]] std::uint64_t print_of(std::size_t count) const noexcept { return prints_[count]; }
    [[nodiscard]] std::uint64_t print() const noexcept { return prints_.back(); }

    /// Returns true if a channel holds back messages to combine them; these are not yet counted as sent.
    [[nodiscard]] bool holds_any() const noexcept {
        return std::ranges::any_of(combining_, [](mail_channel const* each) { return each->holds_any(); });
    }
    /// Moves these messages into buffers. Returns true if there were any.
    bool release_held() {
        bool any = false;
        for (mail_channel* const each : combining_)
            if (each->release_held()) any = true;
        return any;
    }

private:
    std::vector<mail_channel*> channels_;
    std::vector<mail_channel*> combining_; // among these; the mailbox owns them, others may end before it
    std::vector<std::uint64_t> prints_{detail::fnv_hash().value()}; // of the first n channels, by n
};

} // namespace weft
