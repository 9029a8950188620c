/// The interface of a channel to its mailbox, in bytes and numbers of messages.
#pragma once

#include <weft/core/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace weft {

/// The untyped receiver of a channel. A run is a sequence of adjacent messages of one channel in a buffer.
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
    /// Calls the handler for a long message and gives it the memory, which it may keep.
    virtual void take_long(int source, buffer&& message) {
        handle_long(source, std::as_const(message).bytes());
    }
    /// Drops messages, instead of handling them, after a handler of this rank has thrown.
    virtual void drop(int /*source*/, std::span<std::byte const> /*run*/) {}
    /// Returns the number of messages in a run, for termination detection: called when a run is closed, and
    /// after `handle` has thrown. Never throws.
    [[nodiscard]] virtual std::int64_t count(std::span<std::byte const> run) const noexcept = 0;

    /// Moves held messages into buffers. Returns true if there were held messages.
    virtual bool release_held() { return false; }
    /// Returns true if messages are held: then the rank does not vote for termination.
    [[nodiscard]] virtual bool holds_any() const noexcept { return false; }
    /// Takes over messages that are forwarded through this rank. Returns the bytes of the run that were
    /// taken; these messages count as handled, and messages that are sent for them later as new.
    virtual std::size_t pass_on(int /*destination*/, std::span<std::byte const> /*run*/) { return 0; }

    /// Destroys the handler with all its captures; a later message is an error of its phase.
    virtual void close() noexcept {}

    bool calls_user_code = true; ///< for the timeline
    bool combines = false;       ///< `pass_on` is asked
    bool tells_source = false;   ///< runs of different sources are not joined

    /// A fingerprint of the channel's purpose and message type, which must be equal on all ranks.
    std::uint64_t type_print = 0;
    std::string (*type_text)() = nullptr; ///< Returns purpose and type in words, for errors.
};

} // namespace weft
