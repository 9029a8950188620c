/// The values that a rank of a simulated program sends and handles, counted for the adversary. Private.
#pragma once

#include <transport/simulated_program.hpp>

#include <weft/extend/mailbox/mail_engine.hpp>

#include <cstdint>
#include <utility>

namespace weft {

/// Tells the simulated program of values that went through one engine since the last time; elsewhere nothing.
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
    std::int64_t sent_ = 0; // told
    std::int64_t handled_ = 0;
};

} // namespace weft
