/// Runs that have arrived before their channel was made. Private.
#pragma once

#include "incoming_mail.hpp"
#include "run.hpp"

#include <weft/core/buffer.hpp>

#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>
#include <span>

namespace weft {

/// Copies of early runs, in the order of arrival, each in a buffer of its own: so the rest of their original
/// buffers can be read meanwhile.
class early_runs {
public:
    struct entry {
        buffer bytes;
        in_slot slot;
        std::size_t channel;
        std::size_t more;
    };

    /// `more`: further bytes that wait with the run but are stored elsewhere.
    void add(slot_head const& sender, std::size_t channel, std::span<std::byte const> run, std::size_t more) {
        entry made{buffer(sizeof sender + run.size()), {}, channel, more};
        std::memcpy(made.bytes.data(), &sender, sizeof sender);
        std::memcpy(made.bytes.data() + sizeof sender, run.data(), run.size());
        made.slot = {made.bytes.data(), made.bytes.size(), sizeof sender, 0};
        bytes_ += cost(made);
        entries_.push_back(std::move(made));
    }
    /// Takes the first run of a channel with a number below `channels`.
    [[nodiscard]] std::optional<entry> take(std::size_t channels) {
        auto const first =
            std::ranges::find_if(entries_, [&](entry const& each) { return each.channel < channels; });
        if (first == entries_.end()) return std::nullopt;
        std::optional<entry> taken(std::move(*first));
        entries_.erase(first);
        bytes_ -= cost(*taken);
        return taken;
    }
    /// Makes a run the first one again: it could not be handled for lack of room.
    void put_back(entry&& taken) {
        bytes_ += cost(taken);
        entries_.push_front(std::move(taken));
    }
    /// Returns the lowest channel among the runs kept; `otherwise` if there are none.
    [[nodiscard]] std::size_t lowest_channel(std::size_t otherwise) const noexcept {
        for (entry const& each : entries_) otherwise = std::min(otherwise, each.channel);
        return otherwise;
    }
    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] std::int64_t bytes() const noexcept { return bytes_; }

private:
    [[nodiscard]] static std::int64_t cost(entry const& each) noexcept {
        return static_cast<std::int64_t>(sizeof(entry) + each.bytes.size() + each.more);
    }

    std::list<entry> entries_;
    std::int64_t bytes_ = 0;
};

} // namespace weft
