#include <weft/detail/blocks/packed_message.hpp>

#include <algorithm>
#include <utility>

namespace weft::detail {

void packed_message::put_sender(std::int64_t sender, item_kind kind) {
    last_ = none;
    data_.reserve(usual_bytes_);
    sender_head const head{.kind = kind, .place = static_cast<std::uint32_t>(sender)};
    std::memcpy(data_.extend(sizeof head), &head, sizeof head);
    sender_ = sender;
    kind_ = kind;
}

std::byte* packed_message::begin_long(std::int64_t receiver, std::size_t bytes) {
    last_ = none;
    long_head const head{.place = receiver, .bytes = bytes};
    std::size_t const unaligned = (data_.size() + sizeof head) % run_list::alignment;
    std::size_t const skipped = (run_list::alignment - unaligned) % run_list::alignment;
    std::byte* const begin = data_.extend(sizeof head + skipped + filled_up(bytes));
    std::memcpy(begin, &head, sizeof head);
    std::memset(begin + sizeof head, 0, skipped);
    std::byte* const room = begin + sizeof head + skipped;
    std::memset(room + bytes, 0, filled_up(bytes) - bytes);
    return room;
}

buffer packed_message::take() {
    constexpr std::size_t much = 65536;
    usual_bytes_ = std::min(std::max(usual_bytes_, data_.size()), much);
    buffer taken = std::exchange(data_, {});
    clear();
    return taken;
}

void packed_message::clear() noexcept {
    data_.clear();
    sender_ = -1;
    kind_ = 0;
    last_ = none;
}

} // namespace weft::detail
