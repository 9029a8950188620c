#include "call.hpp"

#include <weft/containers/alias_table.hpp>
#include <weft/containers/array.hpp>
#include <weft/containers/bag.hpp>
#include <weft/containers/counting_set.hpp>
#include <weft/containers/disjoint_set.hpp>
#include <weft/containers/kmer_counter.hpp>
#include <weft/containers/map.hpp>
#include <weft/containers/multimap.hpp>
#include <weft/containers/multiset.hpp>
#include <weft/containers/set.hpp>
#include <weft/containers/tagged_bag.hpp>
#include <weft/containers/views.hpp>
#include <weft/containers/work_queue.hpp>

#include <functional>

namespace faults {

namespace {

using fragile_map = weft::map<std::int64_t, fragile>;

/// Each rank inserts all keys.
void insert_some(fragile_map const& into) {
    for (std::int64_t i = 0; i < 20; ++i) into.insert(i, fragile_of(i));
}

void inserted_map(trial& now) {
    std::int64_t items = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            fragile_map m(mail);
            insert_some(m);
            items = m.size();
        }))
        now.expect(items == 20);
}

/// A call on a map that is ready.
template <class Call>
void on_map(trial& now, Call&& call) {
    weft::mailbox mail(now.comm());
    fragile_map m(mail);
    insert_some(m);
    mail.drain();
    now.ask([&] { return static_cast<std::int64_t>(call(m)); });
}

void visited_map(trial& now) {
    std::int64_t items = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::map<std::string, std::int64_t> m(mail);
            auto const visit = m.visitor<std::int64_t>([](std::int64_t& value, std::int64_t by) {
                in_callback();
                value += by;
            });
            auto const add = m.reducer([](std::int64_t a, std::int64_t b) {
                in_callback();
                return a + b;
            });
            for (std::int64_t i = 0; i < 20; ++i) visit(std::to_string(i), i);
            mail.drain();
            for (std::int64_t i = 0; i < 20; ++i) add(std::to_string(i), i);
            items =
                m.all_reduce([](auto const&, std::int64_t value) { return value; }, std::plus<std::int64_t>())
                    .value_or(0);
        }))
        now.expect(items == 2 * 190 * now.size());
}

void counted_words(trial& now) {
    std::int64_t times = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::counting_set<std::string> counts(mail);
            for (int i = 0; i < 20; ++i)
                counts.insert(std::string(least_of_users, 'x') + std::to_string(i % 5));
            times =
                counts.gather_top_k(1).front().second + counts.count("none") + counts.size() + counts.total();
        }))
        now.expect(times == 4 * now.size() + 5 + 20 * now.size());
}

void counted_kmers(trial& now) {
    std::int64_t found = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::kmer_counter counts(mail, 5);
            for (int i = 0; i < 20; ++i) counts.insert("AAAAAACCGTTGCATTTTTT");
            found = counts.size() + counts.total() + counts.count("AAAAA");
            found += counts.gather_top_k(1).front().second + counts.histogram(3).back();
            counts.for_all([](std::uint64_t, std::int64_t) { in_callback(); });
            weft::kmer_counter const copy = counts;
            counts.clear();
        }))
        now.expect(found == 26 + 480 * now.size());
}

void set_of_texts(trial& now) {
    std::int64_t items = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::set<std::string> all(mail);
            for (int i = 0; i < 20; ++i) all.insert(std::string(least_of_users, 'x') + std::to_string(i));
            weft::set<std::string> const copy = all;
            items = std::ssize(copy.gather());
            items += std::ssize(copy.gather_top_k(3, [](std::string const& a, std::string const& b) {
                in_callback();
                return a < b;
            }));
        }))
        now.expect(items == 23);
}

void array_of_fragile(trial& now) {
    std::int64_t sum = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::array<std::int64_t> all(mail, 5000);
            auto const add = all.reducer(std::plus<>());
            for (std::int64_t i = 0; i < 5000; i += 100) add(i, 1);
            all.for_all([](std::int64_t index, std::int64_t& item) {
                if (index % 250 == 0) in_callback();
                item *= 2;
            });
            all.sort();
            sum = all.gather_top_k(1).front().second;
            all.resize(6000);
            for (std::int64_t const each : all.collect(std::vector<std::int64_t>{0, 4950, 4999, 5999}))
                sum += each;
            sum += std::ssize(all.gather());
            sum += all.all_reduce(std::plus<std::int64_t>()).value_or(0);
        }))
        now.expect(sum == 6 * now.size() + 6000 + 100 * now.size());
}

void bag_of_fragile(trial& now) {
    std::int64_t items = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::bag<fragile> all(mail);
            for (int i = 0; i < 10; ++i) {
                all.insert(fragile_of(i));
                all.insert_at(0, fragile_of(i));
            }
            all.rebalance();
            all.sort([](fragile const& a, fragile const& b) {
                in_callback();
                return a.value < b.value;
            });
            all.for_all([](fragile&) { in_callback(); });
            items = all.size() + std::ssize(all.gather());
            items += std::ssize(
                all.gather_top_k(3, [](fragile const& a, fragile const& b) { return a.value > b.value; }));
            all.clear();
        }))
        now.expect(items == 40 * now.size() + 3);
}

void multimap_of_fragile(trial& now) {
    std::int64_t values = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::multimap<std::int64_t, fragile> all(mail);
            auto const visit = all.visitor([](fragile&) { in_callback(); });
            for (std::int64_t i = 0; i < 20; ++i) all.insert(i % 5, fragile_of(i));
            mail.drain();
            visit(3);
            weft::multimap<std::int64_t, fragile> const copy = all;
            all.for_all([](std::int64_t, fragile&) { in_callback(); });
            auto const keys = std::vector<std::int64_t>{1, 77};
            values = copy.size() + all.num_keys() + all.count(2) + std::ssize(all.collect(keys).front());
            values += std::ssize(all.gather()) + (all.contains(4) ? 1 : 0);
            values += std::ssize(all.gather_top_k(1, [](auto const& a, auto const& b) {
                in_callback();
                return a.second.value > b.second.value;
            }));
            values +=
                all.all_reduce([](auto const&, fragile const&) { return 1; }, std::plus<int>()).value_or(0);
            all.clear();
        }))
        now.expect(values == 68 * now.size() + 7);
}

void multiset_of_texts(trial& now) {
    std::int64_t items = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::multiset<std::string> all(mail);
            for (int i = 0; i < 20; ++i) all.insert(std::string(least_of_users, 'x') + std::to_string(i % 5));
            weft::multiset<std::string> const copy = all;
            items = copy.size() + all.num_distinct() + std::ssize(all.gather()) + all.count("none");
        }))
        now.expect(items == 40 * now.size() + 5);
}

void united_sets(trial& now) {
    std::int64_t found = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::disjoint_set<std::string> sets(mail);
            auto const name = [](int i) { return std::string(least_of_users, 'x') + std::to_string(i); };
            auto const unite =
                sets.union_and_execute([](std::string const&, std::string const&) { in_callback(); });
            for (int i = 0; i < 20; ++i) {
                sets.union_sets(name(i), name((i + 2) % 20));
                unite(name(i), name((i + 4) % 20));
            }
            weft::disjoint_set<std::string> const copy = sets;
            found = copy.num_sets() + sets.size();
            sets.for_all([](auto const&, auto const&) { in_callback(); });
            auto const both = sets.all_find(std::vector<std::string>{name(0), name(18)});
            found += (both.front() == both.back() ? 1 : 0) + std::ssize(sets.gather());
            sets.clear();
        }))
        now.expect(found == 43);
}

void drained_queue(trial& now) {
    std::int64_t done = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::work_queue<fragile> todo(mail);
            for (std::int64_t i = 0; i < 10; ++i) {
                todo.insert(fragile_of(i));
                todo.insert_at(0, fragile_of(i));
            }
            todo.drain([&](fragile& item) {
                in_callback();
                if (item.value == 5) todo.insert_at(now.comm().size() - 1, fragile_of(77));
                ++done;
            });
            done = weft::sum(now.comm(), done) + todo.size();
            todo.clear();
        }))
        now.expect(done == 22 * now.size());
}

void sampled_table(trial& now) {
    std::int64_t drawn = 0;
    std::vector<std::pair<fragile, double>> items;
    for (std::int64_t i = 0; i < 5; ++i) items.emplace_back(fragile_of(i), 1.0);
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::alias_table<fragile> const table(mail, items);
            drawn = std::ssize(table.sample(20));
        }))
        now.expect(drawn == 20);
}

void tagged_items(trial& now) {
    std::int64_t items = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::tagged_bag<fragile> all(mail);
            std::vector<std::int64_t> ids;
            for (std::int64_t i = 0; i < 10; ++i) ids.push_back(all.insert(fragile_of(i)));
            for (auto const& each : all.collect(ids)) items += each ? 1 : 0;
            items += all.find(0) ? 1 : 0;
            all.for_all([](std::int64_t, fragile&) { in_callback(); });
            items += std::ssize(all.gather());
            all.clear();
        }))
        now.expect(items == 11 + 10 * now.size());
}

/// A container of some items goes into a file, and comes back.
void saved_kmers(trial& now) {
    std::string const file = now.path("kmers");
    std::int64_t found = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            weft::kmer_counter counts(mail, 5);
            counts.insert("AAAAAACCGTTGCATTTTTT");
            counts.save(file);
            counts.load(file);
            found = counts.total();
        }))
        now.expect(found == 16 * now.size());
}

template <class Container, class Fill>
void saved_and_loaded(trial& now, Fill&& fill) {
    std::string const file = now.path("container");
    std::int64_t items = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            Container all(mail);
            fill(all);
            all.save(file);
            all.load(file);
            items = all.size();
        }))
        now.expect(items == 20);
}

} // namespace

std::vector<call> container_calls() {
    std::vector<call> all{
        {"map", inserted_map, told::all, memory::large},
        {"map, visitor and reducer", visited_map, told::all, memory::large},
        {"counting_set", counted_words},
        {"kmer_counter", counted_kmers},
        {"set", set_of_texts},
        {"multimap", multimap_of_fragile},
        {"multiset", multiset_of_texts},
        {"disjoint_set", united_sets},
        {"array", array_of_fragile},
        {"bag", bag_of_fragile},
        {"work_queue::drain", drained_queue},
        {"alias_table", sampled_table},
        {"tagged_bag", tagged_items},
        {"map::save, load", [](trial& now) { saved_and_loaded<fragile_map>(now, insert_some); }},
        {"kmer_counter::save, load", saved_kmers},
        {"bag::save, load",
            [](trial& now) {
                saved_and_loaded<weft::bag<fragile>>(now, [&](weft::bag<fragile> const& all) {
                    for (std::int64_t i = now.comm().rank(); i < 20; i += now.comm().size())
                        all.insert(fragile_of(i));
                });
            }},
        {"disjoint_set::save, load",
            [](trial& now) {
                saved_and_loaded<weft::disjoint_set<std::string>>(
                    now, [](weft::disjoint_set<std::string> const& all) {
                        for (int i = 0; i < 20; ++i)
                            all.union_sets(fragile_of(i).text, fragile_of(i / 3).text);
                    });
            }},
    };
    // Gathers and broadcasts have memory of their own, whose lack is fatal.
    auto const add = [&](char const* name, auto call) {
        all.push_back({name, [call](trial& now) { on_map(now, call); }});
    };
    add("map::find", [](fragile_map& m) { return m.find(3)->value == 3; });
    add("map::contains", [](fragile_map& m) { return m.contains(3) && !m.contains(77); });
    add("map::collect", [](fragile_map& m) {
        return m.collect(std::vector<std::int64_t>{1, 2, 77}).at(1)->value == 2;
    });
    add("view of a map", [](fragile_map& m) {
        auto const view = m | weft::transform([](std::int64_t key, fragile const&) {
            in_callback();
            return std::pair(key % 2, fragile_of(key));
        });
        auto const made = view | weft::reduce_by_key([](fragile a, fragile b) {
            in_callback();
            return a.value > b.value ? a : b;
        });
        return made.size() == 2 && std::ssize(view.gather()) == 20;
    });
    add("map::gather_keys", [](fragile_map& m) {
        return m.gather_keys(std::vector<std::int64_t>{2, 77, 1}).at(1).second.value == 2;
    });
    add("map::gather", [](fragile_map& m) { return m.gather().at(5).second.value == 5; });
    add("map::gather_top_k", [](fragile_map& m) {
        auto const top = m.gather_top_k(2, [](auto const& a, auto const& b) {
            in_callback();
            return a.first > b.first;
        });
        return top.at(1).second.value == 18;
    });
    add("map::for_all", [](fragile_map& m) {
        m.for_all([](std::int64_t, fragile&) { in_callback(); });
        return true;
    });
    add("map, a copy", [](fragile_map& m) {
        fragile_map const copy = m;
        m.clear();
        return copy.size() == 20 && m.size() == 0;
    });
    return all;
}

} // namespace faults
