#include "share_memory.hpp"

#include "left_names.hpp"

#include <core/expect_mpi.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

namespace weft {

namespace {

using object_name = std::array<char, 64>;

/// Returns a unique name: of this process, a counter and, since processes of several process namespaces may
/// share /dev/shm, the clock.
object_name new_name() {
    static std::atomic<std::uint64_t> made{0};
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    object_name name{};
    std::snprintf(name.data(), name.size(), "/%s%ld-%llu-%lx", shared_name_prefix,
        static_cast<long>(getpid()), static_cast<unsigned long long>(++made), now.tv_nsec);
    return name;
}

/// A descriptor, closed at the end; negative if there is none.
class descriptor {
public:
    explicit descriptor(int number) noexcept : number_(number) {}
    ~descriptor() {
        if (number_ >= 0) close(number_);
    }
    descriptor(descriptor const&) = delete;
    descriptor& operator=(descriptor const&) = delete;

    [[nodiscard]] bool open() const noexcept { return number_ >= 0; }
    /// Allocates bytes: otherwise the first touch could end the program. Returns 0 or the error.
    [[nodiscard]] int allocate(std::size_t bytes) const noexcept {
        return posix_fallocate(number_, 0, static_cast<off_t>(bytes));
    }
    /// Maps this number of bytes, which may be unallocated; returns null on failure.
    [[nodiscard]] std::byte* map(std::size_t bytes) const noexcept {
        if (!open()) return nullptr;
        void* const mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, number_, 0);
        return mapping == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapping);
    }

private:
    int number_;
};

/// Makes a new, empty object. The first call of a process removes names that killed jobs have left.
int create_object(object_name const& name) {
    static bool const swept = (sweep_left_names(), true);
    (void)swept;
    return shm_open(name.data(), O_CREAT | O_EXCL | O_RDWR, S_IRUSR | S_IWUSR);
}

/// The ranks of this node, by core, as far as the operating system lets them share memory. Frees its
/// communicator.
struct node_group {
    node_group(all_ranks_here, MPI_Comm comm, topology const& nodes) {
        MPI_Comm pretended = MPI_COMM_NULL;
        expect_mpi(MPI_Comm_split(comm, nodes.node(), nodes.core(), &pretended), "MPI_Comm_split");
        int const failed =
            MPI_Comm_split_type(pretended, MPI_COMM_TYPE_SHARED, nodes.core(), MPI_INFO_NULL, &group);
        int wanted = 0;
        int const counted = MPI_Comm_size(pretended, &wanted);
        MPI_Comm_free(&pretended);
        expect_mpi(failed, "MPI_Comm_split_type");
        expect_mpi(counted, "MPI_Comm_size");
        expect_mpi(MPI_Comm_size(group, &size), "MPI_Comm_size");
        expect_mpi(MPI_Comm_rank(group, &core), "MPI_Comm_rank");
        complete = size == wanted;
    }
    ~node_group() { MPI_Comm_free(&group); } // all_ranks_here: it lives within share_memory
    node_group(node_group const&) = delete;
    node_group& operator=(node_group const&) = delete;

    MPI_Comm group = MPI_COMM_NULL;
    int size = 0;
    int core = 0;
    bool complete = false; // false if a configured node spans several machines
};

} // namespace

shared_memory share_memory(all_ranks_here here, MPI_Comm comm, topology const& nodes, std::size_t bytes) {
    constexpr std::size_t page = 4096;
    std::size_t const part = (bytes + page - 1) / page * page;
    node_group const node(here, comm, nodes);
    std::size_t const total = part * static_cast<std::size_t>(node.size);

    // The object has a name only while it is empty, so a killed job leaves no memory behind.
    struct {
        object_name name;
        int failure;
    } created{};
    if (node.core == 0) created.name = new_name();
    descriptor const own(node.core == 0 ? create_object(created.name) : -1);
    if (node.core == 0 && !own.open()) created.failure = errno;
    int const told = MPI_Bcast(&created, sizeof created, MPI_BYTE, 0, node.group);
    bool const named = created.failure == 0;
    descriptor const others(
        told == MPI_SUCCESS && named && node.core != 0 ? shm_open(created.name.data(), O_RDWR, 0) : -1);
    int const opened = told == MPI_SUCCESS ? MPI_Barrier(node.group) : told;
    if (own.open()) {
        shm_unlink(created.name.data());
        created.failure = own.allocate(total);
    }
    expect_mpi(told, "MPI_Bcast");
    expect_mpi(opened, "MPI_Barrier");

    std::byte* const mapping = (node.core == 0 ? own : others).map(total);
    int const mine[2] = {mapping != nullptr && node.complete ? 1 : 0, -created.failure};
    int all[2] = {};
    int const code =
        MPI_Allreduce(mine, all, 2, MPI_INT, MPI_MIN, comm); // afterwards, the memory is allocated
    if (code != MPI_SUCCESS || all[0] == 0 || all[1] != 0) {
        if (mapping != nullptr) munmap(mapping, total);
        expect_mpi(code, "MPI_Allreduce");
        return shared_memory(all[1] != 0 ? std::string("/dev/shm: ") + std::strerror(-all[1])
                                         : "the ranks of a node cannot map the memory of each other");
    }
    return shared_memory(mapping, part, node.size);
}

} // namespace weft
