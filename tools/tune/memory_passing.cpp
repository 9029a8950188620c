#include "memory_passing.hpp"

#include <core/cache_lines.hpp>
#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/mpi_transport.hpp>

#include <atomic>
#include <span>

namespace weft::tool {

memory_passing::memory_passing(communicator const& comm)
    : comm_(comm), memory_(transport_of(comm).share(comm.topology(), sizeof(head) + bytes)), alone_(bytes) {
    if (!memory_) return;
    auto const core = static_cast<std::size_t>(comm.topology().core_of(comm.rank()));
    std::size_t const partner = core ^ 1;
    own_ = memory_.parts()[core];
    if (partner < memory_.parts().size()) other_ = memory_.parts()[partner];
}

void memory_passing::wait_for_partner() {
    ++steps_;
    std::atomic_ref(reinterpret_cast<head*>(own_)->steps).store(steps_, std::memory_order_release);
    std::atomic_ref const theirs(reinterpret_cast<head*>(other_)->steps);
    drive(backoff(64),
        [&] { return theirs.load(std::memory_order_acquire) >= steps_ ? progress::done : progress::none; });
}

void memory_passing::round(passing how) {
    if (other_ == nullptr) return;
    auto const words = [](std::byte* from) {
        return std::span(reinterpret_cast<std::uint64_t*>(from), bytes / sizeof(std::uint64_t));
    };
    auto const written = words(how == passing::none ? alone_.data() : own_ + sizeof(head));
    auto const read = words(how == passing::none ? alone_.data() : other_ + sizeof(head));
    for (std::uint64_t& each : written) each = steps_ + sum_;
    wait_for_partner();
    for (std::uint64_t const each : read) sum_ += each;
    if (how == passing::released) release_lines(other_ + sizeof(head), bytes);
    wait_for_partner();
}

} // namespace weft::tool
