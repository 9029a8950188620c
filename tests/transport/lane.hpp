/// The common part of tests of the transport: a lane with its own tags, and blocking waits. Private.
#pragma once

#include <weft/extend/transport/drive.hpp>
#include <weft/extend/transport/mpi_transport.hpp>

#include <harness/mpi_test.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft_test {

using bytes = std::vector<std::byte>;

/// Returns bytes that differ between messages and between places.
inline bytes pattern(std::size_t size, int source, int destination, int number = 0) {
    bytes made(size);
    auto const first = static_cast<unsigned>(131 * source + 31 * destination + 7 * number);
    for (std::size_t i = 0; i < size; ++i)
        made[i] =
            static_cast<std::byte>(first + static_cast<unsigned>(i) * 13u + static_cast<unsigned>(i >> 8));
    return made;
}

/// The transport of a separate communicator, so that tags are free.
class lane {
public:
    static constexpr int data = 0;
    static constexpr int control = 1;

    explicit lane(weft::settings const& chosen = {})
        : comm(world().with(chosen)), via(weft::transport_of(comm)) {}

    void finish(weft::request pending) const {
        weft::drive(weft::backoff(64),
            [&] { return via.test(pending) ? weft::progress::done : weft::progress::none; });
    }

    void finish(std::vector<weft::request> const& pending) const {
        for (weft::request const each : pending) finish(each);
    }

    [[nodiscard]] weft::envelope wait_for(int source, int tag) const {
        weft::envelope found;
        weft::drive(weft::backoff(64), [&] {
            auto const probed = via.probe(source, tag);
            if (probed) found = *probed;
            return probed ? weft::progress::done : weft::progress::none;
        });
        return found;
    }

    [[nodiscard]] bytes take(weft::envelope const& found) const {
        bytes room(static_cast<std::size_t>(found.bytes));
        finish(via.receive(found, room));
        return room;
    }

    [[nodiscard]] int right() const { return (via.rank() + 1) % via.size(); }
    [[nodiscard]] int left() const { return (via.rank() + via.size() - 1) % via.size(); }

    weft::communicator comm;
    weft::transport& via;
};

} // namespace weft_test
