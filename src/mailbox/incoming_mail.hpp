/// The receiving side of a mailbox. Private.
#pragma once

#include "buffer_pool.hpp"
#include "out_link.hpp"
#include "rings.hpp"

#include <weft/extend/mailbox/mail_engine.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace weft {

/// A buffer that has come, and how far it is worked off.
struct in_slot {
    std::byte const* data = nullptr;
    std::size_t bytes = 0;
    std::size_t at = 0;   ///< where the next run begins
    std::size_t done = 0; ///< of that run: bytes, or ranks, as its reader counts
};

/// Works off buffers.
class slot_reader {
public:
    virtual ~slot_reader() = default;
    /// Works off runs from `slot.at` on; false if it had to stop for want of room in later hops.
    virtual bool work_off(in_slot& slot) = 0;
    /// True if this rank is in the phase of a buffer.
    [[nodiscard]] virtual bool may_read(std::byte const* slot) const = 0;
    /// How many handlers there are on the stack.
    [[nodiscard]] virtual int depth() const = 0;
};

/// Takes what comes, from rings and from the wire, in the order of each source.
class incoming_mail {
public:
    incoming_mail(transport& via, mail_setup const& setup, std::byte* own_part, slot_reader& reader);
    ~incoming_mail();
    incoming_mail(incoming_mail const&) = delete;
    incoming_mail& operator=(incoming_mail const&) = delete;

    /// A buffer of each source at most, of those that are here.
    progress receive();
    /// Gets what is under way to its end, and begins nothing.
    progress finish_receives();
    /// True if no buffer is waiting or being received, as far as this rank knows.
    [[nodiscard]] bool empty() const noexcept;
    /// The same, but for buffers that cannot be read yet: they do not keep a rank from voting.
    [[nodiscard]] bool nothing_to_read() const noexcept;
    [[nodiscard]] bool at_rest() const noexcept;
    /// The buffers that were handled inside of handlers.
    [[nodiscard]] std::int64_t nested() const noexcept { return nested_; }

private:
    /// A buffer that has come, or is coming. A handler that waits lets others go on with its runs, which come
    /// first, and with later buffers; it stays until the last of them has returned.
    struct held {
        in_slot slot = {};
        int ring_place = -1; ///< in a ring; otherwise in `data`
        buffer data = {};
        request pending = {};
        int source = 0;
        hop kind = hop::deliver;
        bool arrived = true;
        bool stopped = false; ///< in this sweep, for want of room
        int users = 0;        ///< on the stack

        [[nodiscard]] bool has_more() const noexcept { return slot.at < slot.bytes; }
    };
    struct ring_queue {
        in_ring from;
        std::vector<std::unique_ptr<held>> slots = {};
    };

    bool receive(ring_queue& from);
    void give_back(ring_queue& ring, int place);
    bool work_off(held& now);
    /// True if it is over.
    [[nodiscard]] static bool is_over(held const& each) noexcept {
        return each.arrived && each.users == 0 && !each.has_more();
    }
    [[nodiscard]] bool may_receive(hop kind) const noexcept;
    bool begin_receives(hop kind);
    bool test_receives();
    bool work_off_wire();
    [[nodiscard]] bool is_first_of_its_source(std::size_t index) const noexcept;
    [[nodiscard]] std::unique_ptr<held> new_held();

    transport& via_;
    slot_reader& reader_;
    int tags_[hop_count];
    bool listens_[hop_count] = {};
    std::vector<ring_queue> rings_;
    std::vector<std::unique_ptr<held>> wire_; // in the order of coming
    std::vector<std::unique_ptr<held>> spare_;
    buffer_pool pool_;
    std::size_t slot_bytes_; // of a message, at most
    std::size_t most_bytes_; // of the messages of a class that wait, where no handler reads them
    bool as_long_as_needed_; // are the buffers of messages: where memory is scarce, more of them fit
    bool exact_;             // is their length, for any reason
    std::int64_t nested_ = 0;
};

} // namespace weft
