/// The machine model shared by all ranks of a job. Private.
#pragma once

#include "stored_choices.hpp"

#include <core/agreed_machine.hpp>

#include <weft/machine/machine_model.hpp>

#include <string>

namespace weft {

/// The machine model of all ranks, the choices stored beside it, and a warning for the user.
struct agreed_machine {
    machine_model model;
    stored_choices choices;
    std::string warning; // empty if all is well
};

} // namespace weft
