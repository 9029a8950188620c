/// What a callback of a block sees of other blocks: what they sent to it, and a way to send to them.
#pragma once

#include <weft/blocks/link.hpp>
#include <weft/blocks/run_list.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace weft {

struct block_desk;

/// Who takes what a callback has sent while it is running.
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
    std::int64_t blocks = 0; ///< of the whole set
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
    explicit block_port(block_desk& desk) : desk_(desk) {}
    block_port(block_port const&) = delete;
    block_port& operator=(block_port const&) = delete;
    ~block_port() {
        if (taken_ == desk_.in.size())
            desk_.in.clear();
        else if (taken_ > 0)
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
        for (std::span<block_run> const runs = desk_.in.runs(); place_ < runs.size(); ++place_) {
            block_run& run = runs[place_];
            if (run.kind != kind_of<T>()) continue;
            into.source = run.peer;
            into.items = items_of(desk_.in.bytes_of(run));
            run.kind = 0;
            ++place_;
            ++taken_;
            return true;
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
        check(to);
        if constexpr (bare_type<T>) {
            std::memcpy(desk_.out.extend(to, kind_of<T>(), sizeof(T)), &item, sizeof(T));
        } else {
            encode(desk_.out.open_run(to, kind_of<T>()), item);
            desk_.out.grown();
        }
    }
    /// Sends items, which arrive as one message or as a part of one. They are copied once: what is long is
    /// moved from there to a block of this rank.
    void send(block_id to, std::span<T const> items) {
        if constexpr (bare_type<T>) {
            check(to);
            std::size_t const bytes = items.size_bytes();
            if (bytes >= run_list::blob_bytes) {
                buffer own;
                own.append(items.data(), bytes);
                desk_.out.add(to, kind_of<T>(), blob::of(std::move(own)));
            } else if (bytes > 0) {
                std::memcpy(desk_.out.extend(to, kind_of<T>(), bytes), items.data(), bytes);
            }
        } else {
            for (T const& item : items) send(to, item);
        }
    }
    /// Gives items away: to a block of this rank they are moved, not copied.
    void give(block_id to, std::vector<T>&& items) requires bare_type<T> {
        check(to);
        if (!items.empty()) desk_.out.add(to, kind_of<T>(), blob::of(std::move(items)));
    }

    /// Sends what was sent so far on its way now, not when the callback returns, and lets messages get on:
    /// for callbacks that take long. Within exchange nothing travels before the callbacks are over.
    void flush() {
        if (desk_.flusher != nullptr) desk_.flusher->flush(desk_);
    }

private:
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
    std::size_t place_ = 0;
    std::size_t taken_ = 0;
    std::vector<T> decoded_; // of types that do not travel as they are
};

} // namespace weft
