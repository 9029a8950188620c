#include <weft/blocks/run_list.hpp>

#include <algorithm>

namespace weft {

std::size_t run_list::bytes() const noexcept {
    std::size_t sum = 0;
    for (block_run const& run : runs_)
        if (run.kind != 0) sum += run.bytes;
    return sum;
}

void run_list::add(block_id peer, item_kind kind, blob bytes) {
    std::size_t const size = bytes.bytes().size();
    blobs_.push_back(std::move(bytes));
    runs_.push_back({peer, kind, static_cast<std::uint32_t>(blobs_.size()), 0, size});
}

void run_list::move_in_all(run_list& from) {
    if (empty()) {
        clear();
        std::swap(*this, from);
        return;
    }
    runs_.reserve(runs_.size() + from.runs_.size());
    for (block_run const& run : from.runs_)
        if (run.kind != 0) move_in(run.peer, from, run);
    from.clear();
}

void run_list::order_by_peer() {
    auto const by_peer = [](block_run const& a, block_run const& b) { return a.peer < b.peer; };
    auto const middle = std::ranges::is_sorted_until(runs_, by_peer);
    if (middle == runs_.end()) return;
    // Often those of this rank and then those of a lower one, each in order: then turning them round is all.
    bool const turned = std::is_sorted(middle, runs_.end(), by_peer) && by_peer(runs_.back(), runs_.front());
    if (turned)
        std::rotate(runs_.begin(), middle, runs_.end());
    else
        std::ranges::stable_sort(runs_, by_peer);
}

void run_list::drop_taken() {
    auto const taken = [](block_run const& run) { return run.kind == 0; };
    auto const left = std::ranges::count_if(runs_, [&](block_run const& run) { return !taken(run); });
    if (left == 0) {
        clear();
        return;
    }
    if (static_cast<std::size_t>(left) == runs_.size()) return;
    run_list kept;
    for (block_run const& run : runs_)
        if (!taken(run)) kept.move_in(run.peer, *this, run);
    std::swap(*this, kept);
}

} // namespace weft
