#include "radix_k.hpp"

#include <algorithm>
#include <utility>

namespace weft::limits {

namespace {

constexpr std::size_t segment_bytes = 128 * 1024;

std::size_t segments_of(element_range const& share, std::size_t element_bytes) {
    return std::max<std::size_t>((share.size() * element_bytes + segment_bytes - 1) / segment_bytes, 1);
}

} // namespace

radix_k::radix_k(communicator const& comm, std::vector<int> group_sizes)
    : comm_(native_handle(comm)), rank_(comm.rank()), group_sizes_(std::move(group_sizes)) {
}

element_range radix_k::run(std::span<std::byte> data, std::size_t element_bytes, array_operator& how) {
    element_range mine{0, data.size() / element_bytes};
    int stride = 1;
    for (int const size : group_sizes_) {
        mine = run_round(data, element_bytes, mine, size, stride, how);
        stride *= size;
    }
    return mine;
}

element_range radix_k::run_round(std::span<std::byte> data, std::size_t element_bytes, element_range mine,
    int size, int stride, array_operator& how) {
    int const me = rank_ / stride % size;
    auto const rank_of = [&](int member) { return rank_ + (member - me) * stride; };
    auto const share_of = [&](int member) {
        return mine.part(static_cast<std::size_t>(member), static_cast<std::size_t>(size));
    };
    element_range const kept = share_of(me);
    std::size_t const segments = segments_of(kept, element_bytes);
    auto const bytes_of = [&](element_range const& range) {
        return static_cast<int>(range.size() * element_bytes);
    };

    // Receives of all segments first, then sends, each beginning with the next member.
    std::size_t const share_bytes = kept.size() * element_bytes;
    room_.resize(std::max(room_.size(), share_bytes * static_cast<std::size_t>(size)));
    receives_.assign(static_cast<std::size_t>(size) * segments, MPI_REQUEST_NULL);
    sends_.clear();
    auto const room_of = [&](int member, element_range const& segment) {
        return room_.data() + static_cast<std::size_t>(member) * share_bytes +
               (segment.first - kept.first) * element_bytes;
    };
    for (std::size_t s = 0; s < segments; ++s)
        for (int member = 0; member < size; ++member) {
            if (member == me) continue;
            element_range const segment = kept.part(s, segments);
            MPI_Irecv(room_of(member, segment), bytes_of(segment), MPI_BYTE, rank_of(member), 0, comm_,
                &receives_[s * static_cast<std::size_t>(size) + static_cast<std::size_t>(member)]);
        }
    for (std::size_t s = 0;; ++s) {
        bool any = false;
        for (int step = 1; step < size; ++step) {
            int const member = (me + step) % size;
            element_range const share = share_of(member);
            std::size_t const theirs = segments_of(share, element_bytes);
            if (s >= theirs) continue;
            any = true;
            element_range const segment = share.part(s, theirs);
            MPI_Isend(data.data() + segment.first * element_bytes, bytes_of(segment), MPI_BYTE,
                rank_of(member), 0, comm_, &sends_.emplace_back());
        }
        if (!any) break;
    }
    for (std::size_t s = 0; s < segments; ++s) {
        MPI_Waitall(size, &receives_[s * static_cast<std::size_t>(size)], MPI_STATUSES_IGNORE);
        element_range const segment = kept.part(s, segments);
        std::byte* const into = data.data() + segment.first * element_bytes;
        for (int member = me - 1; member >= 0; --member)
            how.combine(into, room_of(member, segment), segment.size(), true);
        for (int member = me + 1; member < size; ++member)
            how.combine(into, room_of(member, segment), segment.size(), false);
    }
    MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
    return kept;
}

} // namespace weft::limits
