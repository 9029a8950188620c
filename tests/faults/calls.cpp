#include "call.hpp"

namespace faults {

std::vector<call> all_calls() {
    std::vector<call> all;
    for (auto const& some :
        {exchange_calls(), mailbox_calls(), container_calls(), block_calls(), frame_calls(), graph_calls(),
            file_calls(), volume_calls(), application_calls(), small_calls(), second_tries()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

} // namespace faults
