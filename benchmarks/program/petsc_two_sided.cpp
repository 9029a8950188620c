/// PETSc's sparse exchange.
#include "petsc_library.hpp"
#include "raw_exchange.hpp"

#include <cstring>

namespace weft::tool {

namespace {

// The part of PETSc's interface that is used, as petscsys.h of 3.x documents it.
using two_sided_function = int (*)(MPI_Comm, int count, MPI_Datatype, int to_count, int const* to,
    void const* to_data, int* from_count, int** from, void* from_data);
using free_function = int (*)(void*, int line, char const* function, char const* file);

class petsc_two_sided final : public raw_exchange {
public:
    petsc_two_sided(communicator const& comm, two_sided_function exchange, free_function const* release)
        : exchange_(exchange), release_(release) {
        check_mpi(MPI_Comm_dup(native_handle(comm), &comm_), "MPI_Comm_dup");
    }
    ~petsc_two_sided() override { MPI_Comm_free(&comm_); }

    void round(std::span<raw_message const> messages, std::span<std::byte const> payload) override {
        // PETSc wants the data of all targets one after the other.
        data_.resize(messages.size() * payload.size());
        targets_.clear();
        for (std::size_t i = 0; i < messages.size(); ++i) {
            std::memcpy(data_.data() + i * payload.size(), payload.data(), payload.size());
            targets_.push_back(messages[i].target);
        }
        int sources = 0;
        int* from = nullptr;
        void* received = nullptr;
        exchange_(comm_, static_cast<int>(payload.size()), MPI_BYTE, static_cast<int>(targets_.size()),
            targets_.data(), data_.data(), &sources, &from, static_cast<void*>(&received));
        (*release_)(from, __LINE__, "round", __FILE__);
        (*release_)(received, __LINE__, "round", __FILE__);
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    two_sided_function exchange_;
    free_function const* release_; // PETSc's variable: set when it is initialised
    std::vector<std::byte> data_;
    std::vector<int> targets_;
};

} // namespace

std::unique_ptr<raw_exchange> make_petsc_two_sided(communicator const& comm) {
    auto const exchange = petsc_function<two_sided_function>("PetscCommBuildTwoSided");
    auto const* const release = static_cast<free_function const*>(petsc_symbol("PetscTrFree"));
    if (exchange == nullptr || release == nullptr) return nullptr;
    return std::make_unique<petsc_two_sided>(comm, exchange, release);
}

} // namespace weft::tool
