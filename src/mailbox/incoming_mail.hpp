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

/// An arrived buffer, and the progress of reading it.
struct in_slot {
    std::byte const* data = nullptr;
    std::size_t bytes = 0;
    std::size_t at = 0;   ///< start of the next run
    std::size_t done = 0; ///< progress within this run, in bytes or ranks, as its reader counts
};

/// Reads buffers: handles or passes on their runs.
class slot_reader {
public:
    virtual ~slot_reader() = default;
    /// Reads the runs from `slot.at` on. Returns false if it had to stop for lack of room in later hops.
    virtual bool work_off(in_slot& slot) = 0;
    /// Returns true if this rank is in the phase of a buffer.
    [[nodiscard]] virtual bool may_read(std::byte const* slot) const = 0;
    /// Returns the number of handlers on the stack.
    [[nodiscard]] virtual int depth() const = 0;
};

/// Receives from rings and from the wire, and reads the buffers of each source in order.
class incoming_mail {
public:
    incoming_mail(transport& via, mail_setup const& setup, std::byte* own_part, slot_reader& reader);
    ~incoming_mail();
    incoming_mail(incoming_mail const&) = delete;
    incoming_mail& operator=(incoming_mail const&) = delete;

    /// Reads at most one arrived buffer of each source.
    progress receive();
    /// Completes receives that have begun, and begins none.
    progress finish_receives();
    /// Returns true if no buffer waits or is being received, as far as this rank knows.
    [[nodiscard]] bool empty() const noexcept;
    /// Does so, but ignores buffers that cannot be read yet: they do not keep a rank from voting.
    [[nodiscard]] bool nothing_to_read() const noexcept;
    [[nodiscard]] bool at_rest() const noexcept;
    /// As `mail_engine::prefetch`: first the lists, then what they lead to, from stage 1 on.
    void prefetch(int stage) const noexcept;
    /// Returns the number of buffers handled inside of handlers.
    [[nodiscard]] std::int64_t nested() const noexcept { return nested_; }

private:
    /// A buffer that has arrived, or is arriving. A handler that waits lets other calls continue with the
    /// next runs, and with later buffers; the buffer stays until the last handler of its runs has returned.
    struct held {
        in_slot slot = {};
        int ring_place = -1;   ///< place in a ring; negative: the bytes are in `data`
        bool releases = false; ///< the lines of the ring once they are read
        buffer data = {};
        request pending = {};
        int source = 0;
        hop kind = hop::deliver;
        bool arrived = true;
        bool stopped = false; ///< in this sweep, for lack of room
        int users = 0;        ///< readers on the stack

        [[nodiscard]] bool has_more() const noexcept { return slot.at < slot.bytes; }
    };
    struct ring_queue {
        in_ring from;
        std::vector<std::unique_ptr<held>> slots = {};
    };

    bool receive(ring_queue& from);
    void give_back(ring_queue& ring, held& read);
    bool work_off(held& now);
    /// Returns true if the buffer is read completely and has no users.
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
    std::vector<std::unique_ptr<held>> wire_; // in the order of arrival
    std::vector<std::unique_ptr<held>> spare_;
    std::size_t made_ = 0; // number of all of them
    buffer_pool pool_;
    std::size_t slot_bytes_; // at most, of a message
    std::size_t most_bytes_; // of waiting messages of a class, except those on the stack
    bool as_long_as_needed_; // buffers are as long as their messages, since memory is scarce
    bool exact_;             // buffers have the exact length, for any reason
    std::int64_t nested_ = 0;
};

} // namespace weft
