#include <weft/extend/frames/item_plan.hpp>

#include "move_kind.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

namespace weft {

/// Lists in messages: a byte with the width of lengths in bytes, then the lengths, then the values.
class item_plan::ragged_mover {
public:
    ragged_mover(item_plan const& items, ragged_move const& what)
        : items_(items),
          what_(what),
          plan_(items.plan_for(what.to_places)),
          from_(what.to_places ? items.view_of_items(false) : items.view_of_places(what.from_links)),
          to_(what.to_places ? items.view_of_places(true) : items.view_of_items(false)) {}

    [[nodiscard]] byte_exchange pack() const {
        byte_exchange made;
        made.items = kind_of_move(what_.type, what_.value_bytes * what_.stride, what_.to_places, true);
        made.blocks = true;
        try {
            if (what_.failure) std::rethrow_exception(what_.failure);
            check();
            for (std::size_t i = 0; i < plan_.destinations().size(); ++i) {
                auto const begin = static_cast<std::size_t>(plan_.outgoing_offsets()[i]);
                auto const end = static_cast<std::size_t>(plan_.outgoing_offsets()[i + 1]);
                made.outgoing.push_back({plan_.destinations()[i], packed(from_.link_of(begin), end - begin)});
            }
        } catch (...) { made.failure = std::current_exception(); }
        return made;
    }

    [[nodiscard]] ragged_bytes unpack(message_list const& received) const {
        ragged_bytes made;
        made.offsets.resize(to_.count + 1);
        each_link(received, [&](std::size_t item, std::size_t length, std::byte const* values) {
            if (values == nullptr)
                made.missing.push_back(static_cast<std::uint32_t>(item));
            else
                made.offsets[item + 1] = static_cast<std::int64_t>(length);
        });
        std::ranges::sort(made.missing);
        for (std::size_t i = 0; i < to_.count; ++i) made.offsets[i + 1] += made.offsets[i];
        made.values.resize(static_cast<std::size_t>(made.offsets.back()) * what_.value_bytes);
        each_link(received, [&](std::size_t item, std::size_t length, std::byte const* values) {
            auto const room = static_cast<std::size_t>(made.offsets[item + 1] - made.offsets[item]);
            if (values != nullptr && length == room &&
                length != 0) // differs if another list has come to this item
                std::memcpy(
                    made.values.data() + static_cast<std::size_t>(made.offsets[item]) * what_.value_bytes,
                    values, length * what_.value_bytes);
        });
        return made;
    }

private:
    void check() const {
        auto const complain = [this](std::string const& text) {
            throw usage_error(
                std::string(what_.name) + ": " + text + " on rank " + std::to_string(items_.comm().rank()));
        };
        std::size_t const offsets = what_.offsets.size();
        if (offsets != from_.count + 1 && !(offsets == 0 && from_.count == 0))
            complain(std::to_string(offsets) + " offsets of lists, but expected " +
                     std::to_string(from_.count + 1));
        for (std::size_t i = 0; i + 1 < offsets; ++i)
            if (what_.offsets[i + 1] < what_.offsets[i])
                complain("list " + std::to_string(i) + " ends before it begins");
        auto const end = offsets == 0 ? 0 : static_cast<std::size_t>(what_.offsets.back());
        if ((offsets != 0 && what_.offsets.front() < 0) || end > what_.values.size() / what_.value_bytes)
            complain("the lists do not lie within the " + std::to_string(what_.values.size()) +
                     " bytes of values");
    }

    [[nodiscard]] bool is_missing(std::size_t link) const noexcept {
        return from_.index != nullptr && from_.index[link] == nowhere;
    }
    /// Returns the list of a link on the sending side; empty if it is missing.
    [[nodiscard]] std::span<std::byte const> list(std::size_t link) const noexcept {
        if (is_missing(link)) return {};
        std::uint32_t const item =
            from_.index == nullptr ? static_cast<std::uint32_t>(link) : from_.index[link];
        auto const begin = static_cast<std::size_t>(what_.offsets[item]) * what_.value_bytes;
        auto const end = static_cast<std::size_t>(what_.offsets[item + 1]) * what_.value_bytes;
        return what_.values.subspan(begin, end - begin);
    }

    [[nodiscard]] buffer packed(std::size_t link, std::size_t count) const {
        std::size_t longest = 0;
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < count; ++i) {
            longest = std::max(longest, list(link + i).size() / what_.value_bytes);
            bytes += list(link + i).size();
        }
        std::size_t width = 1;
        while (width < 8 && std::uint64_t{longest} >= length_of_none(width)) width *= 2;
        buffer made;
        made.reserve(1 + count * width + bytes);
        auto const mark = static_cast<std::uint8_t>(width);
        made.append(&mark, 1);
        for (std::size_t i = 0; i < count; ++i) { // the lowest bytes first: ranks share the machine's order
            std::uint64_t const length =
                is_missing(link + i) ? length_of_none(width) : list(link + i).size() / what_.value_bytes;
            made.append(&length, width);
        }
        for (std::size_t i = 0; i < count; ++i) made.append(list(link + i).data(), list(link + i).size());
        return made;
    }

    /// The length that marks a missing list in a message.
    [[nodiscard]] static constexpr std::uint64_t length_of_none(std::size_t width) noexcept {
        return UINT64_MAX >> (64 - 8 * width);
    }

    /// Calls `take(item, length, values)` for the links to this rank, in order; `values` is null for a
    /// missing list.
    template <class Take>
    void each_link(message_list const& received, Take&& take) const {
        auto const at = [this](std::size_t link) {
            return to_.index == nullptr ? static_cast<std::uint32_t>(link) : to_.index[link];
        };
        auto const own = [&] {
            for (std::size_t i = 0; i < to_.own; ++i) {
                std::size_t const link = from_.own_begin + i;
                std::span<std::byte const> const values = list(link);
                take(at(to_.own_begin + i), values.size() / what_.value_bytes,
                    is_missing(link) ? nullptr
                    : values.empty() ? &nothing
                                     : values.data());
            }
        };
        bool own_is_done = false;
        for (std::size_t i = 0; i < plan_.sources().size(); ++i) {
            if (!own_is_done && plan_.sources()[i] > items_.comm().rank()) {
                own();
                own_is_done = true;
            }
            auto const begin = static_cast<std::size_t>(plan_.incoming_offsets()[i]);
            auto const end = static_cast<std::size_t>(plan_.incoming_offsets()[i + 1]);
            std::byte const* lengths = received[i].data.data();
            auto const width = static_cast<std::size_t>(*lengths++);
            std::byte const* values = lengths + (end - begin) * width;
            for (std::size_t planned = begin; planned < end; ++planned, lengths += width) {
                std::uint64_t length = 0;
                std::memcpy(&length, lengths, width);
                std::size_t const link = to_.link_of(planned);
                if (length == length_of_none(width)) {
                    take(at(link), 0, nullptr);
                    continue;
                }
                take(at(link), static_cast<std::size_t>(length), values);
                values += length * what_.value_bytes;
            }
        }
        if (!own_is_done) own();
    }

    static constexpr std::byte nothing{}; // the address of empty lists

    item_plan const& items_;
    ragged_move const& what_;
    exchange_plan plan_;
    side_view from_;
    side_view to_;
};

/// Unpacks before the ranks agree on success.
class item_plan::ragged_sink final : public message_sink {
public:
    ragged_sink(ragged_mover const& mover, list_taker& taker) : mover_(mover), taker_(taker) {}
    void take(message_list received) override { taker_.take(mover_.unpack(received)); }

private:
    ragged_mover const& mover_;
    list_taker& taker_;
};

void item_plan::run(ragged_move const& what, list_taker& taker) const try {
    ragged_mover const mover(*this, what);
    byte_exchange packed = mover.pack();
    packed.sink = detail::owned<message_sink>(new ragged_sink(mover, taker));
    pending_bytes(comm(), std::move(packed), options_for(what.how)).finish();
} catch (std::bad_alloc const&) {
    alone_unless_agreed("frame");
    throw;
}

item_plan::ragged_bytes item_plan::run(ragged_move const& what) const try {
    struct keeper final : list_taker {
        void take(ragged_bytes&& moved) override { kept = std::move(moved); }
        ragged_bytes kept;
    };
    keeper lists;
    run(what, lists);
    return std::move(lists.kept);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("frame");
    throw;
}

} // namespace weft
