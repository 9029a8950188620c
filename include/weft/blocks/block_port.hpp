/// The view that a callback has of other blocks: messages from them, and a way to send to them.
#pragma once

#include <weft/blocks/item_kind.hpp>
#include <weft/blocks/link.hpp>
#include <weft/blocks/run_list.hpp>
#include <weft/blocks/run_parcel.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace weft {

struct block_desk;

/// The way from a block to a neighbour.
struct block_route {
    static constexpr std::int32_t here = -1;       ///< this rank has it
    static constexpr std::int32_t no_partner = -2; ///< its rank has no neighbour of a block of this rank

    std::int32_t partner; ///< which of `block_desks::partners` has it, or one of these
    std::int64_t place;   ///< its place there
};

/// In a round of callbacks one after another: what a block sends to a neighbour lies at once where it can be
/// received in the next round, or in the message to its rank.
struct direct_delivery {
    block_desk* desks = nullptr;   ///< by place
    run_parcel* parcels = nullptr; ///< by partner
};

/// Takes the messages of a callback while it is running.
class block_flusher {
public:
    virtual ~block_flusher() = default;
    virtual void flush(block_desk& desk) = 0;
};

/// The messages of a block.
struct block_desk {
    block_id id = {};
    weft::link neighbors = {};
    run_list in = {};      ///< what its callback can take; the callback's while it runs
    run_list pending = {}; ///< what has come since that began
    run_list out = {};     ///< what it has sent
    block_flusher* flusher = nullptr;
    direct_delivery* direct = nullptr;   ///< in a round of such callbacks
    block_route const* routes = nullptr; ///< to its neighbours, in their order
    std::int64_t sent = 0;               ///< messages, since the last round
    std::int64_t blocks = 0;             ///< of the whole set
};

namespace detail {
[[noreturn]] void no_such_block(block_id from, block_id to, std::int64_t blocks);
} // namespace detail

/// Items that one block sent to another, in the order of sending.
template <class T>
struct block_message {
    block_id source;
    std::span<T const> items;
};

/// The messages of one block while its callback runs; for items of one type. Items that no callback takes
/// stay until one does, also one of a later phase; so do those of other types.
///
/// All calls are local, and none blocks.
template <wire_type T>
class block_port {
public:
    explicit block_port(block_desk& desk)
        : desk_(desk),
          // Messages that wait in `out` go first.
          neighbors_(desk.direct != nullptr && desk.out.empty() ? desk.neighbors.ids()
                                                                : std::span<block_id const>()),
          place_(desk.direct != nullptr ? &desk - desk.direct->desks : 0) {}
    block_port(block_port const&) = delete;
    block_port& operator=(block_port const&) = delete;
    ~block_port() {
        if (!leaves_some_ && next_run_ == desk_.in.end())
            desk_.in.clear();
        else if (next_run_ > 0)
            desk_.in.drop_taken();
    }

    [[nodiscard]] block_id id() const noexcept { return desk_.id; }
    /// The neighbours of this block, ascending.
    [[nodiscard]] weft::link const& link() const noexcept { return desk_.neighbors; }

    /// Takes the next message that has arrived; false if there is none left. Its items lie where they were
    /// received, and stay there until the callback returns (those of types that do not travel as they are:
    /// until the next call). Order: in exchange by source, then in the order of sending; in iexchange that
    /// of arrival, which keeps the order of sending of each source. Throws: `wire_error`.
    [[nodiscard]] bool take(block_message<T>& into) {
        while (next_run_ < desk_.in.end()) {
            block_run const run = desk_.in.at(next_run_);
            if (run.kind == kind_of<T>()) {
                into.source = run.peer;
                into.items = items_of(run.items);
                desk_.in.take(run.at);
                next_run_ = run.next;
                return true;
            }
            leaves_some_ = true;
            next_run_ = run.next;
        }
        return false;
    }

    /// All messages that have arrived, each taken as it is reached: `for (auto [source, items] :
    /// port.messages())`.
    [[nodiscard]] auto messages() noexcept { return message_range{*this}; }
    /// All items that have arrived, without their sources: `for (T const& item : port.received())`.
    [[nodiscard]] auto received() noexcept { return item_range{*this}; }

    /// Sends an item to a block, a neighbour or any other, this one among them. Throws: `usage_error` if
    /// there is no such block; what encoding throws.
    void send(block_id to, T const& item) {
        if constexpr (!bare_type<T>) {
            check(to);
            if (to != to_) ++desk_.sent;
            to_ = to;
            desk_.out.grow_by(to, kind_of<T>(), [&](buffer& end) { encode(end, item); });
        } else if constexpr (sizeof(T) < run_list::blob_bytes) {
            std::memcpy(room(to, sizeof(T)), &item, sizeof(T));
        } else {
            send(to, std::span(&item, 1));
        }
    }
    /// Sends items, which arrive as one message or as a part of one. They are copied once: what is long is
    /// moved from there to a block of this rank.
    void send(block_id to, std::span<T const> items) {
        if constexpr (bare_type<T>) {
            std::size_t const bytes = items.size_bytes();
            if (bytes >= run_list::blob_bytes) {
                buffer own;
                own.append(items.data(), bytes);
                add(to, blob::of(std::move(own)));
            } else if (bytes > 0) {
                std::memcpy(room(to, bytes), items.data(), bytes);
            } else {
                check(to);
            }
        } else {
            for (T const& item : items) send(to, item);
        }
    }
    /// Gives items away: to a block of this rank they are moved, not copied.
    void give(block_id to, std::vector<T>&& items) requires bare_type<T> {
        if (items.empty())
            check(to);
        else
            add(to, blob::of(std::move(items)));
    }

    /// Sends what was sent so far on its way now, not when the callback returns, and lets messages get on:
    /// for callbacks that take long. Within exchange nothing travels before the callbacks are over.
    void flush() {
        to_ = nobody;
        if (desk_.flusher != nullptr) desk_.flusher->flush(desk_);
    }

private:
    static constexpr block_id nobody{INT64_MIN};
    static_assert(!bare_type<T> || alignof(T) <= run_list::alignment);

    struct message_range {
        struct iterator {
            block_port* port;
            block_message<T> now;
            bool at_end;

            [[nodiscard]] block_message<T> const& operator*() const noexcept { return now; }
            iterator& operator++() {
                at_end = !port->take(now);
                return *this;
            }
            [[nodiscard]] bool operator==(std::nullptr_t) const noexcept { return at_end; }
        };
        block_port& port;
        [[nodiscard]] iterator begin() const { return ++iterator{&port, {}, false}; }
        [[nodiscard]] std::nullptr_t end() const noexcept { return nullptr; }
    };

    struct item_range {
        struct iterator {
            block_port* port;
            block_message<T> now;
            std::size_t place;
            bool at_end;

            [[nodiscard]] T const& operator*() const noexcept { return now.items[place]; }
            iterator& operator++() {
                if (++place < now.items.size()) return *this;
                place = 0;
                while (!(at_end = !port->take(now)) && now.items.empty()) {}
                return *this;
            }
            [[nodiscard]] bool operator==(std::nullptr_t) const noexcept { return at_end; }
        };
        block_port& port;
        [[nodiscard]] iterator begin() const { return ++iterator{&port, {}, 0, false}; }
        [[nodiscard]] std::nullptr_t end() const noexcept { return nullptr; }
    };

    void check(block_id to) const {
        if (index_of(to) < 0 || index_of(to) >= desk_.blocks)
            detail::no_such_block(desk_.id, to, desk_.blocks);
    }
    /// Where the next bytes to a block go: behind those before, if they went there too, else into a new run.
    /// Inline, since a call costs a quarter of what it does.
    [[nodiscard, gnu::always_inline]] std::byte* room(block_id to, std::size_t bytes) {
        if (to != to_) {
            aim(to);
            to_ = to;
        } else {
            check(to); // it may be `nobody`
            if (list_ != nullptr ? list_->can_extend(bytes) : parcel_->can_extend(bytes))
                return list_ != nullptr ? list_->extend(bytes) : parcel_->extend(bytes);
        }
        return list_ != nullptr ? list_->begin(peer_, kind_of<T>(), bytes)
                                : parcel_->begin(place_, receiver_, kind_of<T>(), bytes);
    }
    void add(block_id to, blob&& bytes) {
        aim(to);
        to_ = nobody; // nothing is put behind a blob
        if (list_ != nullptr)
            list_->add(peer_, kind_of<T>(), std::move(bytes));
        else
            std::memcpy(parcel_->begin(place_, receiver_, kind_of<T>(), bytes.bytes().size()),
                bytes.bytes().data(), bytes.bytes().size());
    }
    /// Finds where the next message goes: a list, or a parcel.
    [[gnu::always_inline]] void aim(block_id to) {
        ++desk_.sent;
        std::size_t neighbor = next_neighbor_; // most blocks send to their neighbours in order
        if (neighbor >= neighbors_.size() || neighbors_[neighbor] != to) [[unlikely]] {
            check(to);
            if (neighbors_.empty() || (neighbor = seek(to)) == neighbors_.size()) {
                list_ = &desk_.out;
                peer_ = to;
                return;
            }
        }
        next_neighbor_ = neighbor + 1;
        block_route const& route = desk_.routes[neighbor];
        if (route.partner == block_route::here) {
            list_ = &desk_.direct->desks[route.place].pending;
            peer_ = desk_.id;
        } else {
            list_ = nullptr;
            parcel_ = &desk_.direct->parcels[route.partner];
            receiver_ = route.place;
        }
    }
    /// Which of `neighbors_` this is; their number if it is none.
    [[nodiscard]] std::size_t seek(block_id to) const {
        int const found = desk_.neighbors.index_of(to);
        return found < 0 ? neighbors_.size() : static_cast<std::size_t>(found);
    }
    [[nodiscard]] std::span<T const> items_of(std::span<std::byte const> bytes) {
        if constexpr (bare_type<T>) {
            return {reinterpret_cast<T const*>(bytes.data()), bytes.size() / sizeof(T)};
        } else {
            decoded_.clear();
            for (wire_reader reader(bytes); reader.position() < bytes.size();)
                decoded_.push_back(decode<T>(reader));
            return decoded_;
        }
    }

    block_desk& desk_;
    std::span<block_id const> neighbors_; // to which what is sent goes directly
    std::int64_t place_;                  // of this block, where there are such
    std::size_t next_neighbor_ = 0;
    block_id to_ = nobody;     // of the last message, while it can go on
    run_list* list_ = nullptr; // which has it, as one of `peer_`
    block_id peer_ = nobody;
    run_parcel* parcel_ = nullptr; // or which
    std::int64_t receiver_ = 0;    // its place
    std::size_t next_run_ = 0;
    bool leaves_some_ = false; // which it has passed
    std::vector<T> decoded_;   // of types that do not travel as they are
};

} // namespace weft
