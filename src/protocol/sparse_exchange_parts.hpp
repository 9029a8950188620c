/// What the protocols of the sparse exchange share. Private.
#pragma once

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/sparse_exchange.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace weft {

/// A protocol behind `sparse_exchange`, which says what the functions mean.
class sparse_exchange::protocol_engine : public engine {
public:
    virtual void rethrow() const = 0;
    [[nodiscard]] virtual std::vector<message> take() = 0;
    virtual void count(counters& into) const = 0;
};

/// Messages on their way out: begun in one go, complete from the back.
class outgoing_messages {
public:
    explicit outgoing_messages(std::vector<message> messages) : messages_(std::move(messages)) {}

    /// Takes the message to this rank out, if there is one, into `incoming`.
    void deliver_to_self(int rank, std::vector<message>& incoming) {
        auto const self = std::ranges::find(messages_, rank, &message::peer);
        if (self == messages_.end()) return;
        self_bytes_ = static_cast<std::int64_t>(self->data.size());
        self_messages_ = 1;
        incoming.push_back(std::move(*self));
        messages_.erase(self);
    }

    void begin(transport& via, int tag, send_mode mode) {
        begun_ = true;
        pending_.reserve(messages_.size());
        for (message const& each : messages_)
            pending_.push_back(via.send(each.peer, tag, each.data.bytes(), mode));
    }

    /// Asks for one request at a time, so that a poll costs O(1) however many messages are out.
    [[nodiscard]] bool complete(transport& via) {
        while (!pending_.empty() && via.test(pending_.back())) pending_.pop_back();
        return pending_.empty();
    }

    [[nodiscard]] std::vector<message> const& messages() const noexcept { return messages_; }

    void count(counters& into) const {
        ++into.exchanges;
        if (!begun_) return; // an exchange that failed before it sent anything
        into.messages += static_cast<std::int64_t>(messages_.size());
        for (message const& each : messages_) into.bytes += static_cast<std::int64_t>(each.data.size());
        into.self_messages += self_messages_;
        into.self_bytes += self_bytes_;
    }

private:
    std::vector<message> messages_;
    std::vector<request> pending_;
    bool begun_ = false;
    std::int64_t self_messages_ = 0;
    std::int64_t self_bytes_ = 0;
};

/// Messages on their way in.
class incoming_messages {
public:
    void receive(transport& via, envelope const& found) {
        message& added =
            messages_.emplace_back(message{found.source, buffer(static_cast<std::size_t>(found.bytes))});
        pending_.push_back(via.receive(found, added.data.bytes()));
    }
    void receive(transport& via, int source, int tag, std::size_t bytes) {
        message& added = messages_.emplace_back(message{source, buffer(bytes)});
        pending_.push_back(via.receive(source, tag, added.data.bytes()));
    }

    [[nodiscard]] bool complete(transport& via) {
        while (!pending_.empty() && via.test(pending_.back())) pending_.pop_back();
        return pending_.empty();
    }

    [[nodiscard]] std::vector<message>& messages() noexcept { return messages_; }

    [[nodiscard]] std::vector<message> take_by_source() {
        std::ranges::sort(messages_, {}, &message::peer);
        return std::move(messages_);
    }

private:
    std::vector<message> messages_;
    std::vector<request> pending_;
};

/// The error that ranks throw alike when their items differ in size.
[[nodiscard]] inline usage_error item_size_error(std::string const& which = "") {
    return usage_error(
        "exchange: ranks send items of different sizes" + which + "; all ranks must exchange the same type");
}
[[nodiscard]] inline usage_error item_size_error(std::int64_t least, std::int64_t most) {
    return item_size_error(" (" + std::to_string(least) + " and " + std::to_string(most) + " bytes)");
}

std::unique_ptr<sparse_exchange::protocol_engine> make_nbx(
    transport& via, sparse_exchange_setup const& setup, std::vector<message> outgoing);
std::unique_ptr<sparse_exchange::protocol_engine> make_pex(
    transport& via, sparse_exchange_setup const& setup, std::vector<message> outgoing);

} // namespace weft
