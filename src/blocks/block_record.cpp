#include "block_record.hpp"

#include <weft/core/error.hpp>

#include <cstring>
#include <string>

namespace weft {

namespace {

std::size_t filled_up(std::size_t bytes) noexcept {
    return (bytes + detail::run_list::alignment - 1) / detail::run_list::alignment *
           detail::run_list::alignment;
}

void fill_up(buffer& to, std::size_t since) {
    std::size_t const missing = filled_up(to.size() - since) - (to.size() - since);
    if (missing != 0) std::memset(to.extend(missing), 0, missing);
}

std::size_t append_runs(buffer& to, block_id block, detail::run_list const& runs) {
    std::size_t const before = to.size();
    for (detail::block_run const& run : runs.runs())
        if (run.kind != 0 && !run.items.empty())
            detail::local_blocks::put(
                to.extend(detail::local_blocks::wire_bytes(run.items.size())), block, run);
    return to.size() - before;
}

std::span<std::byte const> take_part(std::span<std::byte const>& from, std::uint64_t bytes) {
    if (bytes > from.size() || filled_up(static_cast<std::size_t>(bytes)) > from.size())
        throw wire_error(
            "blocks: the record of a block ends within a part of " + std::to_string(bytes) + " bytes");
    std::span<std::byte const> const part = from.first(static_cast<std::size_t>(bytes));
    from = from.subspan(filled_up(part.size()));
    return part;
}

void restore(detail::run_list& into, std::span<std::byte const> bytes) {
    detail::wire_run head;
    std::span<std::byte const> items;
    for (detail::wire_runs reader(bytes); reader.next(head, items);)
        into.add(block_id{head.to}, head.kind, items);
}

} // namespace

void append_record(
    buffer& to, detail::block_queues const& queues, block_storage& storage, std::size_t place) {
    std::size_t const start = to.size();
    block_record_head head{};
    to.extend(sizeof head);
    head.block = index_of(queues.id);
    head.neighbors = queues.neighbors.size();
    to.append(queues.neighbors.ids().data(), queues.neighbors.ids().size_bytes());
    fill_up(to, start);
    std::size_t const image = to.size();
    storage.append_image(place, to);
    head.image_bytes = to.size() - image;
    fill_up(to, start);
    head.in_bytes = append_runs(to, queues.id, queues.in) + append_runs(to, queues.id, queues.pending);
    head.out_bytes = append_runs(to, queues.id, queues.out);
    head.sent = queues.sent;
    head.seconds = storage.seconds(place);
    std::memcpy(to.data() + start, &head, sizeof head);
}

block_record take_record(std::span<std::byte const>& from) {
    block_record_head head;
    if (from.size() < sizeof head) throw wire_error("blocks: the record of a block ends within its head");
    std::memcpy(&head, from.data(), sizeof head);
    from = from.subspan(sizeof head);
    if (head.neighbors > from.size() / sizeof(block_id))
        throw wire_error("blocks: the record of a block ends within its link");
    block_record result;
    result.block = block_id{head.block};
    std::span<std::byte const> const ids = take_part(from, head.neighbors * sizeof(block_id));
    result.neighbors.resize(static_cast<std::size_t>(head.neighbors));
    if (!ids.empty()) std::memcpy(result.neighbors.data(), ids.data(), ids.size());
    result.image = take_part(from, head.image_bytes);
    result.in = take_part(from, head.in_bytes);
    result.out = take_part(from, head.out_bytes);
    result.sent = head.sent;
    result.seconds = head.seconds;
    return result;
}

void restore_messages(detail::block_queues& queues, block_record const& from) {
    restore(queues.in, from.in);
    restore(queues.out, from.out);
    queues.sent = from.sent;
}

} // namespace weft
