/// Selects how frame values are sent.
#pragma once

namespace weft {

/// Selects the way in which values of a frame are sent.
enum class frame_transfer {
    automatic,  ///< chooses `shared`, `plan` or `sparse` by the machine model; for lists always `sparse`
    plan,       ///< one message between neighbours, through an `exchange_plan`; for values of one size
    shared,     ///< through memory that the ranks of a node share; without shared memory as `plan`
    sparse,     ///< a sparse exchange by the protocol that the model of the machine chooses
    collective, ///< every rank first tells every other rank how much it sends: `protocol::pex`
};

/// Returns the name of a transfer, such as "plan". Local.
[[nodiscard]] char const* name_of(frame_transfer how) noexcept;

} // namespace weft
