/// The machine model that all ranks of a job share. Private.
#pragma once

#include "stored_choices.hpp"

#include <core/agreed_machine.hpp>

#include <weft/machine/machine_model.hpp>

#include <string>

namespace weft {

/// The machine model of all ranks, what was stored beside it, and what a person should hear about it.
struct agreed_machine {
    machine_model model;
    stored_choices choices;
    std::string warning; // empty if all is well
};

} // namespace weft
