#include "raw_exchange.hpp"

#include <numeric>

namespace weft::tool {

namespace {

using bytes = std::vector<std::byte>;

class raw_nbx final : public raw_exchange {
public:
    explicit raw_nbx(communicator const& comm) {
        check_mpi(MPI_Comm_dup(native_handle(comm), &comm_), "MPI_Comm_dup");
    }
    ~raw_nbx() override { MPI_Comm_free(&comm_); }

    void round(std::span<raw_message const> messages, std::span<std::byte const> payload) override {
        int const tag = parity_ ^= 1;
        std::vector<MPI_Request> sends(messages.size());
        for (std::size_t i = 0; i < messages.size(); ++i)
            MPI_Issend(payload.data(), static_cast<int>(messages[i].bytes), MPI_BYTE, messages[i].target, tag,
                comm_, &sends[i]);
        std::vector<bytes> received;
        MPI_Request barrier = MPI_REQUEST_NULL;
        for (bool in_barrier = false;;) {
            int found = 0;
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &found, &status);
            if (found != 0) {
                int count = 0;
                MPI_Get_count(&status, MPI_BYTE, &count);
                bytes& message = received.emplace_back(static_cast<std::size_t>(count));
                MPI_Recv(message.data(), count, MPI_BYTE, status.MPI_SOURCE, tag, comm_, MPI_STATUS_IGNORE);
            }
            int complete = 0;
            if (in_barrier) {
                MPI_Test(&barrier, &complete, MPI_STATUS_IGNORE);
                if (complete != 0) return;
            } else {
                MPI_Testall(static_cast<int>(sends.size()), sends.data(), &complete, MPI_STATUSES_IGNORE);
                if (complete == 0) continue;
                MPI_Ibarrier(comm_, &barrier);
                in_barrier = true;
            }
        }
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    int parity_ = 0;
};

class raw_alltoallv final : public raw_exchange {
public:
    explicit raw_alltoallv(communicator const& comm) : comm_(comm) {}

    void round(std::span<raw_message const> messages, std::span<std::byte const> payload) override {
        MPI_Comm const comm = native_handle(comm_);
        auto const ranks = static_cast<std::size_t>(comm_.size());
        std::vector<int> send_counts(ranks), send_offsets(ranks), receive_counts(ranks),
            receive_offsets(ranks);
        for (raw_message const& each : messages)
            send_counts[static_cast<std::size_t>(each.target)] = static_cast<int>(each.bytes);
        MPI_Alltoall(send_counts.data(), 1, MPI_INT, receive_counts.data(), 1, MPI_INT, comm);
        std::exclusive_scan(receive_counts.begin(), receive_counts.end(), receive_offsets.begin(), 0);
        bytes received(static_cast<std::size_t>(receive_offsets.back() + receive_counts.back()));
        // Every target gets the beginning of the same payload, so all offsets may be zero.
        MPI_Alltoallv(payload.data(), send_counts.data(), send_offsets.data(), MPI_BYTE, received.data(),
            receive_counts.data(), receive_offsets.data(), MPI_BYTE, comm);
    }

private:
    communicator comm_;
};

} // namespace

std::unique_ptr<raw_exchange> make_raw_nbx(communicator const& comm) {
    return std::make_unique<raw_nbx>(comm);
}

std::unique_ptr<raw_exchange> make_raw_alltoallv(communicator const& comm) {
    return std::make_unique<raw_alltoallv>(comm);
}

} // namespace weft::tool
