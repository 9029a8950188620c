#include <weft/mailbox/channel.hpp>

#include <algorithm>
#include <string>

namespace weft::detail {

void no_such_rank(int rank, int size) {
    throw usage_error(
        "mailbox: there is no rank " + std::to_string(rank) + "; ranks are 0.." + std::to_string(size - 1));
}

void no_such_rank_among(std::span<int const> ranks, int size) {
    auto const bad = std::ranges::find_if(ranks, [&](int each) { return each < 0 || each >= size; });
    no_such_rank(*bad, size);
}

void came_for_a_closed_channel() {
    throw usage_error("mailbox: a message is for a channel that this rank has closed");
}

void send_message(mail_engine& mail, int destination, int channel, std::span<std::byte const> message) {
    std::size_t const room = message_room(message.size());
    if (room > mail.longest_item()) {
        mail.send_long(destination, channel, message);
        return;
    }
    put_message(mail.room(static_cast<std::size_t>(destination), mail.key_of(channel), room), message);
    mail.cursor_at(static_cast<std::size_t>(destination)).next += room;
}

void broadcast_message(mail_engine& mail, int channel, std::span<std::byte const> message) {
    std::size_t const room = message_room(message.size());
    if (room > mail.longest_item()) {
        mail.broadcast_long(channel, message);
        return;
    }
    buffer run(room);
    put_message(run.data(), message);
    mail.broadcast(channel, run.bytes());
}

} // namespace weft::detail
