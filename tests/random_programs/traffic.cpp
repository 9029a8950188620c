#include "traffic.hpp"

#include "session.hpp"

namespace random_programs {

void brittle::throw_poison(int operation_number) {
    throw planned_fault(poison_text(operation_number));
}

} // namespace random_programs
