#include "tell_round.hpp"

#include <weft/extend/core/attachment.hpp>
#include <weft/graph/rounds.hpp>

#include <utility>

namespace weft {

namespace {

struct heard_rounds {
    round_listener const* by = nullptr;
};

} // namespace

round_watch::round_watch(communicator const& comm, round_listener listener)
    : comm_(comm), listener_(std::move(listener)), before_(attachment<heard_rounds>(comm).by) {
    attachment<heard_rounds>(comm).by = listener_ ? &listener_ : nullptr;
}

round_watch::~round_watch() {
    attachment<heard_rounds>(comm_).by = before_;
}

void tell_round(communicator const& comm, std::int64_t done, std::int64_t all) noexcept {
    if (round_listener const* const by = attachment<heard_rounds>(comm).by) (*by)(done, all);
}

} // namespace weft
