/// The outgoing messages of a sparse exchange. Private.
#pragma once

#include "framing.hpp"

#include <core/left_memory.hpp>

#include <weft/detail/core/recycled.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/protocol/sparse_exchange.hpp>
#include <weft/observe/counters.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Sends messages, as many at once as the bound on bytes in flight allows (law 7: if all ranks send to one
/// rank, the exchange becomes slower, but the rank is not flooded).
class outgoing_messages {
public:
    outgoing_messages(message_list messages, sparse_exchange_setup const& setup)
        : messages_(std::move(messages)),
          tags_(setup.tags),
          given_load_(setup.load),
          nodes_(setup.nodes),
          limit_(setup.in_flight_bytes),
          header_above_(setup.header_above) {}
    outgoing_messages(outgoing_messages const&) = delete;
    outgoing_messages& operator=(outgoing_messages const&) = delete;
    ~outgoing_messages() {
        if (pending_.empty() && payloads_.empty()) return;
        // For lack of memory the exchange has failed while MPI still reads them.
        leave_to_mpi(std::move(messages_));
        leave_to_mpi(std::move(headers_));
    }

    /// Removes the message to this rank, if there is one, and passes it to `deliver`.
    template <class Deliver>
    void deliver_to_self(int rank, Deliver&& deliver) {
        auto const self = std::ranges::find(messages_, rank, &message::peer);
        if (self == messages_.end()) return;
        self_bytes_ = static_cast<std::int64_t>(self->data.size());
        self_messages_ = 1;
        self->data.make_own(); // received data belong to the receiver
        deliver(std::move(*self));
        messages_.erase(self);
    }

    /// Only counts the messages, for protocols that send them in their own way.
    void count_only() {
        begun_ = true;
        for (message const& each : messages_) bytes_ += static_cast<std::int64_t>(each.data.size());
        if (nodes_ == nullptr || nodes_->node_count() == 1) return;
        for (message const& each : messages_) {
            if (nodes_->node_of(each.peer) == nodes_->node()) continue;
            ++between_messages_;
            between_bytes_ += static_cast<std::int64_t>(each.data.size());
        }
    }

    /// Begins to send all messages, or as many as the bound allows; `complete` sends the others. With
    /// synchronous sends, large messages are announced by a header.
    void begin(transport& via, send_mode mode) {
        mode_ = mode;
        count_only();
        pending_.reserve(messages_.size());
        if (mode == send_mode::synchronous) {
            auto const announced = static_cast<std::size_t>(std::ranges::count_if(messages_,
                [&](message const& each) { return framing::is_announced(each.data.size(), header_above_); }));
            headers_.reserve(announced); // they must not move
            payloads_.reserve(announced);
        }
        send_more(via);
    }

    /// Returns true if every message has begun to be received, or, with other modes, is
    /// under way; also if none was sent. Tests one request at a time, so that a poll
    /// costs O(1) for any number of messages; if some wait for the bound, tests all
    /// requests.
    [[nodiscard]] bool begun_to_arrive(transport& via) {
        if (!begun_) return true;
        if (next_ < messages_.size()) {
            for (auto* const list : {&pending_, &payloads_})
                std::erase_if(*list, [&](in_flight& each) {
                    bool const over = via.test(each.sent);
                    if (over) bytes_in_flight_ -= each.bytes;
                    return over;
                });
            send_more(via);
            return false;
        }
        return drain(via, pending_);
    }

    /// Returns true if all messages are sent and their memory may be freed.
    [[nodiscard]] bool complete(transport& via) { return begun_to_arrive(via) && drain(via, payloads_); }

    void describe_wait(std::string& into) const {
        for (auto const* const list : {&pending_, &payloads_})
            for (in_flight const& each : *list)
                into += std::string(list == &payloads_ ? "the data of " : "") + "a message to rank " +
                        std::to_string(each.peer) + ", which has not taken it; ";
        if (next_ < messages_.size())
            into +=
                std::to_string(messages_.size() - next_) + " messages for which there is no room in flight; ";
    }

    [[nodiscard]] message_list const& messages() const noexcept { return messages_; }
    /// To be called after `begin` or `count_only`.
    [[nodiscard]] exchange_load load() const noexcept {
        if (given_load_.messages >= 0) return given_load_;
        return exchange_load::of(static_cast<std::int64_t>(messages_.size()), bytes_);
    }

    void count(counters& into) const {
        ++into.exchanges;
        if (!begun_) return; // an exchange that failed before it sent anything
        into.messages += static_cast<std::int64_t>(messages_.size());
        into.bytes += bytes_;
        into.between_messages += between_messages_;
        into.between_bytes += between_bytes_;
        into.control_messages += static_cast<std::int64_t>(headers_.size());
        into.self_messages += self_messages_;
        into.self_bytes += self_bytes_;
    }

private:
    struct in_flight {
        in_flight(request made, std::int64_t size, int to) : sent(made), bytes(size), peer(to) {}

        request sent;
        std::int64_t bytes;
        int peer;
    };

    static bool drain(transport& via, detail::recycled_vector<in_flight>& list) {
        while (!list.empty() && via.test(list.back().sent)) list.pop_back();
        return list.empty();
    }

    void send_more(transport& via) {
        while (next_ < messages_.size() && (bytes_in_flight_ == 0 || bytes_in_flight_ < limit_))
            send(via, messages_[next_++]);
    }

    void send(transport& via, message const& each) {
        auto const bytes = static_cast<std::int64_t>(each.data.size());
        bytes_in_flight_ += bytes;
        if (mode_ == send_mode::synchronous && framing::is_announced(each.data.size(), header_above_)) {
            auto const& header = headers_.emplace_back(framing::announce(each.data.size()));
            pending_.emplace_back(
                via.send(each.peer, tags_.data, header, send_mode::synchronous), 0, each.peer);
            payloads_.emplace_back(
                via.send(each.peer, tags_.bulk, each.data.bytes(), send_mode::standard), bytes, each.peer);
            return;
        }
        pending_.emplace_back(via.send(each.peer, tags_.data, each.data.bytes(), mode_), bytes, each.peer);
    }

    message_list messages_;
    epoch_tags tags_;
    exchange_load given_load_;
    topology const* nodes_; // null: messages between nodes are not counted
    std::int64_t limit_;
    std::int64_t header_above_;
    send_mode mode_ = send_mode::standard;
    std::vector<framing::header> headers_;
    detail::recycled_vector<in_flight> pending_;
    detail::recycled_vector<in_flight> payloads_; // announced by a header
    std::size_t next_ = 0;
    std::int64_t bytes_in_flight_ = 0;
    std::int64_t bytes_ = 0;
    bool begun_ = false;
    std::int64_t between_messages_ = 0;
    std::int64_t between_bytes_ = 0;
    std::int64_t self_messages_ = 0;
    std::int64_t self_bytes_ = 0;
};

} // namespace weft
