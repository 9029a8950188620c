/// Sets of items that any rank may unite.
#pragma once

#include <weft/collective/gather.hpp>
#include <weft/detail/containers/container_file.hpp>
#include <weft/detail/containers/container_mail.hpp>
#include <weft/detail/containers/hashed_container.hpp>
#include <weft/detail/containers/local_table.hpp>
#include <weft/detail/containers/union_forest.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

/// A function object that unites two sets and then calls a handler: `unite(a, b, arguments...)`. The object
/// may be copied, and must not outlive its container. Local. Throws: `usage_error` in a `for_all` of this
/// container; errors of encoding. Cost: as `disjoint_set::union_sets`; each message contains the arguments,
/// and both items twice.
template <class T, class... A>
class union_visitor {
public:
    /// Binds the visitor to one channel of a container's mailbox. The container calls this constructor.
    union_visitor(mail_engine& engine, detail::walked_part const& part, int channel) noexcept
        : engine_(&engine), part_(&part), channel_(channel) {}

    /// Unites the sets of two items; if the sets were different, the handler is called with both items and
    /// the arguments. Local.
    void operator()(
        detail::argument_of<T> a, detail::argument_of<T> b, detail::argument_of<A>... arguments) const {
        if (part_->is_walked && !engine_->in_handler()) [[unlikely]]
            detail::changed_while_walked("a union");
        detail::send_union<T, T, T, A...>(*engine_, channel_, a, b, a, b, arguments...);
    }
    /// Unites the sets of a[i] and b[i] with the arguments at index i, for all i. Throws: `usage_error` also
    /// if the lists have different lengths; then nothing is sent.
    void operator()(std::span<T const> a, std::span<T const> b, std::span<A const>... arguments) const {
        if (a.size() != b.size()) detail::unequal_spans("union_and_execute", a.size(), b.size());
        ((arguments.size() == a.size()
                 ? void()
                 : detail::unequal_spans("union_and_execute", a.size(), arguments.size())),
            ...);
        for (std::size_t i = 0; i < a.size(); ++i) (*this)(a[i], b[i], arguments[i]...);
    }

private:
    mail_engine* engine_;
    detail::walked_part const* part_;
    int channel_;
};

/// Items of all ranks in disjoint sets, which any rank may unite at any time, also in handlers. A call that
/// unites sets is local and sends messages to the ranks that own the items; when the mailbox has been
/// drained, the call is complete on all ranks. Collective members first drain its mailbox. Each item is in
/// one set; an item that was never united is alone in its set. The representative of a set is one of its
/// items. The representative depends only on the items, not on the number of ranks. A container must not
/// outlive its mailbox. All ranks make their containers in the same order. A set that was moved from may be
/// destroyed or assigned to.
///
/// Memory: each item twice, and an entry of a hash table for each item; 5 channels of the mailbox. Source:
/// `disjoint_set` of YGM; Goel and others, SODA 2014, for the order in which sets are linked.
template <key_type T>
requires std::copyable<T> && std::default_initializable<T>
class disjoint_set {
public:
    using key_type = T; ///< The type of an item.

    /// Makes an empty container. Collective: no, but all ranks make the same channels and containers in the
    /// same order.
    explicit disjoint_set(mailbox& mail)
        : mail_(mail),
          part_(detail::shared<part_type>(new part_type(mail_.engine().rank(), mail_.engine().size()))),
          awaited_(detail::shared<answers_type>(new answers_type)) {
        make_channels();
    }
    /// Copies all sets, on the same mailbox. Collective: yes. Blocks: until the mailbox is drained. Cost: a
    /// drain, and a copy of all items of this rank. Throws: all that `mailbox::drain` throws;
    /// `std::bad_alloc` and errors of copying, on all ranks.
    disjoint_set(disjoint_set const& other) : disjoint_set(other.mail_.mail()) {
        mail_.mail().drain();
        gate call(mail_.comm(), "disjoint_set: a copy");
        agreed(call, [&] {
            other.part_->table.for_each([&](entry const& each) {
                entry& copy = part_->made(each.hash.of(each.key), each.key);
                if (each.value.is_root()) return;
                T const& above = each.value.is_remote ? each.value.remote : each.value.local->key;
                part_->put_below(copy, hash_of(above), above);
            });
            part_->links = other.part_->links;
        });
    }
    disjoint_set& operator=(disjoint_set const& other) {
        *this = disjoint_set(other);
        return *this;
    }
    disjoint_set(disjoint_set&&) noexcept = default;
    disjoint_set& operator=(disjoint_set&&) noexcept = default;
    ~disjoint_set() = default; // local

    /// Inserts an item, as a set of its own, unless the item is present.
    void insert(detail::argument_of<T> item) const {
        expect_not_walked("insert");
        detail::send_record<T>(mail_.engine(), owner(item), make_, item);
    }
    /// Inserts several items.
    void insert(std::span<T const> items) const {
        for (T const& each : items) insert(each);
    }
    /// Unites the sets of two items, which are inserted if they are not present. Cost: messages along a tree
    /// from the smaller item to a root: O(log n) messages are expected for n items, and few when the tree is
    /// flat.
    void union_sets(detail::argument_of<T> a, detail::argument_of<T> b) const {
        expect_not_walked("union_sets");
        detail::send_union<T>(mail_.engine(), unite_, a, b);
    }
    /// Unites the sets of a[i] and b[i], for all i. Throws: `usage_error` if the lists have different
    /// lengths; then nothing is sent.
    void union_sets(std::span<T const> a, std::span<T const> b) const {
        if (a.size() != b.size()) detail::unequal_spans("disjoint_set::union_sets", a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) union_sets(a[i], b[i]);
    }
    /// Makes a function object: `unite(a, b, arguments...)` unites the sets of a and b as `union_sets` does.
    /// If the sets of a and b were different, `handler(a, b, arguments...)` is called once, on one rank. The
    /// pairs (a, b) whose handlers have run are the edges of a spanning forest. The handler may send
    /// messages, and use containers, including this container. Collective: no, but all ranks make the same
    /// function objects in the same order.
    template <wire_type... A, class H>
    requires(std::invocable<H&, detail::view_of<T> const&, detail::view_of<T> const&,
                 detail::view_of<A> const&...> ||
             std::invocable<H&, T const&, T const&, A const&...>)
        [[nodiscard]] union_visitor<T, A...> union_and_execute(H handler) {
        int const channel = made_union<H, T, T, A...>(std::move(handler));
        return {mail_.engine(), *part_, channel};
    }

    /// Returns the number of items of all ranks. Collective: yes. Blocks: until the mailbox is drained. Cost:
    /// a drain and a small all-reduce. Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::int64_t size() const {
        mail_.mail().drain();
        return sum(mail_.comm(), local_size());
    }
    /// Returns the number of sets. Collective, Blocks, Cost, Throws: as `size`.
    [[nodiscard]] std::int64_t num_sets() const {
        mail_.mail().drain();
        return sum(mail_.comm(), local_size() - part_->links);
    }
    /// Returns the representatives of the sets of the given items, in the order of the items. Ranks may pass
    /// different items. An item that was never inserted represents itself. Collective: yes. Blocks: until all
    /// ranks have their answers. Cost: two messages per item, and one message for each step in its tree that
    /// leads to another rank, collected in buffers. Throws: all that `mailbox::drain` throws.
    [[nodiscard]] std::vector<T> all_find(std::span<T const> items) const {
        std::vector<T> found;
        waiting const here{*awaited_};
        mail_.phase("disjoint_set::all_find", [&] {
            found.assign(items.begin(), items.end());
            awaited_->to = &found;
            for (std::size_t i = 0; i < items.size(); ++i) ask(items[i], i);
        });
        return found;
    }

    /// Calls `body(T const& item, T const& representative)` for all items, each on its rank. `body` may send
    /// messages, and use other containers. Collective: yes. Blocks: until all ranks have called `body` for
    /// their items and the mailbox is drained. Cost: as `all_find` of the parents in the trees that are on
    /// other ranks, each parent once per rank; two drains. Items have no order. Throws: errors of `body`, on
    /// all ranks; `usage_error` if `body` changes these sets; also all that `mailbox::drain` throws.
    template <class Body>
    requires std::invocable<Body&, T const&, T const&>
    void for_all(Body&& body) const {
        compress();
        mail_.phase("disjoint_set::for_all", [&] {
            struct walk {
                explicit walk(part_type& of) noexcept : part(of) { part.is_walked = true; }
                ~walk() { part.is_walked = false; }
                part_type& part;
            };
            walk const now(*part_);
            part_->table.for_each([&](entry& each) {
                T const representative(representative_of(each)); // it may change while the body sends
                body(std::as_const(each.key), representative);
            });
        });
    }
    /// Returns the number of items that this rank owns. Local.
    [[nodiscard]] std::int64_t local_size() const noexcept {
        return static_cast<std::int64_t>(part_->table.size());
    }
    /// Returns the rank that owns an item. Local.
    [[nodiscard]] int owner(detail::argument_of<T> item) const {
        return detail::owner_of_hash(detail::hash_of_key<T>(item), mail_.engine().size());
    }

    /// Returns all items with their representatives on all ranks, in the order of items if their type has
    /// `<`. Collective, Blocks, Throws: as `for_all`. Cost: as `for_all` and `all_gatherv`.
    [[nodiscard]] std::vector<std::pair<T, T>> gather() const {
        compress();
        gate call(mail_.comm(), "disjoint_set::gather");
        std::vector<std::pair<T, T>> mine;
        agreed(call, [&] {
            mine.reserve(part_->table.size());
            part_->table.for_each(
                [&](entry const& each) { mine.emplace_back(each.key, representative_of(each)); });
        });
        auto all = all_gatherv(mail_.comm(), std::move(mine));
        if constexpr (std::totally_ordered<T>)
            detail::sort_gathered_by(all, [](auto const& a, auto const& b) { return a.first < b.first; });
        return all;
    }
    /// Writes all items with the representatives of their sets to a file. Collective, Blocks: as `for_all`.
    /// Cost, Throws: as `for_all` and `map::save`.
    void save(std::string const& file) const {
        compress();
        gate call(mail_.comm(), "disjoint_set::save");
        detail::save_records<T, T>(call, file, "disjoint_set", [&](auto&& put) {
            part_->table.for_each([&](entry const& each) { put(each.key, representative_of(each)); });
        });
    }
    /// Replaces all sets by those of a file that `save` has written. Collective, Blocks, Throws: as
    /// `map::load`. Cost: as `map::load`, and a union for each item.
    void load(std::string const& file) const {
        mail_.mail().drain();
        gate call(mail_.comm(), "disjoint_set::load");
        detail::loaded_records<T, T> const records(call, file, "disjoint_set");
        part_->table.clear();
        part_->links = 0;
        mail_.phase("disjoint_set::load", [&] {
            records.for_each([&](auto const& item, auto const& representative) {
                if (item == representative)
                    insert(item);
                else
                    union_sets(item, representative);
            });
        });
    }
    /// Removes all items. Collective: yes. Blocks: until the mailbox is drained. Cost: a drain. Throws: as
    /// `size`.
    void clear() const {
        mail_.mail().drain();
        part_->table.clear();
        part_->links = 0;
    }
    /// Swaps two containers, together with all messages on their way to either of the two. Local; all ranks
    /// make the call.
    friend void swap(disjoint_set& a, disjoint_set& b) noexcept {
        std::swap(a.mail_, b.mail_);
        std::swap(a.part_, b.part_);
        std::swap(a.awaited_, b.awaited_);
        std::swap(a.make_, b.make_);
        std::swap(a.raise_, b.raise_);
        std::swap(a.unite_, b.unite_);
        std::swap(a.ask_, b.ask_);
    }

private:
    using part_type = detail::forest_part<T>;
    using entry = typename part_type::entry;
    using answers_type = detail::awaited_answers<T>;
    struct waiting {
        ~waiting() { awaited.to = nullptr; }
        answers_type& awaited;
    };

    void expect_not_walked(char const* call) const {
        if (part_->is_walked && !mail_.engine().in_handler()) [[unlikely]]
            detail::changed_while_walked(call);
    }
    void ask(detail::argument_of<T> item, std::size_t place) const {
        detail::send_record<T, std::int64_t, int>(
            mail_.engine(), owner(item), ask_, item, static_cast<std::int64_t>(place), mail_.engine().rank());
    }

    template <class H, class... C>
    int made_union(H handler) {
        using channel_type = detail::unite_channel<T, H, C...>;
        auto* const made = new channel_type(
            part_, detail::unite_apply<T, H, C...>{&mail_.engine(), std::move(handler), make_, raise_});
        int const number = mail_.keep(made);
        made->set_number(number);
        return number;
    }
    void make_channels() {
        make_ = mail_.template make<detail::container_call::insert, T>(
            part_, [](part_type& part, int, std::uint64_t hash, detail::view_of<T> const& item) {
                (void)part.made(hash, item);
            });
        raise_ = mail_.template make<detail::container_call::assign, T, T>(
            part_, [](part_type& part, int, std::uint64_t hash, detail::view_of<T> const& item,
                       detail::view_of<T>& above) {
                entry& top = part.top_of(part.made(hash, item));
                T const& known = part.end_of(top);
                std::uint64_t const hash_above = hash_of(above);
                if (detail::is_lower<T>(hash_of(known), known, hash_above, above))
                    part.put_below(top, hash_above, above);
            });
        unite_ = made_union<detail::no_handler>({});
        int const answer = mail_.template make<detail::container_call::answer, std::int64_t, T>(awaited_,
            [](answers_type& awaited, int, std::int64_t place, std::int64_t, detail::view_of<T>& found) {
                if (awaited.to != nullptr)
                    (*awaited.to)[static_cast<std::size_t>(place)] = T(std::move(found));
            });
        auto step = [engine = &mail_.engine(), answer, own = &part_->ask_channel](part_type& part, int,
                        std::uint64_t hash, detail::view_of<T> const& item, std::int64_t place, int asker) {
            entry* const here = part.table.find(hash, item);
            if (here == nullptr) return; // alone: its answer is there
            entry& top = part.top_of(*here);
            T const above(part.end_of(top)); // a copy: it may change while these wait for room
            if (top.value.is_root())
                detail::send_record<std::int64_t, T>(*engine, asker, answer, place, above);
            else
                detail::send_record<T, std::int64_t, int>(*engine,
                    detail::owner_of_hash(detail::hash_of_key<T>(above), part.ranks), *own, above, place,
                    asker);
        };
        ask_ = mail_.template make<detail::container_call::ask, T, std::int64_t, int>(part_, std::move(step));
        part_->ask_channel = ask_;
    }

    /// Puts all items right below the representatives of their sets. Each item of another rank is asked for
    /// once.
    void compress() const {
        detail::local_table<T, std::size_t> places;
        std::vector<T> found;
        waiting const here{*awaited_};
        mail_.phase("disjoint_set: representatives", [&] {
            part_->table.for_each([&](entry& each) {
                entry const& top = part_->top_of(each);
                if (top.value.is_root()) return;
                T const& above = top.value.remote;
                if (places.find_or_make(hash_of(above), above, [&] { return found.size(); }).second)
                    found.push_back(above);
            });
            awaited_->to = &found;
            places.for_each([&](auto const& each) { ask(each.key, each.value); });
        });
        gate call(mail_.comm(), "disjoint_set: representatives");
        agreed(call, [&] {
            // First items right below one of another rank, then those below these.
            part_->table.for_each([&](entry& each) {
                if (!each.value.is_remote) return;
                if (auto const* const asked = places.find(hash_of(each.value.remote), each.value.remote))
                    part_->put_below(each, hash_of(found[asked->value]), found[asked->value]);
            });
            part_->table.for_each([&](entry& each) {
                entry& top = part_->top_of(each);
                if (&top == &each) return;
                if (top.value.is_root())
                    each.value.set_local(top);
                else
                    each.value.set_remote(top.value.remote);
            });
        });
    }
    /// Returns the representative of an item, after `compress`.
    [[nodiscard]] static T const& representative_of(entry const& each) noexcept {
        if (each.value.is_remote) return each.value.remote;
        return each.value.is_root() ? each.key : each.value.local->key;
    }
    [[nodiscard]] static std::uint64_t hash_of(detail::argument_of<T> item) {
        return detail::hash_of_key<T>(item);
    }

    detail::container_mail mail_;
    detail::shared<part_type> part_;
    detail::shared<answers_type> awaited_;
    int make_ = 0;
    int raise_ = 0;
    int unite_ = 0;
    int ask_ = 0;
};

} // namespace weft
