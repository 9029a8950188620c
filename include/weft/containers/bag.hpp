/// Items of all ranks in no order.
#pragma once

#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/detail/containers/container_file.hpp>
#include <weft/detail/containers/container_mail.hpp>
#include <weft/detail/containers/first_items.hpp>
#include <weft/detail/containers/sorted_share.hpp>
#include <weft/detail/core/even_shares.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

namespace detail {

[[nodiscard]] constexpr std::int64_t excess(std::int64_t value) noexcept {
    return value > 0 ? value : 0;
}

/// The part of a bag that a rank has.
template <class T>
struct bag_part : counted {
    std::vector<T> items;
    bool is_walked = false;

    [[nodiscard]] static int locate(std::uint8_t) noexcept { return 0; }
    static void prefetch(int) noexcept {}
    static void prefetch_entry(int) noexcept {}
};

} // namespace detail

/// Items without an order. Any rank may insert items at any time, also in handlers; `for_all` visits all
/// items. An item stays on the rank that inserts it, unless the call names another rank; `rebalance` moves
/// items. Collective members first drain its mailbox. A bag must not outlive its mailbox. All ranks make
/// their containers in the same order. A bag that was moved from may be destroyed or assigned to.
template <wire_type T>
requires std::copyable<T>
class bag {
public:
    using value_type = T;            ///< The type of an item.
    using elements = std::tuple<T&>; ///< The arguments of the body of `for_all`.

    /// Makes an empty bag. Collective: no, but all ranks make channels and containers in the same order.
    explicit bag(mailbox& mail) : mail_(mail), part_(detail::shared<part_type>(new part_type)) {
        make_channel();
    }
    /// Copies a bag, on the same mailbox. Collective: yes. Blocks: until the mailbox is drained. Cost: a
    /// drain, and a copy of all items of this rank. Throws: `std::bad_alloc` and errors of copying, on all
    /// ranks.
    bag(bag const& other) : mail_(other.mail_.mail()), part_(detail::shared<part_type>(new part_type)) {
        make_channel();
        mail_.mail().drain();
        gate call(mail_.comm(), "bag: a copy");
        agreed(call, [&] { part_->items = other.part_->items; });
    }
    bag& operator=(bag const& other) {
        *this = bag(other);
        return *this;
    }
    bag(bag&&) noexcept = default;
    bag& operator=(bag&&) noexcept = default;
    ~bag() = default; // local

    /// Returns the mailbox of the bag. Local.
    [[nodiscard]] mailbox& mail() const noexcept { return mail_.mail(); }

    /// Inserts an item on this rank. Throws: `usage_error` in a `for_all` of this bag; `std::bad_alloc`.
    void insert(T item) const {
        expect_not_walked();
        part_->items.push_back(std::move(item));
    }
    /// Inserts copies of several items on this rank. Local.
    void insert(std::span<T const> items) const {
        expect_not_walked();
        part_->items.insert(part_->items.end(), items.begin(), items.end());
    }
    /// Inserts an item on the given rank. Throws: `usage_error` also for an invalid rank.
    void insert_at(int rank, detail::argument_of<T> item) const {
        expect_not_walked();
        send(rank, item);
    }
    /// Inserts several items on the given rank, in the order of the list.
    void insert_at(int rank, std::span<T const> items) const {
        for (T const& each : items) insert_at(rank, each);
    }

    /// Returns the number of items of all ranks. Collective: yes. Blocks: until the mailbox is drained. Cost:
    /// a drain and a small all-reduce. Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::int64_t size() const {
        mail_.mail().drain();
        return sum(mail_.comm(), local_size());
    }
    /// Returns the number of items of this rank. Local.
    [[nodiscard]] std::int64_t local_size() const noexcept { return std::ssize(part_->items); }
    /// Returns the items of this rank. Local; messages in flight may still add items.
    [[nodiscard]] std::span<T> local() const noexcept requires(!std::same_as<T, bool>) {
        return part_->items;
    }

    /// Calls `body(T&)` for all items, each on its rank. `body` may send messages, and insert into other
    /// containers. Collective: yes. Blocks: until all ranks have called `body` for their items and the
    /// mailbox is drained. Cost: two drains. Order: items of a rank in the order of their insertion. Throws:
    /// errors of `body`, on all ranks, and `usage_error` if `body` inserts into this bag; also all that
    /// `mailbox::drain` throws.
    template <class Body>
    requires std::invocable<Body&, T&>
    void for_all(Body&& body) const {
        struct walk {
            explicit walk(part_type& of) noexcept : part(of) { part.is_walked = true; }
            ~walk() { part.is_walked = false; }
            part_type& part;
        };
        mail_.phase("bag::for_all", [&] {
            // Messages that come meanwhile would move the items from under the body.
            std::vector<T> walked = std::exchange(part_->items, {});
            std::exception_ptr thrown;
            try {
                walk const now(*part_);
                for (T& each : walked) body(each);
            } catch (...) { thrown = std::current_exception(); }
            std::swap(part_->items, walked);
            part_->items.insert(part_->items.end(), std::make_move_iterator(walked.begin()),
                std::make_move_iterator(walked.end()));
            if (thrown) std::rethrow_exception(thrown);
        });
    }
    /// Returns all items on all ranks, ordered by rank. Collective: yes. Blocks: until all ranks have called.
    /// Cost: as `all_gatherv`. Throws: all that `mailbox::drain` throws; `std::bad_alloc` and errors of
    /// copying, on all ranks.
    [[nodiscard]] std::vector<T> gather() const {
        mail_.mail().drain();
        gate call(mail_.comm(), "bag::gather");
        std::vector<T> mine;
        agreed(call, [&] { mine = part_->items; });
        return all_gatherv(mail_.comm(), std::move(mine));
    }
    /// Returns on all ranks the first `k` items in the order `before(T const&, T const&)`, which must be the
    /// same on all ranks; by default the greatest item comes first. Collective, Throws: as `gather`. Blocks,
    /// Cost: as `map::gather_top_k`.
    template <class Before = detail::greater_first>
    requires std::predicate<Before&, T const&, T const&>
    [[nodiscard]] std::vector<T> gather_top_k(std::int64_t k, Before before = {}) const {
        mail_.mail().drain();
        return detail::gather_first<T>(mail_.comm(), "bag::gather_top_k", k, before, [&](auto&& use) {
            for (T const& each : part_->items) use(each);
        });
    }
    /// Returns, on all ranks, the combination of the values of all items: `of(T const&)` returns the value of
    /// an item, and `op(R, R)` combines two values. The result is nullopt if the bag is empty. Order: values
    /// are combined by rank, then in the order of insertion. Collective, Blocks, Cost, Throws: as `for_all`.
    template <class Of, class Op>
    [[nodiscard]] auto all_reduce(Of of, Op op) const {
        using result = std::remove_cvref_t<decltype(of(std::declval<T const&>()))>;
        mail_.mail().drain();
        gate call(mail_.comm(), "bag::all_reduce");
        std::optional<result> mine;
        agreed(call, [&] {
            for (T const& each : part_->items) {
                if (mine)
                    mine = op(std::move(*mine), of(each));
                else
                    mine = of(each);
            }
        });
        return weft::all_reduce(
            mail_.comm(), std::move(mine), [&](std::optional<result> a, std::optional<result> b) {
                if (!a || !b) return a ? a : b;
                return std::optional<result>(op(std::move(*a), std::move(*b)));
            });
    }

    /// Moves items so that the numbers of items of the ranks differ by at most one. Collective: yes. Blocks:
    /// until the mailbox is drained. Cost: a message for each item that moves; as few items as possible move.
    /// Items have no order. Throws: all that `mailbox::drain` throws.
    void rebalance() const {
        mail_.mail().drain();
        std::vector<std::int64_t> const sizes = all_gather(mail_.comm(), local_size());
        mail_.phase("bag::rebalance", [&] {
            std::int64_t total = 0;
            for (std::int64_t const each : sizes) total += each;
            detail::even_shares const shares(total, std::ssize(sizes));
            // The surpluses of ranks, laid end to end, meet the lacks of others.
            std::int64_t surplus_before = 0;
            for (int rank = 0; rank < mail_.comm().rank(); ++rank)
                surplus_before += detail::excess(sizes[static_cast<std::size_t>(rank)] - shares.size(rank));
            std::int64_t const keep =
                local_size() - detail::excess(local_size() - shares.size(mail_.comm().rank()));
            std::vector<T> extra(std::make_move_iterator(part_->items.begin() + keep),
                std::make_move_iterator(part_->items.end()));
            part_->items.erase(part_->items.begin() + keep, part_->items.end());
            std::int64_t lack_before = 0;
            for (int rank = 0; rank < std::ssize(sizes); ++rank) {
                std::int64_t const lack =
                    detail::excess(shares.size(rank) - sizes[static_cast<std::size_t>(rank)]);
                std::int64_t const from = std::max(lack_before, surplus_before);
                std::int64_t const to = std::min(lack_before + lack, surplus_before + std::ssize(extra));
                for (std::int64_t i = from; i < to; ++i)
                    send(rank, extra[static_cast<std::size_t>(i - surplus_before)]);
                lack_before += lack;
            }
        });
    }
    /// Sorts the items in the order `before(T const&, T const&)`, which must be the same on all ranks: rank 0
    /// gets the first items, and the numbers of items of the ranks differ by at most one. Collective, Blocks,
    /// Cost, Throws: as `array::sort`. Order: equal items stay in the order of their ranks and positions.
    template <class Before = detail::less_first>
    requires std::predicate<Before&, T const&, T const&>
    void sort(Before before = {}) const {
        mail_.mail().drain();
        gate call(mail_.comm(), "bag::sort");
        std::vector<T> mine;
        agreed(call, [&] { mine = part_->items; });
        part_->items = detail::sorted_share(call, std::move(mine), before);
    }
    /// Writes all items to a file. Collective, Blocks, Cost, Throws: as `array::save`.
    void save(std::string const& file) const {
        mail_.mail().drain();
        gate call(mail_.comm(), "bag::save");
        detail::save_records<T>(call, file, "bag", [&](auto&& put) {
            for (T const& each : part_->items) put(each);
        });
    }
    /// Replaces all items by the items of a file that `save` has written; each rank gets an equal share.
    /// Collective, Blocks, Cost, Throws: as `array::load`. Order: the order in which `gather` returned the
    /// items when they were saved.
    void load(std::string const& file) const {
        mail_.mail().drain();
        gate call(mail_.comm(), "bag::load");
        part_->items = detail::load_items<T>(call, file, "bag");
    }
    /// Removes all items. Collective: yes. Blocks: until the mailbox is drained. Cost: a drain. Throws: as
    /// `size`; `usage_error` in a `for_all` of this bag.
    void clear() const {
        if (part_->is_walked) [[unlikely]]
            detail::changed_while_walked("clear");
        mail_.mail().drain();
        part_->items = {};
    }
    /// Swaps two bags, together with all messages on their way to either of the two. Local; all ranks make
    /// the call.
    friend void swap(bag& a, bag& b) noexcept {
        std::swap(a.mail_, b.mail_);
        std::swap(a.part_, b.part_);
        std::swap(a.channel_, b.channel_);
    }

private:
    using part_type = detail::bag_part<T>;

    void expect_not_walked() const {
        if (part_->is_walked && !mail_.engine().in_handler()) [[unlikely]]
            detail::changed_while_walked("insert");
    }
    void send(int rank, detail::argument_of<T> item) const {
        if (static_cast<unsigned>(rank) >= static_cast<unsigned>(mail_.engine().size())) [[unlikely]]
            detail::no_such_rank(rank, mail_.engine().size());
        detail::send_record<std::uint8_t, T>(mail_.engine(), rank, channel_, std::uint8_t{0}, item);
    }
    void make_channel() {
        channel_ = mail_.template make<detail::container_call::move, std::uint8_t, T>(
            part_, [](part_type& part, int, int, std::uint8_t, detail::view_of<T>& item) {
                part.items.push_back(T(std::move(item)));
            });
    }

    detail::container_mail mail_;
    detail::shared<part_type> part_;
    int channel_ = 0;
};

} // namespace weft
