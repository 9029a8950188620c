#include "block_halo.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace weft::limits {

block_halo::block_halo(communicator const& comm, std::vector<hop> const& hops, std::size_t bytes, way how)
    : bytes_(bytes) {
    check_mpi(MPI_Comm_dup(native_handle(comm), &duplicate_), "MPI_Comm_dup");
    int const me = comm.rank();
    // What goes to one rank lies side by side.
    std::map<int, std::vector<hop>> to;
    std::map<int, std::vector<hop>> from;
    for (hop const& each : hops) {
        if (each.from_rank == me) to[each.to_rank].push_back(each);
        if (each.to_rank == me) from[each.from_rank].push_back(each);
    }
    std::size_t sent = 0;
    std::size_t received = 0;
    for (auto const& [rank, each] : to) sent += each.size();
    for (auto const& [rank, each] : from) received += each.size();
    out_.resize(sent * bytes);
    in_.resize(received * bytes);

    auto const begin = [&](std::map<int, std::vector<hop>> const& peers, std::byte* data, auto&& init) {
        std::size_t at = 0;
        for (auto const& [rank, each] : peers) {
            if (rank == me) {
                at += each.size();
                continue;
            }
            std::size_t const a_message = how == way::message_a_rank_pair ? each.size() : 1;
            for (std::size_t i = 0; i < each.size(); i += a_message) {
                requests_.emplace_back();
                init(data + (at + i) * bytes, static_cast<int>(a_message * bytes), rank, static_cast<int>(i),
                    &requests_.back());
            }
            at += each.size();
        }
    };
    requests_.reserve(2 * hops.size());
    begin(from, in_.data(), [&](std::byte* data, int size, int rank, int tag, MPI_Request* request) {
        MPI_Recv_init(data, size, MPI_BYTE, rank, tag, duplicate_, request);
    });
    begin(to, out_.data(), [&](std::byte* data, int size, int rank, int tag, MPI_Request* request) {
        MPI_Send_init(data, size, MPI_BYTE, rank, tag, duplicate_, request);
    });
    std::size_t out_at = 0;
    for (auto const& [rank, each] : to) {
        if (rank == me) {
            std::size_t in_at = 0;
            for (auto const& [source, theirs] : from) {
                if (source == me)
                    for (std::size_t i = 0; i < each.size(); ++i)
                        local_.push_back({(out_at + i) * bytes, (in_at + i) * bytes});
                in_at += theirs.size();
            }
        }
        out_at += each.size();
    }
}

block_halo::~block_halo() {
    for (MPI_Request& each : requests_) MPI_Request_free(&each);
    MPI_Comm_free(&duplicate_);
}

void block_halo::round() {
    for (std::size_t at = 0; at < out_.size(); at += bytes_) std::memcpy(out_.data() + at, &at, sizeof at);
    MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
    for (piece const& each : local_) std::memcpy(in_.data() + each.to, out_.data() + each.from, bytes_);
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for (std::size_t at = 0; at < in_.size(); at += bytes_) {
        std::uint64_t word;
        std::memcpy(&word, in_.data() + at, sizeof word);
        sum_ += word;
    }
}

} // namespace weft::limits
