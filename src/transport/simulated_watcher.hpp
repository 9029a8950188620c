/// A view of all messages of a simulated machine. Private.
#pragma once

#include "deviations.hpp"
#include "simulated_rank.hpp"

#include <cstdint>

namespace weft {

class simulated_machine;

/// Is told what the messages and the processors of a simulated machine do. May let a rank compute before it
/// takes a message in.
class simulated_watcher {
public:
    simulated_watcher() = default;
    simulated_watcher(simulated_watcher const&) = delete;
    simulated_watcher& operator=(simulated_watcher const&) = delete;
    virtual ~simulated_watcher() = default;

    /// To be called before the machine runs. `whose` must live as long, and so must `also`, deviations from
    /// the usual order by the number of messages that have left before; null: none.
    static void watch(simulated_machine& machine, simulated_watcher& whose, deviations* also);

    /// A message leaves its sender. Until it is received, it has this number, which others get later.
    virtual void leaves(std::uint32_t number, simulated_message const& message, double at) = 0;
    /// The last byte is at the receiver, which has done nothing with it.
    virtual void arrives(std::uint32_t number, double at) = 0;
    /// The receiver has taken the message; not told of what the network takes in itself.
    virtual void is_received(std::uint32_t number, double at) = 0;
    /// The receiver of `message` answers its sender. Not counted among those that leave.
    virtual void answers(simulated_message const& message, double leaves, double arrives) = 0;
    /// A processor is busy.
    virtual void works(int rank, double begin, double end) = 0;
};

} // namespace weft
