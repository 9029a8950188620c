/// What a mailbox knows of a channel: bytes in, messages counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weft {

/// The receiving end of a channel, under the types. Runs are the messages of one channel that lie one after
/// the other in a buffer.
class mail_channel {
public:
    mail_channel() = default;
    mail_channel(mail_channel const&) = delete;
    mail_channel& operator=(mail_channel const&) = delete;
    virtual ~mail_channel() = default;

    /// Calls the handler for the messages of a run; how many there were.
    virtual std::int64_t handle(int source, std::span<std::byte const> run) = 0;
    /// Calls the handler for a message that was too long for a run.
    virtual void handle_long(int source, std::span<std::byte const> message) = 0;
    /// In place of that after a handler of this rank has thrown.
    virtual void drop(int /*source*/, std::span<std::byte const> /*run*/) {}
    /// The messages in a run, where that is to be known without handling them: also when `handle` has thrown,
    /// so it cannot throw itself.
    [[nodiscard]] virtual std::int64_t count(std::span<std::byte const> run) const noexcept = 0;

    /// Puts what is held back into buffers; whether there was any.
    virtual bool release_held() { return false; }
    /// Takes over what others sent to another rank through this one, and how many bytes of it.
    virtual std::size_t pass_on(int /*destination*/, std::span<std::byte const> /*run*/) { return 0; }

    bool calls_user_code = true;   ///< for the timeline
    bool combines = false;         ///< `pass_on` is asked
    bool tells_source = false;     ///< runs of different sources stay apart
    bool counted_when_sent = true; ///< by who sends; otherwise by `item_bytes` when a run is closed
    std::size_t item_bytes = 0;    ///< of every message, where they are equal

    /// What it is for and the type of its messages, in a number that must be equal on all ranks, and in
    /// words.
    std::uint64_t type_print = 0;
    std::string (*type_text)() = nullptr;
};

} // namespace weft
