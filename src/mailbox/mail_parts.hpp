/// The parts of the engine of a mailbox. Private.
#pragma once

#include "channel_list.hpp"
#include "incoming_mail.hpp"
#include "long_transfers.hpp"
#include "mail_router.hpp"
#include "outgoing_mail.hpp"
#include "phase_end.hpp"

#include <weft/core/buffer.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>

#include <cstddef>
#include <cstdint>

namespace weft {

/// The parts. Each may use those before it.
struct mail_engine::parts {
    parts(transport& via, mail_setup&& given);

    mail_setup setup;
    buffer own_memory; ///< for this rank's rings, if no memory is shared
    channel_list channels;
    phase_end end;
    outgoing_mail out;
    long_transfers longs;
    mail_router router;
    incoming_mail in;
    std::uint64_t long_messages_sent = 0;
    mailbox_counters counted; ///< as last added to `setup.count`

private:
    /// Returns this rank's part of the memory of the rings.
    [[nodiscard]] std::byte* own_part();
};

} // namespace weft
