/// The messages of a `memory_network`, from the call of `send` to the match with their receive.
#pragma once

#include "pending_requests.hpp"

#include <weft/extend/transport/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft_test {

struct posted_receive {
    int source = 0;
    int tag = 0;
    std::span<std::byte> room = {};
    operation* done = nullptr;
};

struct transfer {
    int source = 0;
    int destination = 0;
    int tag = 0;
    weft::send_mode mode = weft::send_mode::standard;
    std::span<std::byte const> from = {};
    std::vector<std::byte> copy = {}; // the bytes, once the sender may reuse its buffer
    bool copied = false;
    bool moved = false;
    operation* sent = nullptr; // null once it is complete
    posted_receive into = {};

    void keep_copy() {
        if (copied || moved) return;
        copy.assign(from.begin(), from.end());
        copied = true;
    }
    [[nodiscard]] std::span<std::byte const> bytes() const {
        return copied ? std::span<std::byte const>(copy) : from;
    }
    [[nodiscard]] std::string name() const {
        return "message " + std::to_string(source) + " -> " + std::to_string(destination) + " (tag " +
               std::to_string(tag) + ", " + std::to_string(from.size()) + " bytes" +
               (mode == weft::send_mode::synchronous ? ", synchronous)" : ")");
    }
};

/// The rules of matching: messages of one source, destination and tag arrive in the order of sending, and are
/// received in the order of arrival by receives in the order of posting.
class message_matching {
public:
    explicit message_matching(int ranks) : end_(static_cast<std::size_t>(ranks)) {}

    /// Makes a message that is in flight from now on.
    [[nodiscard]] transfer& begin(
        int source, int destination, int tag, std::span<std::byte const> bytes, weft::send_mode mode) {
        transfer* made = nullptr;
        if (free_.empty()) {
            made = &all_.emplace_back();
        } else {
            made = free_.back();
            free_.pop_back();
        }
        made->source = source;
        made->destination = destination;
        made->tag = tag;
        made->mode = mode;
        made->from = bytes;
        made->copied = made->moved = false;
        end(destination).flying.push_back(made);
        return *made;
    }

    /// Lets the first message in flight of this channel arrive; `matched` becomes its receive, if one waits.
    [[nodiscard]] transfer& arrive(
        int source, int destination, int tag, std::optional<posted_receive>& matched) {
        auto& [flying, unexpected, posted] = end(destination);
        auto const first = std::ranges::find_if(
            flying, [&](transfer const* each) { return each->source == source && each->tag == tag; });
        transfer& message = **first;
        flying.erase(first);
        auto const match = std::ranges::find_if(posted, [&](posted_receive const& each) {
            return each.source == message.source && each.tag == message.tag;
        });
        if (match == posted.end()) {
            unexpected.push_back(&message);
        } else {
            matched = *match;
            posted.erase(match);
        }
        return message;
    }

    /// Returns the message for this receive, if it has arrived; else the receive waits.
    [[nodiscard]] transfer* post(int rank, posted_receive const& wanted) {
        auto& here = end(rank);
        auto const found = std::ranges::find_if(here.unexpected,
            [&](transfer const* each) { return each->source == wanted.source && each->tag == wanted.tag; });
        if (found == here.unexpected.end()) {
            here.posted.push_back(wanted);
            return nullptr;
        }
        transfer* const message = *found;
        here.unexpected.erase(found);
        return message;
    }

    /// Collects, for each source, the first arrived message with this tag that is not received.
    void waiting(int rank, int source, int tag, std::vector<transfer*>& into) {
        into.clear();
        for (transfer* const each : end(rank).unexpected) {
            bool const wanted =
                each->tag == tag && (source == weft::transport::any_source || source == each->source);
            if (wanted && std::ranges::find(into, each->source, &transfer::source) == into.end())
                into.push_back(each);
        }
    }

    /// Removes a message found by a probe, so that no other receive gets it.
    void take(transfer* message) { std::erase(end(message->destination).unexpected, message); }

    /// The message will not be used any more.
    void finish(transfer& message) { free_.push_back(&message); }

    /// Returns a complaint about anything left on some rank, or "".
    [[nodiscard]] std::string left_over() const {
        for (std::size_t r = 0; r < end_.size(); ++r) {
            std::string const where = " on rank " + std::to_string(r);
            if (!end_[r].unexpected.empty()) return "a message that nobody received" + where;
            if (!end_[r].posted.empty()) return "a receive that no message came for" + where;
        }
        return "";
    }
    [[nodiscard]] std::size_t capacity() const noexcept { return all_.size(); }

private:
    /// Mostly short lists, searched from the front.
    struct receiving_end {
        std::vector<transfer*> flying;      // in the order of sending
        std::vector<transfer*> unexpected;  // in the order of arrival
        std::vector<posted_receive> posted; // in the order of posting
    };
    receiving_end& end(int rank) { return end_[static_cast<std::size_t>(rank)]; }

    std::vector<receiving_end> end_;
    std::deque<transfer> all_;
    std::vector<transfer*> free_;
};

} // namespace weft_test
