/// PetscSF, which moves values between roots and leaves as blocks and parts do.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace weft::tool {

class petsc_star_forest {
public:
    virtual ~petsc_star_forest() = default;
    /// From the owners and places of ids, which are found before: only PetscSF's own set-up. Collective.
    virtual void set_up() = 0;
    /// Collective.
    virtual void exchange(std::span<std::int32_t const> block, std::span<std::int32_t> parts) = 0;
};

/// Null where PETSc is not installed. Collective.
[[nodiscard]] std::unique_ptr<petsc_star_forest> make_petsc_star_forest(
    communicator const& comm, block_distribution const& blocks, std::span<global_id const> ids);

} // namespace weft::tool
