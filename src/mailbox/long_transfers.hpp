/// Long messages that travel as they are, not in pieces. Private.
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

/// Both ends of long messages. The sender announces one by a run with its first bytes at most, which keeps
/// its place among the other runs to the receiver. When the receiver comes to it, it begins to receive, and
/// asks for the data; these go straight from the memory of the sender to that of the receiver, past ranks on
/// the way, and a `closing` behind them.
///
/// Nothing that was asked for is left open: a sender that leaves before it has read that it was asked sends
/// no data, and a closing that says so.
class long_transfers {
public:
    /// A message of this rank, until its data have left.
    struct outgoing {
        int destination;
        std::uint64_t number;
        std::span<std::byte const> data;
        buffer own = {};         ///< the data, where the caller does not wait
        std::size_t counted = 0; ///< bytes of `own` on the wire in the books of the links
        bool spilled = false;
        bool asked = false;
        bool over = false; ///< sent, or nobody wants it
        struct {
            std::uint64_t number;
            std::uint64_t bytes;
        } closing = {};
        request pending[2] = {};
    };

    long_transfers(transport& via, mail_setup const& setup);

    /// True if messages of that length for this rank go as they are.
    [[nodiscard]] bool sends(int destination, std::size_t bytes) const noexcept;

    /// A message that is about to be announced by a run with its `announcement`; valid until `forget`, or
    /// until a step after it has got memory of its own.
    [[nodiscard]] outgoing& add(int destination, std::uint64_t number, std::span<std::byte const> data);
    [[nodiscard]] static piece_head announcement(outgoing const& of, std::size_t head_bytes) noexcept {
        return {head_bytes + of.data.size(), of.number | announced};
    }
    /// Removes one that is over.
    void forget(outgoing const& gone) noexcept;

    /// True if the run announces a message.
    [[nodiscard]] static bool is_announcement(run_head const& head, std::span<std::byte const> run) noexcept;
    /// The length of the message that it announces.
    [[nodiscard]] static std::size_t bytes_in(std::span<std::byte const> announcement) noexcept;
    /// Asks the source for a message, once. False if so much is under way to this rank that it has to wait.
    [[nodiscard]] bool ask(int source, std::span<std::byte const> announcement);
    /// True if a message that was asked for is here.
    [[nodiscard]] bool has_come(int source, std::span<std::byte const> announcement) const;
    /// One that is.
    [[nodiscard]] buffer take(int source, std::span<std::byte const> announcement);
    /// Tells the source that the data are not wanted, or drops them where they were asked for.
    void refuse(int source, std::span<std::byte const> announcement);

    /// Gets everything on. `gone(message)` is called for each with memory of its own that has left.
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
    /// The owner is gone: asks for nothing more, and sends what was not asked for no more.
    void withdraw();
    void withdraw(outgoing& mine);
    /// True if no request is under way, and nothing is to come that was asked for.
    [[nodiscard]] bool at_rest() const noexcept;
    /// True if no message of this rank is announced, and none that it has asked for is kept or to come.
    [[nodiscard]] bool is_empty() const noexcept {
        return outgoing_.empty() && incoming_.empty() && told_.empty() && !hearing_;
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
    std::map<std::pair<int, std::uint64_t>, incoming> incoming_; // by source and number there
    std::size_t under_way_ = 0; // bytes that were asked for and have not come
    std::list<answer> told_;    // on their way
    std::uint64_t heard_ = 0;   // an answer that is being received
    request hearing_ = {};
    std::int64_t sent_ = 0;
    std::int64_t sent_bytes_ = 0;
    std::int64_t between_ = 0;
    std::int64_t between_bytes_ = 0;
};

} // namespace weft
