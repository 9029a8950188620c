/// The common part of map, multimap, set and counting_set.
#pragma once

#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/containers/container_file.hpp>
#include <weft/detail/containers/container_mail.hpp>
#include <weft/detail/containers/first_items.hpp>
#include <weft/detail/containers/hashed_part.hpp>
#include <weft/detail/containers/reducing_channel.hpp>
#include <weft/detail/containers/visit_calls.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/collectives.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft::detail {

/// One value per key: the first one is kept.
template <class V>
struct one_value {
    using stored = V;
    using found = V; // a copy of what is stored
    template <class Entry, class Body>
    static void for_each(Entry& of, Body&& body) {
        body(of.value);
    }
    template <class Table, class K, class View>
    static void insert(Table& table, std::uint64_t hash, K const& key, View& value) {
        // mutant: insert_keeps_the_last_value
        table.find_or_make(hash, key, [&] { return V(std::move(value)); });
    }
    [[nodiscard]] static V const& copy(V const& value) noexcept { return value; }
};

/// A container of keys, distributed by their hashes. `Kind` defines how an inserted value is stored with its
/// key.
template <class K, class V, class Kind = one_value<V>>
class hashed_container {
public:
    using stored = typename Kind::stored;
    using part_type = hashed_part<K, stored>;
    using entry = typename local_table<K, stored>::entry;
    using found = typename Kind::found;
    using answers_type = awaited_answers<std::optional<found>>;

    explicit hashed_container(mailbox& mail)
        : mail_(mail),
          part_(shared<part_type>(new part_type)),
          awaited_(shared<answers_type>(new answers_type)) {
        insert_ = mail_.make<container_call::insert, K, V>(
            part_, [](part_type& part, int, std::uint64_t hash, view_of<K> const& key, view_of<V>& value) {
                Kind::insert(part.table, hash, key, value);
            });
        erase_ = mail_.make<container_call::erase, K>(
            part_, [](part_type& part, int, std::uint64_t hash, view_of<K> const& key) {
                part.table.erase(hash, key);
            });
        // A key without an entry needs no reply: its place is already empty.
        answer_ = mail_.make<container_call::answer, std::int64_t, found>(awaited_,
            [](answers_type& awaited, int, std::int64_t place, std::int64_t, view_of<found>& value) {
                if (awaited.to != nullptr)
                    (*awaited.to)[static_cast<std::size_t>(place)].emplace(std::move(value));
            });
        auto ask = [engine = &mail_.engine(), answer = answer_](part_type& part, int source,
                       std::uint64_t hash, view_of<K> const& key, std::int64_t place) {
            if (entry const* const each = part.table.find(hash, key))
                send_record<std::int64_t, stored>(*engine, source, answer, place, each->value);
        };
        ask_ = mail_.make<container_call::ask, K, std::int64_t>(part_, std::move(ask));
    }

    [[nodiscard]] container_mail& mail() noexcept { return mail_; }
    [[nodiscard]] container_mail const& mail() const noexcept { return mail_; }
    [[nodiscard]] shared<part_type> const& part() const noexcept { return part_; }
    [[nodiscard]] local_table<K, stored>& table() const noexcept { return part_->table; }
    [[nodiscard]] communicator const& comm() const noexcept { return mail_.comm(); }
    [[nodiscard]] int owner(argument_of<K> key) const {
        return owner_of_hash(hash_of_key<K>(key), mail_.engine().size());
    }

    template <class... A>
    void send(int channel, argument_of<K> key, argument_of<A>... arguments) const {
        send_record<K, A...>(mail_.engine(), owner(key), channel, key, arguments...);
    }
    void expect_not_walked(char const* call) const {
        if (part_->is_walked && !mail_.engine().in_handler()) [[unlikely]]
            changed_while_walked(call);
    }
    void insert(argument_of<K> key, argument_of<V> value) const {
        expect_not_walked("insert");
        send<V>(insert_, key, value);
    }
    void erase(argument_of<K> key) const {
        expect_not_walked("erase");
        send(erase_, key);
    }

    [[nodiscard]] std::int64_t size() const {
        mail_.mail().drain();
        return sum(comm(), static_cast<std::int64_t>(table().size()));
    }
    [[nodiscard]] std::optional<found> find(argument_of<K> key, char const* name) const {
        mail_.mail().drain();
        gate call(comm(), name);
        std::optional<found> value;
        std::uint64_t hash = 0;
        call.guard([&] {
            hash = hash_of_key<K>(key);
            if (entry const* const each = table().find(hash, key)) value.emplace(Kind::copy(each->value));
        });
        call.same("the hash of the key", hash);
        call.agree();
        return broadcast(comm(), std::move(value), owner_of_hash(hash, mail_.engine().size()));
    }
    [[nodiscard]] bool contains(argument_of<K> key, char const* name) const {
        mail_.mail().drain();
        gate call(comm(), name);
        census_value mine = census_value::identity();
        std::uint64_t hash = 0;
        call.guard([&] {
            hash = hash_of_key<K>(key);
            mine.sum[0] = table().find(hash, key) != nullptr ? 1 : 0;
        });
        return call.same("the hash of the key", hash).agree(mine).sum[0] != 0;
    }

    /// Calls `body(K const&, V&)` for the entries of this rank.
    template <class Body>
    void for_each(Body&& body) const {
        table().for_each([&](entry& each) {
            Kind::for_each(each, [&](V& value) { body(std::as_const(each.key), value); });
        });
    }
    /// Calls `body` for all entries on all ranks; it may send, but not change this container.
    template <class Body>
    void for_all(char const* call, Body&& body) const {
        struct walk {
            // mutant: walks_allow_changes
            explicit walk(part_type& of) noexcept : part(of) { part.is_walked = true; }
            ~walk() { part.is_walked = false; }
            part_type& part;
        };
        mail_.phase(call, [&] {
            walk const now(*part_);
            for_each(body);
        });
    }

    template <class Keys>
    [[nodiscard]] std::vector<std::optional<found>> collect(char const* call, Keys const& keys) const {
        std::vector<std::optional<found>> answers;
        struct waiting {
            ~waiting() { awaited.to = nullptr; }
            answers_type& awaited;
        } const here{*awaited_};
        mail_.phase(call, [&] {
            answers.resize(keys.size());
            awaited_->to = &answers;
            std::int64_t place = 0;
            for (auto const& key : keys) send<std::int64_t>(ask_, key, place++);
        });
        return answers;
    }

    /// Returns the given keys that exist, each once, with copies of their values.
    [[nodiscard]] std::vector<std::pair<K, found>> gather_keys(
        char const* name, std::span<K const> keys) const {
        local_table<K, std::size_t> seen;
        std::vector<K> asked;
        std::vector<std::pair<K, found>> present;
        std::vector<std::optional<found>> answers;
        auto const distinct = [&] {
            for (K const& each : keys)
                if (seen.find_or_make(hash_of_key<K>(each), each, [] { return std::size_t{0}; }).second)
                    asked.push_back(each);
        };
        gate call(comm(), name);
        agreed(call, distinct);
        answers = collect(name, asked);
        agreed(call, [&] {
            for (std::size_t i = 0; i < asked.size(); ++i)
                if (answers[i]) present.emplace_back(std::move(asked[i]), std::move(*answers[i]));
            if constexpr (std::totally_ordered<K>)
                sort_items_by(present, [](auto const& a, auto const& b) { return a.first < b.first; });
        });
        return present;
    }

    /// Returns the items that `item(key, value)` makes on all ranks, by rank.
    template <class Item>
    [[nodiscard]] auto gather(char const* name, Item&& item) const {
        using made = std::remove_cvref_t<decltype(item(std::declval<K const&>(), std::declval<V const&>()))>;
        mail_.mail().drain();
        gate call(comm(), name);
        std::vector<made> mine;
        agreed(call, [&] {
            mine.reserve(table().size());
            for_each([&](K const& key, V const& value) { mine.push_back(item(key, value)); });
        });
        return all_gatherv(comm(), std::move(mine));
    }

    template <class Before>
    [[nodiscard]] std::vector<std::pair<K, V>> gather_top_k(
        char const* name, std::int64_t k, Before& before) const {
        return gather_first_of<std::pair<K, V>>(
            name, k, before, [](K const& key, V const& value) { return std::pair<K, V>(key, value); });
    }
    /// Returns the first of the items that `item(key, value)` makes.
    template <class Item, class Before, class Of>
    [[nodiscard]] std::vector<Item> gather_first_of(
        char const* name, std::int64_t k, Before& before, Of&& item) const {
        mail_.mail().drain();
        return gather_first<Item>(comm(), name, k, before,
            [&](auto&& use) { for_each([&](K const& key, V const& value) { use(item(key, value)); }); });
    }

    template <class Of, class Op>
    [[nodiscard]] auto all_reduce(char const* name, Of&& of, Op& op) const {
        using result = std::remove_cvref_t<decltype(of(std::declval<K const&>(), std::declval<V const&>()))>;
        mail_.mail().drain();
        gate call(comm(), name);
        std::optional<result> mine;
        agreed(call, [&] {
            for_each([&](K const& key, V const& value) {
                if (mine)
                    mine = op(std::move(*mine), of(key, value));
                else
                    mine = of(key, value);
            });
        });
        return weft::all_reduce(
            comm(), std::move(mine), [&](std::optional<result> a, std::optional<result> b) {
                if (!a || !b) return a ? a : b;
                return std::optional<result>(op(std::move(*a), std::move(*b)));
            });
    }

    void clear() const {
        expect_not_walked("clear");
        mail_.mail().drain();
        table().clear();
    }

    /// Saves the records of `Part...` that `of(put, entry)` passes to `put` for each entry.
    template <class... Part, class Of>
    void save(char const* name, char const* kind, std::string const& file, Of&& of) const {
        mail_.mail().drain();
        gate call(comm(), name);
        save_records<Part...>(
            call, file, kind, [&](auto&& put) { table().for_each([&](entry& each) { of(put, each); }); });
    }
    /// Replaces all entries: calls `insert(view_of<Part>&...)`, which sends, for each record of a file.
    template <class... Part, class Insert>
    void load(char const* name, char const* kind, std::string const& file, Insert&& insert) const {
        mail_.mail().drain();
        gate call(comm(), name);
        loaded_records<Part...> const records(call, file, kind);
        table().clear();
        mail_.phase(name, [&] { records.for_each(insert); });
    }

    /// Copies the entries of another container on the same mailbox.
    void copy_from(hashed_container const& other, char const* name) const {
        mail_.mail().drain();
        gate call(comm(), name);
        agreed(call, [&] {
            other.table().for_each([&](entry const& each) {
                table().find_or_make(
                    each.hash.of(each.key), each.key, [&]() -> stored const& { return each.value; });
            });
        });
    }

private:
    container_mail mail_;
    shared<part_type> part_;
    shared<answers_type> awaited_;
    int insert_ = 0;
    int erase_ = 0;
    int ask_ = 0;
    int answer_ = 0;
};

} // namespace weft::detail
