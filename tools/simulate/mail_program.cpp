#include "mail_program.hpp"

#include <algorithm>

namespace weft::tool {

mail_setup simulated_mail(transport& via, topology const& nodes, simulated_mailbox const& what) {
    mail_setup made{
        .nodes = &nodes, .how = what.how, .sizes = {nodes, what.how, what.buffer_bytes, what.shares_memory}};
    if (what.shares_memory) made.memory = via.share(nodes, made.sizes.shared_bytes());
    for (int i = 0; i < 3; ++i) made.tags[i] = i;
    made.control_tag = 3;
    made.grows = true;
    made.termination = what.termination;
    return made;
}

mail_program::mail_program(
    simulated_machine& machine, topology const& nodes, int rank, mail_stream const& what)
    : machine_(machine),
      rank_(rank),
      what_(what),
      batch_end_(std::min(what.items, what.batch)),
      nodes_(nodes.seen_by(rank)),
      next_(what.seed * 1'000'003 + static_cast<std::uint64_t>(rank)),
      mail_(machine.at(rank), simulated_mail(machine.at(rank), nodes_, what.mailbox)),
      receiver_([this](std::span<std::uint64_t const> batch) {
          handled_ += static_cast<std::int64_t>(batch.size());
          machine_.compute(rank_, what_.handle_seconds * static_cast<double>(batch.size()));
      }),
      channel_(mail_.add(receiver_)) {
}

progress mail_program::step() {
    if (sent_ < batch_end_) return send_some();
    mail_.set_drains(true);
    progress const now = mail_.step();
    if (!mail_.is_quiet()) return now;
    mail_.begin_next_phase();
    mail_.set_drains(false);
    if (sent_ == what_.items) return progress::done;
    batch_end_ = std::min(what_.items, batch_end_ + what_.batch);
    return progress::some;
}

/// Sends until a buffer is full or some hundred items are written, as far as there is room.
progress mail_program::send_some() {
    constexpr std::int64_t most = 256;
    std::uint64_t const key = mail_.key_of(channel_);
    std::int64_t const end = std::min(batch_end_, sent_ + most);
    std::int64_t const before = sent_;
    for (; sent_ < end; ++sent_) {
        if (!drawn_) destination_ = static_cast<std::size_t>(next_() % static_cast<unsigned>(mail_.size()));
        drawn_ = true;
        std::byte* const room = mail_.try_room(destination_, key, sizeof(std::uint64_t));
        if (room == nullptr) break;
        mail_.cursor_at(destination_).next += sizeof(std::uint64_t);
        drawn_ = false;
    }
    machine_.compute(rank_, what_.send_seconds * static_cast<double>(sent_ - before));
    progress const received = mail_.receive();
    return sent_ == before ? received : progress::some;
}

} // namespace weft::tool
