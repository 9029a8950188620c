#include "bulk_all_to_all.hpp"

#include <weft/mpi.hpp>

#include <numeric>

namespace weft::limits {

namespace {

/// An item as one element of MPI's, so that counts are those of items.
class item_type {
public:
    explicit item_type(std::size_t bytes) {
        check_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_), "MPI_Type_contiguous");
        check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
    }
    ~item_type() { MPI_Type_free(&type_); }
    item_type(item_type const&) = delete;
    item_type& operator=(item_type const&) = delete;

    [[nodiscard]] MPI_Datatype get() const noexcept { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

} // namespace

bulk_counts::bulk_counts(communicator const& comm)
    : to_send(static_cast<std::size_t>(comm.size())),
      send_start(to_send.size()),
      comm_(comm),
      to_receive_(to_send.size()),
      receive_start_(to_send.size()) {
}

std::size_t bulk_counts::most_batches(std::size_t mine) const {
    std::uint64_t most = mine;
    check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, native_handle(comm_)), "MPI_Allreduce");
    return most;
}

void bulk_counts::place() {
    std::exclusive_scan(to_send.begin(), to_send.end(), send_start.begin(), 0);
}

std::size_t bulk_counts::exchange_counts() {
    check_mpi(MPI_Alltoall(to_send.data(), 1, MPI_INT, to_receive_.data(), 1, MPI_INT, native_handle(comm_)),
        "MPI_Alltoall");
    std::exclusive_scan(to_receive_.begin(), to_receive_.end(), receive_start_.begin(), 0);
    return static_cast<std::size_t>(receive_start_.back() + to_receive_.back());
}

void bulk_counts::exchange_items(void const* out, void* in, std::size_t item_bytes) const {
    item_type const type(item_bytes);
    check_mpi(MPI_Alltoallv(out, to_send.data(), send_start.data(), type.get(), in, to_receive_.data(),
                  receive_start_.data(), type.get(), native_handle(comm_)),
        "MPI_Alltoallv");
}

void bulk_counts::return_items(void const* out, void* in, std::size_t item_bytes) const {
    item_type const type(item_bytes);
    check_mpi(MPI_Alltoallv(out, to_receive_.data(), receive_start_.data(), type.get(), in, to_send.data(),
                  send_start.data(), type.get(), native_handle(comm_)),
        "MPI_Alltoallv");
}

void bulk_gather::run(std::span<std::uint64_t const> indices, std::span<std::uint64_t const> part,
    int log_part, std::span<std::uint64_t> result) {
    std::size_t const batches = counts_.most_batches((indices.size() + batch_ - 1) / batch_);
    for (std::size_t i = 0; i < batches; ++i) {
        std::size_t const first = std::min(i * batch_, indices.size());
        std::size_t const size = std::min(batch_, indices.size() - first);
        gather_batch(indices.subspan(first, size), part, log_part, result.data() + first);
    }
}

void bulk_gather::gather_batch(std::span<std::uint64_t const> indices, std::span<std::uint64_t const> part,
    int log_part, std::uint64_t* result) {
    std::ranges::fill(counts_.to_send, 0);
    for (std::uint64_t const index : indices) ++counts_.to_send[index >> log_part];
    counts_.place();
    cursors_ = counts_.send_start;
    requests_.resize(indices.size());
    replies_.resize(indices.size());
    places_.resize(indices.size());
    std::uint64_t const within = (std::uint64_t{1} << log_part) - 1;
    int* const cursors = cursors_.data();
    for (std::size_t i = 0; i < indices.size(); ++i) {
        int const place = cursors[indices[i] >> log_part]++;
        places_[i] = place;
        requests_[static_cast<std::size_t>(place)] = indices[i] & within;
    }
    incoming_.resize(counts_.exchange_counts());
    counts_.exchange_items(requests_.data(), incoming_.data(), sizeof(std::uint64_t));
    for (std::uint64_t& request : incoming_) request = part[request];
    counts_.return_items(incoming_.data(), replies_.data(), sizeof(std::uint64_t));
    for (std::size_t i = 0; i < indices.size(); ++i)
        result[i] = replies_[static_cast<std::size_t>(places_[i])];
}

} // namespace weft::limits
