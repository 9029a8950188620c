#include <weft/detail/blocks/packed_message.hpp>

#include <algorithm>
#include <utility>

namespace weft::detail {

void packed_message::put_sender(std::int64_t sender, item_kind kind) {
    data_.reserve(usual_bytes_);
    sender_ = sender;
    kind_ = kind;
    sender_head const head{.kind = kind, .place = static_cast<std::uint32_t>(sender)};
    std::memcpy(data_.extend(sizeof head), &head, sizeof head);
}

std::byte* packed_message::begin_long(std::int64_t receiver, std::size_t bytes) {
    last_ = none;
    long_head const head{.place = receiver, .bytes = bytes};
    std::memcpy(data_.extend(sizeof head), &head, sizeof head);
    std::size_t const skipped =
        (run_list::alignment - data_.size() % run_list::alignment) % run_list::alignment;
    std::memset(data_.extend(skipped), 0, skipped);
    std::byte* const room = data_.extend(filled_up(bytes));
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
