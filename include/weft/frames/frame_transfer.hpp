/// Selects how values are sent between blocks and parts.
#pragma once

namespace weft {

/// Selects the way in which values are sent between blocks and parts.
enum class frame_transfer {
    automatic,  ///< chooses `shared`, `plan` or `sparse` by the machine model; for lists always `sparse`
    plan,       ///< one message to each neighbour, through an `exchange_plan`; lists are sent as by `sparse`
    shared,     ///< through memory that the ranks of a node share; the same as `plan` without shared memory
    sparse,     ///< a sparse exchange by the protocol that the model of the machine chooses
    collective, ///< every rank first tells every other rank how much it sends: `protocol::pex`
};

/// Returns the name of a way to send values, such as "plan". Local.
[[nodiscard]] char const* name_of(frame_transfer how) noexcept;

} // namespace weft
