/// The counts of values that a simulated rank sends and handles, for the adversary. Private.
#pragma once

#include <transport/simulated_program.hpp>

#include <weft/extend/mailbox/mail_engine.hpp>

#include <cstdint>
#include <utility>

namespace weft {

/// Reports the values sent and handled since the last call to the simulated program, if there is one.
class told_items {
public:
    void tell(mail_engine const& mail) {
        if (program_ == nullptr || !program_->counts_items()) return;
        mailbox_counters const now = mail.counters();
        if (now.sent == sent_ && now.handled == handled_) return;
        std::int64_t const sent = now.sent - std::exchange(sent_, now.sent);
        program_->tell_of_items(sent, now.handled - std::exchange(handled_, now.handled));
    }

private:
    simulated_program* program_ = simulated_program::running();
    std::int64_t sent_ = 0; // as reported
    std::int64_t handled_ = 0;
};

} // namespace weft
