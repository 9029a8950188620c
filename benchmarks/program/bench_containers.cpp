#include "bench.hpp"
#include "container_inputs.hpp"
#include "options/number_check.hpp"

#include <weft/containers/array.hpp>
#include <weft/containers/counting_set.hpp>
#include <weft/containers/disjoint_set.hpp>
#include <weft/containers/map.hpp>
#include <weft/containers/multimap.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weft::tool {

namespace {

using namespace container_inputs;

/// Union-find on one core, for items that are known by their hash.
class sets_of_one_core {
public:
    void unite(std::int64_t a, std::int64_t b) {
        a = find(a);
        b = find(b);
        above_[std::min(a, b)] = std::max(a, b);
    }

private:
    std::int64_t find(std::int64_t item) {
        for (;;) {
            std::int64_t& above = above_.try_emplace(item, item).first->second;
            if (above == item) return item;
            std::int64_t const next = above_.find(above)->second;
            above = next;
            item = next;
        }
    }
    std::unordered_map<std::int64_t, std::int64_t> above_;
};

/// Runs of which `fill` counts, and `clear` does not.
class timed_filling {
public:
    template <class Fill, class Clear>
    [[nodiscard]] bench_subject subject(char const* name, Fill fill, Clear clear) {
        return {name,
            [this, fill, clear] {
                auto const start = std::chrono::steady_clock::now();
                fill();
                seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
                clear();
            },
            [this] { return seconds_; }};
    }

private:
    double seconds_ = 0;
};

/// Containers of all ranks beside those of the standard library, in which rank 0 does the work of all.
class bench_containers final : public benchmark {
public:
    explicit bench_containers(CLI::App& bench) {
        parser_ =
            bench.add_subcommand("containers", "Compare containers over all ranks with std::unordered_map "
                                               "and std::vector on one core, which do the work of all ranks");
        parser_
            ->add_option("--case", cases_,
                "Cases to measure: words, keys, sets, array, multimap, "
                "skewed; all")
            ->check(CLI::IsMember(std::vector<std::string>(cases_)));
        parser_
            ->add_option("--subjects", subjects_,
                "Subjects to measure: containers and one-core. If both run in one process, each influences "
                "the heap of the other")
            ->check(CLI::IsMember(std::vector<std::string>(subjects_)));
        parser_->add_option("--items", items_, "Number of words, keys and updates on all ranks together")
            ->check(above_zero())
            ->capture_default_str();
        parser_->add_option("--scale", scale_, "Scale of the R-MAT graph whose edges unite sets")
            ->check(between(1, 24))
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        if (wants("words")) words(comm, table);
        if (wants("keys")) keys(comm, table);
        if (wants("sets")) sets(comm, table);
        if (wants("array")) updates(comm, table);
        if (wants("multimap")) values_of_keys(comm, table);
        if (wants("skewed")) skewed(comm, table);
    }

private:
    [[nodiscard]] bool wants(char const* name) const {
        return std::ranges::find(cases_, name) != cases_.end();
    }
    [[nodiscard]] bool takes(char const* subject) const {
        return std::ranges::find(subjects_, subject) != subjects_.end();
    }
    [[nodiscard]] std::int64_t share(communicator const& comm) const {
        return std::max<std::int64_t>(1, items_ / comm.size());
    }
    /// Measures two subjects of one case. The answer, which `containers_vs_ygm.py` compares, and `clear` are
    /// not timed.
    template <class Serial, class SerialClear, class Fill, class Answer, class Clear>
    void compare(communicator const& comm, bench_table& table, std::string const& name, std::int64_t items,
        char const* baseline, Serial serial, SerialClear clear_serial, char const* container, mailbox& mail,
        Fill fill, Answer answer, Clear clear) const {
        timed_filling serial_times;
        timed_filling times;
        bool const is_first = comm.rank() == 0;
        auto found = answer();
        std::vector<bench_subject> subjects;
        if (takes("one-core"))
            subjects.push_back(serial_times.subject(
                baseline,
                [&] {
                    if (is_first) serial();
                },
                clear_serial));
        if (takes("containers"))
            subjects.push_back(times.subject(
                container,
                [&] {
                    fill();
                    mail.drain();
                },
                [&] {
                    found = answer();
                    clear();
                }));
        table.measure({"containers", name, 0, 0, static_cast<double>(items) / 1e6, "M/s a rank"}, subjects);
        if (is_first && takes("containers")) table.note(fmt::format("answer of {}: {}", name, found));
    }

    void words(communicator const& comm, bench_table& table) const {
        std::vector<std::string> words; // of this rank, and behind them on rank 0 those of others
        for (int rank = comm.rank(); rank < (comm.rank() == 0 ? comm.size() : comm.rank() + 1); ++rank)
            for_each_word(
                zipf_text(share(comm), rank), [&](std::string_view word) { words.emplace_back(word); });
        std::span const mine =
            std::span<std::string const>(words).first(static_cast<std::size_t>(share(comm)));
        std::unordered_map<std::string, std::int64_t> counted;
        mailbox mail(comm);
        counting_set<std::string> const counts(mail);
        compare(
            comm, table, "words of a Zipf text", share(comm), "unordered_map, one core",
            [&] {
                for (std::string const& word : words) ++counted[word];
            },
            [&] { counted = {}; }, "counting_set", mail, [&] { counts.insert(mine); },
            [&] { return counts.size(); }, [&] { counts.clear(); });
    }

    void keys(communicator const& comm, bench_table& table) const {
        std::int64_t const each = share(comm);
        std::vector<std::string> keys; // of this rank, and behind them on rank 0 those of others
        std::int64_t const first = each * comm.rank();
        for (std::int64_t i = 0; i < (comm.rank() == 0 ? each * comm.size() : each); ++i)
            keys.push_back(text_key(first + i));
        std::unordered_map<std::string, std::int64_t> serial;
        mailbox mail(comm);
        map<std::string, std::int64_t> const entries(mail);
        compare(
            comm, table, "inserts of text keys", each, "unordered_map, one core",
            [&] {
                for (std::string const& key : keys) serial.try_emplace(key, 1);
            },
            [&] { serial = {}; }, "map", mail,
            [&] {
                for (std::int64_t i = 0; i < each; ++i) entries.insert(keys[static_cast<std::size_t>(i)], 1);
            },
            [&] { return entries.size(); }, [&] { entries.clear(); });
    }

    void sets(communicator const& comm, bench_table& table) const {
        std::int64_t const each = (std::int64_t{16} << scale_) / comm.size();
        auto const mine = rmat_edges(scale_, each * comm.rank(), each * (comm.rank() + 1));
        auto const all = rmat_edges(scale_, 0, comm.rank() == 0 ? each * comm.size() : 0);
        sets_of_one_core serial;
        mailbox mail(comm);
        disjoint_set<std::int64_t> const found(mail);
        compare(
            comm, table, fmt::format("sets of R-MAT {}", scale_), each, "unordered_map, one core",
            [&] {
                for (auto const& [a, b] : all) serial.unite(a, b);
            },
            [&] { serial = {}; }, "disjoint_set", mail,
            [&] {
                for (auto const& [a, b] : mine) found.union_sets(a, b);
            },
            [&] { return found.num_sets(); }, [&] { found.clear(); });
    }

    void updates(communicator const& comm, bench_table& table) const {
        std::int64_t const each = share(comm);
        std::vector<std::int64_t> places; // of this rank, and behind them on rank 0 those of others
        for (std::int64_t i = 0; i < (comm.rank() == 0 ? each * comm.size() : each); ++i)
            places.push_back(array_place(each * comm.rank() + i));
        std::span const mine = std::span<std::int64_t const>(places).first(static_cast<std::size_t>(each));
        std::vector<std::int64_t> const ones(mine.size(), 1);
        std::vector<std::int64_t> serial(static_cast<std::size_t>(array_items));
        mailbox mail(comm);
        array<std::int64_t> all(mail, array_items);
        auto const add = all.reducer(std::plus<>());
        compare(
            comm, table, "random updates of an array", each, "vector, one core",
            [&] {
                for (std::int64_t const place : places) ++serial[static_cast<std::size_t>(place)];
            },
            [] {}, "array", mail, [&] { add(mine, ones); },
            [&] {
                std::int64_t squares = 0;
                all.for_all([&](std::int64_t, std::int64_t value) { squares += value * value; });
                return sum(comm, squares);
            },
            [&] { all.for_all([](std::int64_t, std::int64_t& value) { value = 0; }); });
    }

    /// Inserts of values, of which a key has four in the mean, into maps that keep all values of a key.
    void values_of_keys(communicator const& comm, bench_table& table) const {
        std::int64_t const each = share(comm);
        std::int64_t const distinct = std::max<std::int64_t>(1, each * comm.size() / 4);
        std::int64_t const first = each * comm.rank();
        std::vector<std::int64_t> keys; // of this rank, and behind them on rank 0 those of others
        for (std::int64_t i = 0; i < (comm.rank() == 0 ? each * comm.size() : each); ++i)
            keys.push_back(static_cast<std::int64_t>(
                mixed(static_cast<std::uint64_t>(first + i)) % static_cast<std::uint64_t>(distinct)));
        std::span const mine = std::span<std::int64_t const>(keys).first(static_cast<std::size_t>(each));
        std::unordered_multimap<std::int64_t, std::int64_t> serial;
        mailbox mail(comm);
        multimap<std::int64_t, std::int64_t> const entries(mail);
        compare(
            comm, table, "inserts into a multimap", each, "unordered_multimap, one core",
            [&] {
                for (std::int64_t const key : keys) serial.emplace(key, key);
            },
            [&] { serial = {}; }, "multimap", mail, [&] { entries.insert(mine, mine); },
            [&] { return entries.size(); }, [&] { entries.clear(); });
    }

    /// Counts of one key on all ranks, beside the same number of counts of keys that all differ on a rank.
    void skewed(communicator const& comm, bench_table& table) const {
        std::int64_t const each = share(comm);
        mailbox mail(comm);
        counting_set<std::int64_t> const counts(mail);
        timed_filling many_keys;
        timed_filling one_key;
        auto const fill = [&](std::int64_t keys) {
            std::int64_t key = 0;
            for (std::int64_t i = 0; i < each; ++i) {
                counts.insert(key);
                if (++key == keys) key = 0;
            }
            mail.drain();
        };
        auto const clear = [&] { counts.clear(); };
        table.measure(
            {"containers", "one key on all ranks", 0, 0, static_cast<double>(each) / 1e6, "M/s a rank"},
            {many_keys.subject(
                 "different keys", [&] { fill(each); }, clear),
                one_key.subject(
                    "one key", [&] { fill(1); }, clear)});
    }

    std::vector<std::string> cases_{"words", "keys", "sets", "array", "multimap", "skewed"};
    std::vector<std::string> subjects_{"one-core", "containers"};
    std::int64_t items_ = 2'000'000;
    int scale_ = 16;
};

} // namespace

std::unique_ptr<benchmark> make_bench_containers(CLI::App& bench) {
    return std::make_unique<bench_containers>(bench);
}

} // namespace weft::tool
