/// Access to the engine of a mailbox, for channels of other kinds.
#pragma once

#include <weft/extend/mailbox/mail_channel.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/protocol/engine.hpp>

namespace weft {

class mailbox;

/// Gives access to the parts of a mailbox. All members are local.
struct mailbox_parts {
    /// Returns the engine of a mailbox.
    [[nodiscard]] static mail_engine& engine(mailbox& mail) noexcept;
    /// Takes over a channel and returns its number. All ranks make the same channels in the same order.
    /// Throws: `usage_error` beyond 4,095 channels.
    static int keep(mailbox& mail, mail_channel* made);
    /// Waits briefly for other ranks, after a step of the engine with the result `last`; throws if a rank has
    /// left the mailbox.
    static void wait(mailbox& mail, progress last);
};

} // namespace weft
