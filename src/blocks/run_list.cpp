#include <weft/detail/blocks/run_list.hpp>

#include <algorithm>
#include <utility>

namespace weft::detail {

std::size_t run_list::size() const noexcept {
    std::size_t count = 0;
    for (std::size_t position = 0; position < end(); position = at(position).next) ++count;
    return count;
}

std::size_t run_list::bytes() const noexcept {
    std::size_t sum = 0;
    for (block_run const& run : runs())
        if (run.kind != 0) sum += run.items.size();
    return sum;
}

void run_list::add(block_id peer, item_kind kind, blob bytes) {
    (void)begin(peer, kind, 0);
    put_blob(std::move(bytes));
}

/// Turns the last run, which is empty, into this blob.
void run_list::put_blob(blob&& bytes) {
    blobs_.push_back(std::move(bytes));
    auto const number = static_cast<std::uint32_t>(blobs_.size());
    std::memcpy(bytes_.extend(alignment), &number, sizeof number);
    head_at(last_).bytes = in_blob;
}

std::size_t run_list::open(block_id peer, item_kind kind) {
    bool goes_on = last_ < bytes_.size(); // the last run exists and was not removed
    if (goes_on) {
        head const& last = head_at(last_);
        goes_on = last.peer == peer && last.kind == kind && last.bytes <= most_bytes; // not a blob
    }
    if (!goes_on) (void)begin(peer, kind, 0);
    bytes_.resize(last_ + sizeof(head) + head_at(last_).bytes);
    return bytes_.size();
}

void run_list::close(std::size_t end) {
    std::size_t const first = last_ + sizeof(head);
    std::size_t const bytes = end - first;
    if (bytes <= most_bytes) {
        head_at(last_).bytes = static_cast<std::uint32_t>(bytes);
        bytes_.resize(first + filled_up(bytes));
        return;
    }
    buffer own;
    own.append(bytes_.data() + first, bytes);
    bytes_.resize(first);
    put_blob(blob::of(std::move(own)));
}

void run_list::move_in_all(run_list& from) {
    if (empty()) {
        clear();
        std::swap(*this, from);
        return;
    }
    for (block_run const& run : from.runs())
        if (run.kind != 0) move_in(run.peer, from, run);
    from.clear();
}

void run_list::order_by_peer() {
    if (turn_ == none) return;
    if (turn_ == many || last_peer_ >= head_at(0).peer) {
        order_anyhow();
        return;
    }
    // Often there are two ascending sequences, the second one of lower ids: then a rotation is enough.
    std::byte* const first = bytes_.data();
    std::byte few[4096];
    if (std::size_t const second = bytes_.size() - turn_; turn_ <= sizeof few) {
        std::memcpy(few, first, turn_);
        std::memmove(first, first + turn_, second);
        std::memcpy(first + second, few, turn_);
    } else {
        std::rotate(first, first + turn_, first + bytes_.size());
    }
    last_ = none;
    turn_ = many; // unknown from now on
}

void run_list::order_anyhow() {
    std::vector<block_run> ordered;
    ordered.reserve(size());
    for (block_run const& run : runs()) ordered.push_back(run);
    std::ranges::stable_sort(ordered, {}, &block_run::peer);
    buffer written;
    written.reserve(bytes_.size());
    for (block_run const& run : ordered) written.append(bytes_.data() + run.at, run.next - run.at);
    bytes_ = std::move(written);
    last_ = none;
    turn_ = many;
}

void run_list::drop_taken() {
    std::size_t first = 0;
    while (first < end() && head_at(first).kind != 0) first = at(first).next;
    if (first == end()) return;
    run_list kept;
    for (block_run const& run : runs())
        if (run.kind != 0) kept.move_in(run.peer, *this, run);
    std::swap(*this, kept);
}

} // namespace weft::detail
