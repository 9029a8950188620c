/// Long messages that are sent whole, not in pieces. Private.
#pragma once

#include "run.hpp"

#include <weft/core/buffer.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Both ends of long messages. The sender announces a message by a run with its first bytes, which keeps its
/// place in the order of runs. When the receiver reads the run, it posts a receive and asks for the data.
/// These go directly from the sender's memory to the receiver's, past the ranks of the route, and a `closing`
/// follows them.
///
/// Every request is answered: a sender that leaves before it has read the request sends no data, and a
/// closing that says so.
class long_transfers {
public:
    /// A message of this rank, until its data have been sent.
    struct outgoing {
        int destination;
        std::uint64_t number;
        std::span<std::byte const> data;
        buffer own = {};         ///< the data, if the caller does not wait
        std::size_t counted = 0; ///< bytes of `own` counted as on the wire by the links
        bool spilled = false;
        bool asked = false;
        bool over = false; ///< sent, or not wanted
        struct {
            std::uint64_t number;
            std::uint64_t bytes;
        } closing = {};
        request pending[2] = {};
    };

    long_transfers(transport& via, mail_setup const& setup);

    /// Returns true if messages of this length to `destination` are sent whole.
    [[nodiscard]] bool sends(int destination, std::size_t bytes) const noexcept;

    /// Adds a message, which the caller then announces by a run with its `announcement`. Valid until
    /// `forget`, or until a step after it has got memory of its own.
    [[nodiscard]] outgoing& add(int destination, std::uint64_t number, std::span<std::byte const> data);
    [[nodiscard]] static piece_head announcement(outgoing const& of, std::size_t head_bytes) noexcept {
        return {head_bytes + of.data.size(), of.number | announced};
    }
    /// Removes a message that is over.
    void forget(outgoing const& gone) noexcept;

    /// Returns true if the run announces a message.
    [[nodiscard]] static bool is_announcement(run_head const& head, std::span<std::byte const> run) noexcept;
    /// Returns the length of the announced message.
    [[nodiscard]] static std::size_t bytes_in(std::span<std::byte const> announcement) noexcept;
    /// Asks the source for a message, once. Returns false if it must wait for others to arrive.
    [[nodiscard]] bool ask(int source, std::span<std::byte const> announcement);
    /// Returns true if a requested message has arrived.
    [[nodiscard]] bool has_come(int source, std::span<std::byte const> announcement) const;
    /// Takes an arrived message.
    [[nodiscard]] buffer take(int source, std::span<std::byte const> announcement);
    /// Tells the source that the data are not wanted, or drops the data if they were requested.
    void refuse(int source, std::span<std::byte const> announcement);

    /// Makes progress. Calls `gone(message)` for each sent message with memory of its own.
    template <class Gone>
    progress step(Gone&& gone) {
        bool const any = begin_and_test();
        std::erase_if(outgoing_, [&](outgoing const& each) {
            if (!each.over || (each.own.empty() && !each.data.empty())) return false;
            gone(each);
            return true;
        });
        return any ? progress::some : progress::none;
    }
    /// The owner is gone: requests no more messages, and does not send those that were not requested.
    void withdraw();
    void withdraw(outgoing& mine);
    /// Returns true if no request is under way and no requested message is missing.
    [[nodiscard]] bool at_rest() const noexcept;
    /// Returns true if no message of this rank is announced, and no requested one is kept or missing.
    [[nodiscard]] bool is_empty() const noexcept {
        return outgoing_.empty() && incoming_.empty() && told_.empty() && !hears_;
    }
    void add_to(mailbox_counters& sums) const noexcept;
    /// As `engine::describe_wait`.
    void describe_wait(std::string& into) const;

private:
    static constexpr std::uint64_t announced = std::uint64_t{1} << 63;
    static constexpr std::uint64_t refused = announced;

    struct incoming {
        buffer whole = {};
        std::size_t in_announcement = 0; ///< bytes
        std::uint64_t closing[2] = {};   ///< number and bytes
        request pending[2] = {};
        bool under_way = true;
        bool dropped = false;
    };
    struct answer {
        std::uint64_t number;
        request pending;
    };

    [[nodiscard]] static std::uint64_t number_in(std::span<std::byte const> announcement) noexcept;
    bool begin_and_test();
    bool take_answers();
    bool test_outgoing(outgoing& each);
    void send_data(outgoing& each);
    void tell(int source, std::uint64_t number);

    transport& via_;
    topology const& nodes_;
    int answer_tag_;
    int data_tag_;
    std::size_t least_;
    bool shares_;
    std::size_t most_under_way_;
    std::list<outgoing> outgoing_;
    std::map<std::pair<int, std::uint64_t>, incoming> incoming_; // by source and its number for the message
    std::size_t under_way_ = 0;                                  // bytes requested and not yet arrived
    std::list<answer> told_;                                     // being sent
    std::uint64_t heard_ = 0;                                    // the answer being received
    bool hears_ = false;                                         // such an answer has begun to be received
    request hearing_ = {};                                       // null also where it is complete
    std::int64_t sent_ = 0;
    std::int64_t sent_bytes_ = 0;
    std::int64_t between_ = 0;
    std::int64_t between_bytes_ = 0;
};

} // namespace weft
