#include "flag_round.hpp"

#include "patience.hpp"

namespace weft::limits {

flag_round::flag_round(communicator const& comm)
    : memory_(comm, cache_line), mine_(reinterpret_cast<flag*>(memory_.of(comm.rank()))) {
    for (int i = 1; i < comm.size(); ++i)
        others_.push_back(reinterpret_cast<flag const*>(memory_.of((comm.rank() + i) % comm.size())));
}

void flag_round::round() noexcept {
    mine_->store(++round_, std::memory_order_release);
    patience waiting;
    for (flag const* const other : others_)
        while (other->load(std::memory_order_acquire) < round_) waiting.wait();
}

} // namespace weft::limits
