/// The engine of a mailbox, for channels of kinds of your own.
#pragma once

#include <weft/extend/mailbox/mail_channel.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/protocol/engine.hpp>

namespace weft {

class mailbox;

/// Local, all of it.
struct mailbox_parts {
    /// Returns the engine of a mailbox.
    [[nodiscard]] static mail_engine& engine(mailbox& mail) noexcept;
    /// Takes over a channel; returns its number. All ranks make the same channels in the same order. Throws:
    /// `usage_error` beyond 4,095.
    static int keep(mailbox& mail, mail_channel* made);
    /// Waits a little for others, after a step of the engine that came to `last`; throws where a rank has
    /// left the mailbox.
    static void wait(mailbox& mail, progress last);
};

} // namespace weft
