/// One bundle from every rank of a node to every other rank of it. Private.
#pragma once

#include "bundle.hpp"

#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Every rank of a node sends one message, possibly empty, to each of the others and receives one from each:
/// no discovery is needed. The messages of two rounds between two ranks arrive in order.
class node_round final : public engine {
public:
    /// `members`: the ranks of this node, including this one; they must outlive the round.
    node_round(transport& via, int tag, std::span<int const> members);

    /// Adds an item to the bundle for the member at this place of `members`, which must be another rank.
    void add(std::size_t place, passed_on const& item) { bundle::append(outgoing_[place], item); }
    /// Removes all items, and frees their memory. To be called before `begin`.
    void clear() noexcept {
        for (buffer& each : outgoing_) each = buffer();
    }
    /// Sends the bundles.
    void begin();
    /// Done when all bundles have arrived. Sends may still be under way.
    [[nodiscard]] progress step() override;
    [[nodiscard]] bool sent();

    /// Calls `take(item)` for all items received, by member. Their data live as long as the round.
    template <class Take>
    void for_each(Take&& take) const {
        for (buffer const& each : incoming_) bundle::for_each(each.bytes(), take);
    }

    [[nodiscard]] std::int64_t messages() const noexcept {
        return static_cast<std::int64_t>(members_.size()) - 1;
    }
    [[nodiscard]] std::int64_t bytes() const noexcept;

private:
    enum class state { expected, receiving, here };

    transport& via_;
    int tag_;
    std::span<int const> members_;
    std::vector<buffer> outgoing_; // by place in members_
    std::vector<buffer> incoming_;
    std::vector<request> sends_;
    std::vector<request> receives_;
    std::vector<state> state_;
    std::size_t here_ = 0;
};

} // namespace weft
