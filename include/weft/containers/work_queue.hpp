/// Items that wait on each rank for processing.
#pragma once

#include <weft/detail/containers/container_mail.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// The order of a `work_queue` in which the oldest item is processed next.
struct fifo {};
/// The order of a `work_queue` in which the newest item is processed next.
struct lifo {};
/// The order of a `work_queue` in which the first item by `before(T const&, T const&)` is processed next;
/// equal items have no order.
template <class Before>
struct by_priority {
    Before before = {}; ///< A strict weak order.
};

namespace detail {

/// Items in an order.
template <class T, class Order>
class waiting_items;

template <class T>
class waiting_items<T, fifo> {
public:
    explicit waiting_items(fifo) noexcept {}
    [[nodiscard]] std::size_t size() const noexcept { return items_.size() - first_; }
    void add(T item) { items_.push_back(std::move(item)); }
    [[nodiscard]] T take() {
        T item = std::move(items_[first_++]);
        if (first_ >= 1024 && 2 * first_ >= items_.size()) { // what is moved has been taken as often
            items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        return item;
    }
    void clear() noexcept {
        items_ = {};
        first_ = 0;
    }

private:
    std::vector<T> items_;
    std::size_t first_ = 0;
};

template <class T>
class waiting_items<T, lifo> {
public:
    explicit waiting_items(lifo) noexcept {}
    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    void add(T item) { items_.push_back(std::move(item)); }
    [[nodiscard]] T take() {
        T item = std::move(items_.back());
        items_.pop_back();
        return item;
    }
    void clear() noexcept { items_ = {}; }

private:
    std::vector<T> items_;
};

/// A binary heap. (`std::push_heap` costs a header all of <algorithm>.)
template <class T, class Before>
class waiting_items<T, by_priority<Before>> {
public:
    explicit waiting_items(by_priority<Before> order) : before_(std::move(order.before)) {}
    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    void add(T item) {
        items_.push_back(std::move(item));
        for (std::size_t at = items_.size() - 1; at > 0 && before_(items_[at], items_[(at - 1) / 2]);
             at = (at - 1) / 2)
            std::swap(items_[at], items_[(at - 1) / 2]);
    }
    [[nodiscard]] T take() {
        std::swap(items_.front(), items_.back());
        T item = std::move(items_.back());
        items_.pop_back();
        for (std::size_t at = 0; 2 * at + 1 < items_.size();) {
            std::size_t next = 2 * at + 1;
            if (next + 1 < items_.size() && before_(items_[next + 1], items_[next])) ++next;
            if (!before_(items_[next], items_[at])) break;
            std::swap(items_[at], items_[next]);
            at = next;
        }
        return item;
    }
    void clear() noexcept { items_ = {}; }

private:
    std::vector<T> items_;
    Before before_;
};

/// The part of a queue that a rank has.
template <class T, class Order>
struct queue_part : counted {
    explicit queue_part(Order order) : items(std::move(order)) {}

    waiting_items<T, Order> items;
    bool is_drained = false; ///< `drain` works off the items

    [[nodiscard]] static int locate(std::uint8_t) noexcept { return 0; }
    static void prefetch(int) noexcept {}
    static void prefetch_entry(int) noexcept {}
};

[[noreturn]] void queue_is_drained();

} // namespace detail

/// Items that wait on each rank for processing. Each rank processes its items in the order `fifo`, `lifo` or
/// `by_priority<Before>`. Any rank may insert items at any time, also in handlers. `drain` processes items by
/// a function, which may insert further items. Other collective members, and `drain` of the mailbox, deliver
/// items to their ranks but process no item. A queue must not outlive its mailbox. All ranks make their
/// containers in the same order. Cost: a channel of the mailbox.
template <wire_type T, class Order = fifo>
requires std::movable<T>
class work_queue {
public:
    using value_type = T; ///< The type of an item.

    /// Makes an empty queue. Collective: no, but all ranks make the same channels and containers in the same
    /// order.
    explicit work_queue(mailbox& mail, Order order = {})
        : mail_(mail), part_(detail::shared<part_type>(new part_type(std::move(order)))) {
        channel_ = mail_.template make<detail::container_call::move, std::uint8_t, T>(
            part_, [](part_type& part, int, int, std::uint8_t, detail::view_of<T>& item) {
                part.items.add(T(std::move(item)));
            });
    }
    work_queue(work_queue&&) noexcept = default;
    work_queue& operator=(work_queue&&) noexcept = default;
    ~work_queue() = default; // local

    /// Inserts an item on this rank. Local. Throws: `std::bad_alloc`, and errors of `before`.
    void insert(T item) const { part_->items.add(std::move(item)); }
    /// Inserts copies of several items on this rank. Local. Throws: as `insert`.
    void insert(std::span<T const> items) const {
        for (T const& each : items) part_->items.add(each);
    }
    /// Inserts an item on the given rank. Throws: `usage_error` for an invalid rank; errors of encoding.
    void insert_at(int rank, detail::argument_of<T> item) const {
        if (static_cast<unsigned>(rank) >= static_cast<unsigned>(mail_.engine().size())) [[unlikely]]
            detail::no_such_rank(rank, mail_.engine().size());
        detail::send_record<std::uint8_t, T>(mail_.engine(), rank, channel_, std::uint8_t{0}, item);
    }

    /// Takes the items of each rank from its queue and calls `work(T&)` with each item, until no rank has
    /// items and no message is in flight. `work` may send messages, and insert into this queue and other
    /// containers. Unlike a handler, `work` waits for free buffers when it sends. Collective: yes. Blocks:
    /// until all ranks have processed their items. Cost: a test for arrived messages after every 8 items, and
    /// a drain of the mailbox. Order: the order of the queue, applied to the items that the rank has at the
    /// moment. Throws: errors of `work`, on all ranks: the rank where `work` throws stops, and its other
    /// items stay in its queue, while other ranks continue; `usage_error` if `work` calls `drain`; also all
    /// that `mailbox::drain` throws.
    template <class Work>
    requires std::invocable<Work&, T&>
    void drain(Work&& work) const {
        mail_engine::expect_no_handler("work_queue::drain");
        if (part_->is_drained) detail::queue_is_drained();
        struct draining {
            explicit draining(part_type& of) noexcept : part(of) { part.is_drained = true; }
            ~draining() { part.is_drained = false; }
            part_type& part;
        };
        draining const now(*part_);
        bool works = true;
        std::int64_t done = 0;
        do {
            while (works && part_->items.size() > 0) {
                try {
                    T item = part_->items.take();
                    work(item);
                } catch (...) {
                    mail_.engine().fail(std::current_exception(), "work_queue::drain: ");
                    works = false;
                }
                ++done;
                if (done % items_between_polls == 0)
                    (void)mail_.mail().poll();
                else if (done % items_between_looks == 0)
                    (void)mail_.engine().receive();
            }
        } while (!mail_.mail().test_empty());
    }

    /// Returns the number of items that wait on all ranks. Collective: yes. Blocks: until the mailbox is
    /// drained. Cost: a drain and a small all-reduce. Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::int64_t size() const {
        mail_.mail().drain();
        return sum(mail_.comm(), local_size());
    }
    /// Returns the number of items that wait on this rank. Local.
    [[nodiscard]] std::int64_t local_size() const noexcept {
        return static_cast<std::int64_t>(part_->items.size());
    }
    /// Removes all items. Collective: yes. Blocks: until the mailbox is drained. Cost: a drain. Throws: as
    /// `size`.
    void clear() const {
        mail_.mail().drain();
        part_->items.clear();
    }
    /// Swaps two queues, together with all messages on their way to either of the two. Local; all ranks make
    /// the call.
    friend void swap(work_queue& a, work_queue& b) noexcept {
        std::swap(a.mail_, b.mail_);
        std::swap(a.part_, b.part_);
        std::swap(a.channel_, b.channel_);
    }

private:
    using part_type = detail::queue_part<T, Order>;

    static constexpr std::int64_t items_between_looks = 8;
    static constexpr std::int64_t items_between_polls = 256; // buffers that are not full go, too

    detail::container_mail mail_;
    detail::shared<part_type> part_;
    int channel_ = 0;
};

} // namespace weft
