/// The incoming messages of a sparse exchange. Private.
#pragma once

#include "framing.hpp"

#include <core/left_memory.hpp>

#include <weft/detail/core/recycled.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/protocol/sparse_exchange.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace weft {

/// Receives messages, and returns them one by one when complete, or at the end all by source.
class incoming_messages {
public:
    explicit incoming_messages(sparse_exchange_setup const& setup)
        : bulk_tag_(setup.tags.bulk),
          in_order_of_arrival_(setup.in_order_of_arrival),
          limit_(setup.in_flight_bytes) {}
    incoming_messages(incoming_messages const&) = delete;
    incoming_messages& operator=(incoming_messages const&) = delete;
    ~incoming_messages() {
        if (pending_.empty() && headers_.empty()) return;
        // The exchange has failed while MPI still writes to them.
        leave_to_mpi(std::move(pending_));
        leave_to_mpi(std::move(headers_));
    }

    /// Adds a message that is already complete.
    void add(message&& whole) { complete_.push_back(std::move(whole)); }

    /// Receives the message found by the probe; it is complete now if all of it has arrived.
    void receive(transport& via, envelope const& found) {
        arrival made = probed(via, found);
        if (!finish(via, made)) wait_for(pending_, std::move(made));
    }
    /// Receives a message, or its header if senders announce large ones.
    void receive_or_header(transport& via, envelope const& found) {
        if (found.bytes == static_cast<std::int64_t>(framing::header_bytes))
            wait_for(headers_, probed(via, found));
        else
            receive(via, found);
    }
    /// Begins to receive a message of known source and size.
    void receive(transport& via, int source, int tag, std::size_t bytes) {
        buffer room(bytes);
        bytes_begun_ += static_cast<std::int64_t>(bytes);
        request const pending = via.receive(source, tag, room.bytes());
        wait_for(pending_, {pending, {source, std::move(room)}});
    }

    /// Receives arrived messages until `most` are complete or being received; returns true if there were
    /// any.
    bool receive_up_to(std::size_t most, transport& via, int tag) {
        bool any = false;
        for (; begun() < most; any = true) {
            auto const found = via.probe(transport::any_source, tag);
            if (!found) break;
            receive(via, *found);
        }
        return any;
    }

    /// Tests pending receives; returns true if all are complete. Tests one request at a time, so that a poll
    /// costs O(1), unless messages are wanted in the order of arrival.
    [[nodiscard]] bool complete(transport& via) {
        return (pending_.empty() && headers_.empty() && announced_.empty()) || look(via);
    }

    /// Returns the number of messages that are complete or being received.
    [[nodiscard]] std::size_t begun() const noexcept {
        return pending_.size() + headers_.size() + announced_.size() + complete_.size();
    }

    void describe_wait(std::string& into) const {
        for (auto const* const list : {&pending_, &headers_})
            for (arrival const& each : *list)
                into += "the data of a message from rank " + std::to_string(each.what.peer) + "; ";
        for (payload const& each : announced_)
            into += "room for a message from rank " + std::to_string(each.source) + "; ";
    }

    /// Takes the next complete message; returns false if there is none now.
    [[nodiscard]] bool next(message& into) {
        if (handed_out_ == complete_.size()) return false;
        into = std::move(complete_[handed_out_++]);
        return true;
    }

    /// Returns all messages, by source. To be called once, when all are complete, and not after `next`.
    [[nodiscard]] message_list take_by_source() {
        if (complete_.size() > 1) std::ranges::sort(complete_, {}, &message::peer);
        return std::move(complete_);
    }

private:
    struct arrival {
        request received;
        message what;
    };
    struct payload {
        int source;
        std::size_t bytes;
    };

    static void wait_for(detail::recycled_vector<arrival>& list, arrival&& made) {
        try {
            list.push_back(std::move(made));
        } catch (std::bad_alloc const&) {
            leave_to_mpi(std::move(made.what));
            throw;
        }
    }

    bool look(transport& via) {
        if (!headers_.empty() || !announced_.empty()) begin_announced(via);
        if (in_order_of_arrival_)
            std::erase_if(pending_, [&](arrival& each) { return finish(via, each); });
        else
            while (!pending_.empty() && finish(via, pending_.back())) pending_.pop_back();
        return pending_.empty() && headers_.empty() && announced_.empty();
    }

    arrival probed(transport& via, envelope const& found) {
        buffer room(static_cast<std::size_t>(found.bytes));
        bytes_begun_ += found.bytes;
        request const pending = via.receive(found, room.bytes());
        return {pending, {found.source, std::move(room)}};
    }

    /// Returns true if the message has arrived; then it is among the complete ones.
    bool finish(transport& via, arrival& each) {
        if (!via.test(each.received)) return false;
        bytes_begun_ -= static_cast<std::int64_t>(each.what.data.size());
        complete_.push_back(std::move(each.what));
        return true;
    }

    /// Begins to receive the payloads that headers announce, while the bytes being received are within the
    /// bound.
    void begin_announced(transport& via) {
        std::erase_if(headers_, [&](arrival& each) {
            if (!via.test(each.received)) return false;
            bytes_begun_ -= static_cast<std::int64_t>(framing::header_bytes);
            announced_.push_back({each.what.peer, framing::announced_bytes(each.what.data)});
            return true;
        });
        while (!announced_.empty() && (bytes_begun_ == 0 || bytes_begun_ < limit_)) {
            receive(via, announced_.back().source, bulk_tag_, announced_.back().bytes);
            announced_.pop_back();
        }
    }

    int bulk_tag_;
    bool in_order_of_arrival_;
    std::int64_t limit_;
    std::int64_t bytes_begun_ = 0; // bytes being received
    detail::recycled_vector<arrival> headers_;
    detail::recycled_vector<payload> announced_; // announced and not begun
    detail::recycled_vector<arrival> pending_;
    message_list complete_; // in the order of completion
    std::size_t handed_out_ = 0;
};

} // namespace weft
