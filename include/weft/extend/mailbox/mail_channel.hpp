/// A channel as its mailbox sees it: bytes in, messages counted.
#pragma once

#include <weft/core/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace weft {

/// The receiving end of a channel, under the types. Runs are the messages of one channel that lie one after
/// the other in a buffer.
class mail_channel {
public:
    mail_channel() = default;
    mail_channel(mail_channel const&) = delete;
    mail_channel& operator=(mail_channel const&) = delete;
    virtual ~mail_channel() = default;

    /// Calls the handler for the messages of a run; returns their number.
    virtual std::int64_t handle(int source, std::span<std::byte const> run) = 0;
    /// Calls the handler for a message that was too long for a run.
    virtual void handle_long(int source, std::span<std::byte const> message) = 0;
    /// The same for one whose memory may be kept.
    virtual void take_long(int source, buffer&& message) {
        handle_long(source, std::as_const(message).bytes());
    }
    /// In place of that after a handler of this rank has thrown.
    virtual void drop(int /*source*/, std::span<std::byte const> /*run*/) {}
    /// The messages in a run, for the ledger of the mailbox: when a run is closed, and where `handle` has
    /// thrown. Cannot throw itself.
    [[nodiscard]] virtual std::int64_t count(std::span<std::byte const> run) const noexcept = 0;

    /// Puts messages that are held back into buffers. Returns true if there were any.
    virtual bool release_held() { return false; }
    /// True if there are any: a rank that holds some does not vote.
    [[nodiscard]] virtual bool holds_any() const noexcept { return false; }
    /// Takes over messages that others sent to another rank through this one. Returns how many bytes of the
    /// run were taken; these messages are handled, and those that leave here later are new ones.
    virtual std::size_t pass_on(int /*destination*/, std::span<std::byte const> /*run*/) { return 0; }

    /// Destroys the handler, and with it all that it refers to; what comes later is an error of its phase.
    virtual void close() noexcept {}

    bool calls_user_code = true; ///< for the timeline
    bool combines = false;       ///< `pass_on` is asked
    bool tells_source = false;   ///< runs of different sources stay apart

    /// Its purpose and the type of its messages, in a number that must be equal on all ranks, and in
    /// words.
    std::uint64_t type_print = 0;
    std::string (*type_text)() = nullptr; ///< Returns the same in words, for errors.
};

} // namespace weft
