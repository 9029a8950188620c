/// What docs/coming_from/raw_mpi.md starts from: who sends to me, by MPI_Alltoall and MPI_Alltoallv, and by
/// the nonblocking consensus as textbooks have it. Run: mpirun -n 4 example_coming_from_raw_mpi
#include <mpi.h>

#include <cstdio>
#include <numeric>
#include <vector>

namespace {

// [alltoallv]
std::vector<int> by_alltoallv(std::vector<std::vector<int>> const& to, MPI_Comm comm) {
    int const size = static_cast<int>(to.size());
    std::vector<int> counts(to.size()), starts(to.size()), heard(to.size()), places(to.size());
    std::vector<int> out;
    for (int rank = 0; rank < size; ++rank) {
        starts[rank] = static_cast<int>(out.size());
        counts[rank] = static_cast<int>(to[rank].size());
        out.insert(out.end(), to[rank].begin(), to[rank].end());
    }
    MPI_Alltoall(counts.data(), 1, MPI_INT, heard.data(), 1, MPI_INT, comm);
    std::exclusive_scan(heard.begin(), heard.end(), places.begin(), 0);
    std::vector<int> in(static_cast<std::size_t>(places.back() + heard.back()));
    MPI_Alltoallv(out.data(), counts.data(), starts.data(), MPI_INT, in.data(), heard.data(), places.data(),
        MPI_INT, comm);
    return in; // 2^31 items at most; O(P) memory and time, however few neighbours there are
}
// [alltoallv]

// [nbx]
std::vector<int> by_nbx(std::vector<std::vector<int>> const& to, MPI_Comm comm, int tag) {
    std::vector<MPI_Request> sends;
    for (int rank = 0; rank < static_cast<int>(to.size()); ++rank)
        if (!to[rank].empty())
            MPI_Issend(to[rank].data(), static_cast<int>(to[rank].size()), MPI_INT, rank, tag, comm,
                &sends.emplace_back());
    std::vector<int> in;
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (int inside = 0, done = 0; !done;) {
        int here = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &here, &status);
        if (here) {
            int items = 0;
            MPI_Get_count(&status, MPI_INT, &items);
            in.resize(in.size() + static_cast<std::size_t>(items));
            MPI_Recv(in.data() + in.size() - items, items, MPI_INT, status.MPI_SOURCE, tag, comm,
                MPI_STATUS_IGNORE);
        }
        if (inside) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(static_cast<int>(sends.size()), sends.data(), &inside, MPI_STATUSES_IGNORE);
            if (inside) MPI_Ibarrier(comm, &barrier);
        }
    }
    return in; // in the order of arrival, and with the same tag twice in a row rounds mix
}
// [nbx]

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<std::vector<int>> to(static_cast<std::size_t>(size));
    for (int d = 1; d * d <= size; ++d) to[(rank + d * d) % size].push_back(d);
    auto const sum = [](std::vector<int> const& items) {
        return std::accumulate(items.begin(), items.end(), 0);
    };
    std::printf("rank %d hears %d by Alltoallv and %d by NBX\n", rank, sum(by_alltoallv(to, MPI_COMM_WORLD)),
        sum(by_nbx(to, MPI_COMM_WORLD, 7)));
    MPI_Finalize();
}
