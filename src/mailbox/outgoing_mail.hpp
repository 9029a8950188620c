/// The sending side of a mailbox. Private.
#pragma once

#include "buffer_pool.hpp"
#include "channel_list.hpp"
#include "mail_pool.hpp"
#include "out_link.hpp"
#include "phase_end.hpp"
#include "run.hpp"

#include <protocol/routes.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft {

/// Cursors, the links behind them, and the buffers of the links.
/// || A place is a destination: a rank; or, after the ranks, a node, for messages to
/// all its ranks; or, after these, a core of this node, for messages that it passes
/// to all nodes it serves. If there are more places than cursors, places share
/// cursors, and a sending place takes over its cursor. Links are made on first use.
/// So memory depends on the number of destinations in use, not on the number of
/// ranks.
class outgoing_mail {
public:
    using cursor = mail_engine::cursor;

    /// `own_part`: this rank's part of the memory of the rings.
    outgoing_mail(transport& via, mail_setup const& setup, std::byte* own_part, channel_list const& channels,
        phase_end& end);
    outgoing_mail(outgoing_mail const&) = delete;
    outgoing_mail& operator=(outgoing_mail const&) = delete;

    /// Stores the address of the cursors and their mask in the arguments, which must outlive this object.
    void show_cursors(cursor*& at, std::size_t& mask) noexcept;
    [[nodiscard]] cursor& cursor_at(std::size_t place) noexcept { return cursors_[place & last_cursor()]; }
    /// Returns the mask that maps a place to the number of its cursor.
    [[nodiscard]] std::size_t last_cursor() const noexcept { return cursors_.size() - 1; }
    [[nodiscard]] std::size_t place_of_node(int node) const noexcept;
    [[nodiscard]] std::size_t place_of_core(int core) const noexcept;
    /// Returns true if messages go through this place; false for nodes that another rank serves.
    [[nodiscard]] bool has_link(std::size_t place) const noexcept;

    /// As `mail_engine::try_room`.
    [[nodiscard]] std::byte* try_room(
        std::size_t place, std::uint64_t key, std::size_t bytes, bool may_spill);
    /// Returns the length of the longest run that fits into any buffer.
    [[nodiscard]] std::size_t longest_run() const noexcept { return longest_run_; }

    /// Hands over buffers that are not full and have at least `at_least` bytes, except to ranks that have not
    /// yet taken earlier buffers: those may well fill meanwhile (Nagle's rule). Returns true if any was
    /// handed over.
    bool hand_over_idle(std::size_t at_least = 0);
    /// Hands over the buffer of the link to a place, or its runs that may leave the pool.
    void flush(std::size_t place);
    /// Returns true if a long message fits into the bound for buffers on the wire.
    [[nodiscard]] bool may_lend(std::size_t bytes) const noexcept {
        return wire_bytes_ + static_cast<std::int64_t>(bytes) <= sizes_.wire_bound;
    }
    /// Counts a long message towards this bound, or as spilled beyond it.
    void lend(std::size_t bytes, bool spilled) noexcept;
    void take_back(std::size_t bytes, bool spilled) noexcept;
    /// Makes progress with waiting buffers and sends under way.
    progress push();
    /// Completes the sends under way, and begins none.
    void finish_flights();
    [[nodiscard]] bool nothing_open() const noexcept;
    /// Returns true if no request is under way.
    [[nodiscard]] bool at_rest() const noexcept;
    /// As `mail_engine::prefetch`.
    void prefetch(int stage) const noexcept;
    /// Returns true if every buffer handed over has been taken: messages are matched by receives, and ranks
    /// of this node have freed the slots of their rings.
    [[nodiscard]] bool all_taken() const noexcept;
    /// Returns true if a buffer was handed over since the last call.
    [[nodiscard]] bool take_handed_over() noexcept { return std::exchange(handed_over_, false); }
    [[nodiscard]] std::int64_t spilled_bytes() const noexcept { return spilled_; }
    void add_to(mailbox_counters& sums) const noexcept;
    /// As `engine::describe_wait`.
    void describe_wait(std::string& into) const;

private:
    /// The part of a cursor that senders do not need.
    struct cursor_back {
        std::byte* run = nullptr; ///< the head of the open run
        int link = -1;
        std::uint32_t next_chunk = 0; ///< size of its next chunk
        std::uint32_t listed = 0;     ///< its place in `open_places` of the link, if it has a chunk
        std::uint32_t chunk_end = 0;  ///< end of its chunk in the buffer, if buffers grow
    };
    struct next_stop {
        int peer;
        hop kind;
    };

    [[nodiscard]] next_stop stop_of(std::size_t place) const noexcept;
    /// Returns the messages in a run of this rank, counted once for each rank that will handle them.
    [[nodiscard]] std::int64_t messages_in(
        std::uint64_t key, std::size_t place, std::span<std::byte const> run) const noexcept;
    [[nodiscard]] std::int64_t ranks_reached(delivery how, std::size_t place) const noexcept;
    [[nodiscard]] int link_to(next_stop where);
    [[nodiscard]] out_link make_link(next_stop where) const;
    /// Gives a cursor to a place. Returns its number, which changes if cursors were added.
    [[nodiscard]] std::size_t take_over(std::size_t index, std::size_t place);
    void double_cursors();
    /// Makes room in the chunk of a cursor, if it can grow; else returns false.
    [[nodiscard]] bool extend_chunk(std::size_t index, std::size_t bytes);
    /// Makes the open buffer of a link at least `bytes` bytes long.
    void grow_buffer(out_link& link, std::size_t bytes);
    [[nodiscard]] static std::uint32_t first_chunk(out_link const& link) noexcept;
    void close_run(std::size_t index) noexcept;
    void close_chunk(out_link& link, std::size_t index) noexcept;
    std::byte* begin_run(out_link& link, std::size_t index, std::uint64_t key) noexcept;
    [[nodiscard]] bool open(out_link& link, bool may_spill);
    [[nodiscard]] bool may_take_wire_slot(out_link const& link) const noexcept;
    /// Returns true if a message of this class or a later one is under way. Then a sender waits, since
    /// handing over the fullest buffer would shorten its message and free nothing now.
    [[nodiscard]] bool will_free_a_slot(hop kind) const noexcept;
    void take_heap(out_link& link, buffer&& heap, std::size_t counted, bool spilled);
    void hand_over(out_link& link);
    /// Returns the head of a buffer with runs of the first `channels` channels.
    [[nodiscard]] slot_head head_of_slot(std::uint32_t channels) const noexcept;
    void hand_over_fullest();
    [[nodiscard]] bool is_idle(out_link const& link) const noexcept;
    [[nodiscard]] std::size_t filled_bytes(out_link const& link) const noexcept;
    void close_holes(out_slot& slot) noexcept;
    void unlist(out_link& link, std::size_t index) noexcept;
    void give_message(out_link& link);
    /// Returns the most messages of a link on the wire: an equal share among active links, at least two.
    [[nodiscard]] std::size_t flights_of_link() const noexcept;
    void publish(out_link& link, int place, std::size_t bytes);
    bool push(out_link& link);
    bool finish_flights(out_link& link);
    void release(out_link const& link, out_slot& slot);

    // For links that share the pool: pooled_links.cpp.
    struct pooled_run {
        std::uint32_t link;
        std::int32_t destination;
        std::byte const* head;
    };
    /// The bytes in the pool and on the wire after the runs that are leaving have left.
    struct shares_of_wire {
        std::int64_t held;
        std::int64_t bytes; ///< on the wire
        std::int64_t messages[hop_count];
    };
    [[nodiscard]] std::byte* pooled_room(
        std::size_t index, std::uint64_t key, std::size_t needed, bool may_spill);
    [[nodiscard]] bool make_pool_room(hop kind, std::size_t needed, bool may_spill);
    bool hand_over_idle_of_pool(std::size_t at_least);
    [[nodiscard]] shares_of_wire shares_now() const noexcept;
    /// `whole_messages`: runs that would begin a partly filled message stay.
    [[nodiscard]] bool let_go(out_link& link, shares_of_wire& ahead, bool whole_messages) noexcept;
    void let_go(out_link& link, leaving how, std::size_t quota) noexcept;
    void send_leaving();
    void put_together(std::vector<pooled_run> const& runs);
    void open_message(out_link& link);
    [[nodiscard]] bool join(out_slot& slot, std::byte* last, std::byte const* next) const noexcept;

    transport& via_;
    topology const& nodes_;
    channel_list const& channels_;
    phase_end& end_;
    mail_sizes sizes_;
    bool grows_;                         // cursors and buffers grow
    std::span<std::byte* const> shared_; // by core of this node; empty: without shared memory
    std::byte* own_part_;
    routes ways_;
    int tags_[hop_count];
    std::vector<cursor> cursors_;
    std::vector<cursor_back> backs_; // of the cursors
    cursor** shown_at_ = nullptr;
    std::size_t* shown_mask_ = nullptr;
    std::size_t most_cursors_;
    std::size_t used_cursors_ = 0; // those with a place; counted if cursors grow
    std::vector<out_link> links_;
    std::unordered_map<std::uint64_t, int> link_of_; // by next rank and class
    std::vector<std::int64_t> served_; // under nlnr, by core of this node: the ranks of the nodes it serves
    std::size_t longest_run_;
    buffer_pool ring_pool_;
    buffer_pool wire_pool_;
    mail_pool pool_;
    std::vector<int> pooled_;            // links with runs in the pool
    bool pool_is_stuck_[hop_count] = {}; // for each class: true until a message has left
    std::vector<int> open_;
    std::vector<int> busy_;
    std::int64_t wire_bytes_ = 0;
    std::int64_t wire_slots_[hop_count] = {};
    std::int64_t spilled_ = 0;
    bool handed_over_ = false;
    mailbox_counters sums_;
};

} // namespace weft
