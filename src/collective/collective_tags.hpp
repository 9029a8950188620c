/// The tags of collectives. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/core/attachment.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstdint>

namespace weft {

/// Every message of a collective has a known source and is received in it, so all collectives of a
/// communicator can share their tags: MPI keeps the order between two ranks. They take no place in the window
/// of epochs, because a rank may leave a reduction before others have begun it, which the window does not
/// allow. The tags are the last of the pool, so that plans never propose them.
class collective_tags {
public:
    static constexpr int up = tag_pool::last;
    static constexpr int down = tag_pool::last - 1;

    explicit collective_tags(communicator const& comm) {
        long_tags(comm).take(up);
        long_tags(comm).take(down);
    }

    /// Begins a collective. Every 64th sends synchronously, so a rank that need not wait for the others, like
    /// the root of a broadcast, is never further ahead of them.
    [[nodiscard]] send_mode begin() noexcept {
        return ++begun_ % 64 == 0 ? send_mode::synchronous : send_mode::standard;
    }

    [[nodiscard]] static collective_tags& of(communicator const& comm) {
        return attachment<collective_tags>(comm, comm);
    }

private:
    std::int64_t begun_ = 0;
};

} // namespace weft
