#include "petsc_star_forest.hpp"

#include "petsc_library.hpp"

#include <weft/mpi.hpp>

#include <vector>

namespace weft::tool {

namespace {

// The part of PETSc's interface that is used, as petscsf.h of 3.18 documents it; its integers have 32 bits.
struct forest;
struct root_of_leaf {
    int rank;
    int index;
};
constexpr int copy_values = 0; // PETSC_COPY_VALUES

struct functions {
    int (*create)(MPI_Comm, forest**) = petsc_function<decltype(create)>("PetscSFCreate");
    int (*set_graph)(forest*, int roots, int leaves, int* local, int, root_of_leaf* remote,
        int) = petsc_function<decltype(set_graph)>("PetscSFSetGraph");
    int (*set_up)(forest*) = petsc_function<decltype(set_up)>("PetscSFSetUp");
    int (*begin)(forest*, MPI_Datatype, void const*, void*, MPI_Op) = petsc_function<decltype(begin)>(
        "PetscSFBcastBegin");
    int (*end)(forest*, MPI_Datatype, void const*, void*, MPI_Op) = petsc_function<decltype(end)>(
        "PetscSFBcastEnd");
    int (*destroy)(forest**) = petsc_function<decltype(destroy)>("PetscSFDestroy");

    [[nodiscard]] bool complete() const {
        return create != nullptr && set_graph != nullptr && set_up != nullptr && begin != nullptr &&
               end != nullptr && destroy != nullptr;
    }
};

class star_forest final : public petsc_star_forest {
public:
    star_forest(functions const& petsc, communicator const& comm, block_distribution const& blocks,
        std::span<global_id const> ids)
        : petsc_(petsc), roots_(static_cast<int>(blocks.size(comm.rank()))), leaves_(ids.size()) {
        check_mpi(MPI_Comm_dup(native_handle(comm), &comm_), "MPI_Comm_dup");
        for (std::size_t i = 0; i < ids.size(); ++i) {
            int const owner = blocks.owner(ids[i]);
            leaves_[i] = {owner, static_cast<int>(ids[i] - blocks.begin(owner))};
        }
    }
    ~star_forest() override {
        if (made_ != nullptr) petsc_.destroy(&made_);
        MPI_Comm_free(&comm_);
    }

    void set_up() override {
        if (made_ != nullptr) petsc_.destroy(&made_);
        petsc_.create(comm_, &made_);
        petsc_.set_graph(made_, roots_, static_cast<int>(leaves_.size()), nullptr, copy_values,
            leaves_.data(), copy_values);
        petsc_.set_up(made_);
    }
    void exchange(std::span<std::int32_t const> block, std::span<std::int32_t> parts) override {
        petsc_.begin(made_, MPI_INT32_T, block.data(), parts.data(), MPI_REPLACE);
        petsc_.end(made_, MPI_INT32_T, block.data(), parts.data(), MPI_REPLACE);
    }

private:
    functions petsc_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    int roots_;
    std::vector<root_of_leaf> leaves_;
    forest* made_ = nullptr;
};

} // namespace

std::unique_ptr<petsc_star_forest> make_petsc_star_forest(
    communicator const& comm, block_distribution const& blocks, std::span<global_id const> ids) {
    functions const petsc;
    if (!petsc.complete()) return nullptr;
    return std::make_unique<star_forest>(petsc, comm, blocks, ids);
}

} // namespace weft::tool
