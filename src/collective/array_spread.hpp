/// Arrays made whole along a schedule, backwards. Private.
#pragma once

#include "array_groups.hpp"

#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace weft {

/// One rank's part in giving every participant what the others of its groups keep, the last round first: a
/// broadcast for merges, a gather of shares for swaps. Elements come to lie where they belong at once; they
/// go on as soon as those of later rounds are here, segment by segment.
///
/// Cost: as `array_reduction`, without memory.
class array_spread final : public engine {
public:
    static constexpr std::size_t window = 16; ///< receives under way from each source

    /// The arrays and the transport must outlive the engine.
    array_spread(transport& via, int tag, array_call const& call, send_mode mode = send_mode::standard);

    /// The same once more, with what the arrays hold now. Only after done.
    void again(send_mode mode);

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    [[nodiscard]] int messages() const noexcept { return static_cast<int>(sends_.size()); }

private:
    /// Elements that a participant of this rank has not got yet.
    struct missing {
        int round;
        element_range elements;
    };
    struct outgoing {
        array_segment what;
        int round = 0;
        int rank = 0;
        std::size_t from = 0; // place
        request pending = {};
    };
    struct incoming {
        array_segment what;
        int round = 0;
        std::size_t to = 0; // place
        request pending = {};
    };
    struct local_copy {
        int round;
        std::size_t from; // place
        std::size_t to;
        element_range elements;
    };
    struct source {
        int rank = 0;
        std::vector<incoming> segments = {};
        std::size_t arrived = 0; // all before this one
        std::size_t posted = 0;
    };
    /// The segments for one rank, in `sends_`.
    struct target {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t next = 0;
    };

    void plan(array_call const& call);
    [[nodiscard]] source& source_of(int rank);
    [[nodiscard]] bool has(std::size_t place, int round, element_range elements) const;
    void got(std::size_t place, int round, element_range elements);
    [[nodiscard]] std::byte* at(std::size_t place, std::size_t element) const noexcept {
        return arrays_[place] + element * element_bytes_;
    }
    bool copy();
    bool receive(source& from);
    bool send(target& to);

    transport& via_;
    int tag_;
    send_mode mode_;
    std::span<std::byte* const> arrays_;
    std::size_t element_bytes_;
    std::size_t segment_;
    std::vector<std::vector<missing>> all_missing_; // by place
    std::vector<std::vector<missing>> missing_;
    std::vector<local_copy> all_copies_;
    std::vector<local_copy> copies_; // not made yet, in order
    std::vector<source> sources_;
    std::vector<outgoing> sends_;
    std::vector<target> targets_;
    std::size_t sent_complete_ = 0;
};

} // namespace weft
