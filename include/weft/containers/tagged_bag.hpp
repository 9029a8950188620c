/// A container whose items get an id when they are inserted.
#pragma once

#include <weft/containers/map.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weft {

/// Items of all ranks, each with an id. `insert` returns the id immediately, and any rank can find the item
/// by its id. Ids are at least 0 and distinct; an id is used again only after `clear` or `load`. The hash of
/// an id determines the rank of its item, so ranks have about equal numbers of items. The rules of `map`
/// hold: calls are local and are complete on all ranks when the mailbox has been drained; collective members
/// drain the mailbox first.
template <wire_type T>
requires std::default_initializable<T> && std::move_constructible<T>
class tagged_bag {
public:
    using key_type = std::int64_t;                 ///< The type of an id.
    using mapped_type = T;                         ///< The type of an item.
    using elements = std::tuple<std::int64_t, T&>; ///< The arguments of the body of `for_all`.

    /// Makes an empty bag. Collective: no, but all ranks make channels and containers in the same order.
    explicit tagged_bag(mailbox& mail)
        : items_(mail), next_(mail.comm().rank()), ranks_(mail.comm().size()) {}

    /// Returns the mailbox of the bag. Local.
    [[nodiscard]] mailbox& mail() const noexcept { return items_.mail(); }

    /// Inserts an item and returns its id. Local.
    std::int64_t insert(detail::argument_of<T> item) {
        std::int64_t const id = next_;
        items_.insert(id, item);
        next_ += ranks_;
        return id;
    }
    /// Inserts several items and returns their ids, in the order of the items. Local.
    std::vector<std::int64_t> insert(std::span<T const> items) {
        std::vector<std::int64_t> ids;
        ids.reserve(items.size());
        for (T const& each : items) ids.push_back(insert(each));
        return ids;
    }
    /// Erases the item with an id if there is such an item.
    void erase(std::int64_t id) const { items_.erase(id); }

    /// Makes a visitor: `visit(id, arguments...)` calls the handler on the item with this id, and skips an id
    /// without an item. The handler takes the same arguments as a handler of `map::visitor_if_contains`.
    /// Collective: no, but all ranks make the same visitors in the same order.
    template <wire_type... A, class H>
    [[nodiscard]] weft::visitor<std::int64_t, T, A...> visitor(H handler) {
        return items_.template visitor_if_contains<A...>(std::move(handler));
    }

    /// Returns the number of items of all ranks. Collective, Blocks, Cost, Throws: as `map::size`.
    [[nodiscard]] std::int64_t size() const { return items_.size(); }
    /// Returns the number of items that this rank has. Local.
    [[nodiscard]] std::int64_t local_size() const noexcept { return items_.local_size(); }
    /// Returns the item with an id, nullopt if there is no such item; all ranks pass the same id. Collective,
    /// Blocks, Cost, Throws: as `map::find`.
    [[nodiscard]] std::optional<T> find(std::int64_t id) const { return items_.find(id); }
    /// Returns the items with the given ids, in the order of the ids; nullopt for an id without an item.
    /// Ranks may pass different ids. Collective, Blocks, Cost, Throws: as `map::collect`.
    [[nodiscard]] std::vector<std::optional<T>> collect(std::span<std::int64_t const> ids) const {
        return items_.collect(ids);
    }
    /// Calls `body(std::int64_t id, T&)` for all items, each on its rank. Collective, Blocks, Cost, Order,
    /// Throws: as `map::for_all`.
    template <class Body>
    requires std::invocable<Body&, std::int64_t, T&>
    void for_all(Body&& body) const {
        items_.for_all([&](std::int64_t id, T& item) { body(id, item); });
    }
    /// Returns the ids and items of this rank, as `map::local`.
    [[nodiscard]] auto local() const noexcept { return items_.local(); }
    /// Returns all ids with their items on all ranks, in the order of ids. Collective, Blocks, Cost, Throws:
    /// as `map::gather`.
    [[nodiscard]] std::vector<std::pair<std::int64_t, T>> gather() const { return items_.gather(); }

    /// Writes all ids with their items to a file. Collective, Blocks, Cost, Throws: as `map::save`.
    void save(std::string const& file) const { items_.save_as("tagged_bag::save", "tagged_bag", file); }
    /// Replaces all ids and items by those of a file that `save` has written. Later insertions get greater
    /// ids than those of the file. Collective, Blocks, Cost, Throws: as `map::load`.
    void load(std::string const& file) {
        items_.load_as("tagged_bag::load", "tagged_bag", file);
        std::int64_t greatest = -1;
        for (auto const [id, item] : items_.local()) greatest = id > greatest ? id : greatest;
        next_ = max(items_.comm(), greatest) + 1 + items_.comm().rank();
    }
    /// Removes all items. Collective, Blocks, Cost, Throws: as `map::clear`.
    void clear() {
        items_.clear();
        next_ = items_.comm().rank();
    }

private:
    map<std::int64_t, T> items_;
    std::int64_t next_; // of this rank
    std::int64_t ranks_;
};

} // namespace weft
