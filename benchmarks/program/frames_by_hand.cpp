#include "frames_by_hand.hpp"

#include <weft/mpi.hpp>

#include <numeric>

namespace weft::tool {

namespace {

std::vector<int> begins_of(std::vector<int> const& counts) {
    std::vector<int> begins(counts.size() + 1);
    std::partial_sum(counts.begin(), counts.end(), begins.begin() + 1);
    return begins;
}

} // namespace

frames_by_hand::frames_by_hand(
    communicator const& comm, block_distribution const& blocks, std::span<global_id const> ids)
    : comm_(comm), asked_counts_(static_cast<std::size_t>(comm.size())), given_counts_(asked_counts_) {
    std::vector<int> owners(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        owners[i] = blocks.owner(ids[i]);
        ++asked_counts_[static_cast<std::size_t>(owners[i])];
    }
    asked_begins_ = begins_of(asked_counts_);
    std::vector<int> next = asked_begins_;
    std::vector<std::uint32_t> asked(ids.size());
    order_.resize(ids.size());
    std::vector<global_id> const bounds = blocks.bounds();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto const owner = static_cast<std::size_t>(owners[i]);
        auto const at = static_cast<std::size_t>(next[owner]++);
        order_[at] = static_cast<std::uint32_t>(i);
        asked[at] = static_cast<std::uint32_t>(ids[i] - bounds[owner]);
    }
    check_mpi(
        MPI_Alltoall(asked_counts_.data(), 1, MPI_INT, given_counts_.data(), 1, MPI_INT, native_handle(comm)),
        "MPI_Alltoall");
    given_begins_ = begins_of(given_counts_);
    wanted_.resize(static_cast<std::size_t>(given_begins_.back()));
    check_mpi(
        MPI_Alltoallv(asked.data(), asked_counts_.data(), asked_begins_.data(), MPI_UINT32_T, wanted_.data(),
            given_counts_.data(), given_begins_.data(), MPI_UINT32_T, native_handle(comm)),
        "MPI_Alltoallv");
    out_.resize(wanted_.size());
    in_.resize(ids.size());
}

void frames_by_hand::exchange_packed() {
    check_mpi(MPI_Alltoallv(out_.data(), given_counts_.data(), given_begins_.data(), MPI_INT32_T, in_.data(),
                  asked_counts_.data(), asked_begins_.data(), MPI_INT32_T, native_handle(comm_)),
        "MPI_Alltoallv");
}

void frames_by_hand::exchange(std::span<std::int32_t const> block, std::span<std::int32_t> parts) {
    for (std::size_t i = 0; i < wanted_.size(); ++i) out_[i] = block[wanted_[i]];
    exchange_packed();
    for (std::size_t i = 0; i < order_.size(); ++i) parts[order_[i]] = in_[i];
}

void frames_by_hand::gather(std::span<std::int32_t const> block, std::span<std::int32_t> parts) const {
    for (std::size_t i = 0; i < wanted_.size(); ++i) parts[i] = block[wanted_[i]];
}

} // namespace weft::tool
