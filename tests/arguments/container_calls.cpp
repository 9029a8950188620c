#include "trial.hpp"

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

namespace arguments {

namespace {

std::vector<std::string> some_texts() {
    return {"a", "b", "c"};
}

void filled_map(trial& now) {
    auto const keys = now.own("keys", some_texts(), {{}, {"a"}, {"", "", ""}});
    auto const values = now.own("values", std::vector<std::int64_t>(3), {{}, std::vector<std::int64_t>(4)});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::map<std::string, std::int64_t> m(mail);
        try {
            m.insert(keys, values);
        } catch (weft::usage_error const&) {} // nothing was sent
        (void)m.size();
        m.clear();
        (void)m.gather();
    });
}

template <class Call>
void asked_map(trial& now, Call&& call) {
    auto const key = now.equal("key", std::string("a"), {"", "b"});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::map<std::string, std::int64_t> m(mail);
        m.insert("a", 1);
        call(m, key);
    });
}

void other_containers(trial& now) {
    auto const kind = now.equal("kind of container", 0, {1});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        if (kind == 0) {
            weft::set<std::int64_t> const numbers(mail);
            numbers.insert(1);
            mail.drain();
        } else {
            weft::set<std::string> const texts(mail);
            texts.insert("1");
            mail.drain();
        }
    });
}

void top_of_counts(trial& now) {
    auto const k = now.equal("k", std::int64_t{2}, {-1, 3});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::counting_set<std::string> counts(mail);
        counts.insert(some_texts());
        (void)counts.gather_top_k(k);
        (void)counts.total();
        (void)counts.count("a");
    });
}

void counted_kmers(trial& now) {
    auto const k = now.equal("k", 3, {0, 33, 5});
    auto const kmer = now.equal("kmer", std::string("ACG"), {"", "AC", "ANG", "AAA"});
    auto const top = now.equal("most of the top", std::int64_t{2}, {-1, 3});
    auto const bars = now.equal("most of the histogram", std::int64_t{5}, {0, std::int64_t{1} << 40, 6});
    auto const read = now.own("read", std::string("AACCGGTT"), {"", "N", "AC"});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::kmer_counter const counts(mail, k);
        counts.insert(read);
        (void)counts.size();
        (void)counts.count(kmer);
        (void)counts.gather_top_k(top);
        (void)counts.histogram(bars);
        counts.for_all([](std::uint64_t, std::int64_t) {});
        (void)counts.total();
        counts.clear();
    });
}

void top_of_items(trial& now) {
    auto const k = now.equal("k", std::int64_t{2}, {-1, 3});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::set<std::string> items(mail);
        items.insert(some_texts());
        (void)items.gather_top_k(k);
        weft::bag<std::string> bag(mail);
        bag.insert(some_texts());
        (void)bag.gather_top_k(k);
        weft::array<int> array(mail, 5);
        (void)array.gather_top_k(k);
    });
}

void collected(trial& now) {
    auto const keys = now.own("keys", some_texts(), {{}, std::vector<std::string>(50, "a")});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::map<std::string, std::int64_t> m(mail);
        (void)m.collect(keys);
        (void)m.gather_keys(keys);
        (void)(m | weft::filter([](auto const&, auto const&) { return true; }) |
               weft::reduce_by_key(std::plus<>()));
    });
}

void made_array(trial& now) {
    auto const items = now.equal("size", std::int64_t{10}, {-1, 0, 11});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::array<int> const all(mail, items);
    });
}

void resized_array(trial& now) {
    auto const items = now.equal("size", std::int64_t{20}, {-1, 0, 3});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::array<int> all(mail, 10);
        all.resize(items);
    });
}

void asked_array(trial& now) {
    auto const indices = now.own("indices", std::vector<std::int64_t>{0, 9}, {{}, {-1}, {10}, {3, 3, 3}});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::array<int> all(mail, 10);
        (void)all.collect(indices);
        (void)all.gather();
        all.for_all([](std::int64_t, int&) {});
        (void)all.all_reduce(std::plus<int>());
    });
}

void asked_multimap(trial& now) {
    auto const key = now.equal("key", std::string("a"), {"", "b"});
    auto const k = now.equal("k", std::int64_t{2}, {-1, 3});
    auto const keys = now.own("keys", some_texts(), {{}, {"a"}, {"", "", ""}});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::multimap<std::string, std::int64_t> all(mail);
        try {
            all.insert(keys, std::vector<std::int64_t>(3));
        } catch (weft::usage_error const&) {} // nothing was sent
        (void)all.collect(keys);
        (void)all.find(key);
        (void)all.count(key);
        (void)all.gather_top_k(k, [](auto const& a, auto const& b) { return a.first < b.first; });
        (void)all.num_keys();
    });
}

void asked_multiset(trial& now) {
    auto const item = now.equal("item", std::string("a"), {"", "b"});
    auto const k = now.equal("k", std::int64_t{2}, {-1, 3});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::multiset<std::string> all(mail);
        all.insert("a");
        (void)all.count(item);
        (void)all.gather_top_k(k);
        (void)all.num_distinct();
    });
}

void united_sets(trial& now) {
    auto const items = now.own("items", some_texts(), {{}, {"a"}, {"", "", "", ""}});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::disjoint_set<std::string> sets(mail);
        try {
            sets.union_sets(items, some_texts());
        } catch (weft::usage_error const&) {} // nothing was sent
        (void)sets.all_find(items);
        (void)sets.num_sets();
        sets.for_all([](auto const&, auto const&) {});
        (void)sets.gather();
    });
}

void filled_bag(trial& now) {
    auto const to = now.own("rank", 0);
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::bag<int> all(mail);
        try {
            all.insert_at(to, 1);
        } catch (weft::usage_error const&) {} // nothing was sent
        all.rebalance();
        all.sort();
    });
}

void drained_queue(trial& now) {
    auto const to = now.own("rank", 0);
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::work_queue<int> todo(mail);
        try {
            todo.insert_at(to, 1);
        } catch (weft::usage_error const&) {} // nothing was sent
        todo.drain([](int) {});
        (void)todo.size();
        todo.clear();
    });
}

void sampled_table(trial& now) {
    auto const weight = now.own("weight", 1.0, {0.0, -1.0});
    auto const seed = now.equal("seed", std::uint64_t{1}, {2});
    auto const n = now.own("n", std::int64_t{3}, {0, -1});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        std::vector<std::pair<int, double>> const items{{1, 1.0}, {2, weight}};
        weft::alias_table<int> const table(mail, items, seed);
        (void)table.sample(n);
    });
}

void tagged_items(trial& now) {
    auto const id = now.equal("id", std::int64_t{0}, {-1, 1000});
    auto const ids = now.own("ids", std::vector<std::int64_t>{0, 1}, {{}, {-5}, {3, 3, 3}});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::tagged_bag<std::string> all(mail);
        (void)all.insert("x");
        (void)all.find(id);
        (void)all.collect(ids);
        (void)all.gather();
        all.for_all([](std::int64_t, std::string&) {});
    });
}

void saved_map(trial& now) {
    auto const name =
        now.equal("file", now.path("map"), {now.path("no folder/map"), now.path("other map"), ""});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::map<std::string, std::int64_t> m(mail);
        m.insert("a", 1);
        m.save(name);
    });
}

void loaded_array(trial& now) {
    auto const name = now.equal("file", now.path("array"), {now.path("no folder/array"), ""});
    weft::mailbox mail(now.comm());
    weft::array<int> all(mail, 10);
    all.save(now.path("array"));
    now.under_test([&] { all.load(name); });
}

void saved_kmers(trial& now) {
    auto const k = now.equal("k", 3, {4, 30});
    auto const name = now.equal("file", now.path("kmers"), {now.path("no folder/kmers"), now.path("other")});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        weft::kmer_counter const counts(mail, k);
        counts.insert("AACCGGTT");
        weft::kmer_counter const copy = counts;
        copy.save(name);
    });
}

void loaded_kmers(trial& now) {
    auto const k = now.equal("k", 3, {4, 30});
    auto const name = now.equal("file", now.path("kmers"), {now.path("no folder/kmers"), ""});
    weft::mailbox mail(now.comm());
    weft::kmer_counter(mail, 3).save(now.path("kmers"));
    now.under_test([&] { weft::kmer_counter(mail, k).load(name); });
}

} // namespace

std::vector<call> container_calls() {
    using texts = weft::map<std::string, std::int64_t>;
    return {
        {"map", filled_map},
        {"map::find",
            [](trial& now) { asked_map(now, [](texts& m, std::string const& key) { (void)m.find(key); }); }},
        {"map::contains",
            [](trial& now) {
                asked_map(now, [](texts& m, std::string const& key) { (void)m.contains(key); });
            }},
        {"containers of other types", other_containers},
        {"counting_set::gather_top_k", top_of_counts},
        {"kmer_counter", counted_kmers},
        {"gather_top_k of items", top_of_items},
        {"map::collect", collected},
        {"array", made_array},
        {"array::resize", resized_array},
        {"array::collect", asked_array},
        {"bag", filled_bag},
        {"multimap", asked_multimap},
        {"multiset", asked_multiset},
        {"disjoint_set", united_sets},
        {"work_queue::drain", drained_queue},
        {"alias_table", sampled_table},
        {"tagged_bag", tagged_items},
        {"map::save", saved_map},
        {"array::load", loaded_array},
        {"kmer_counter::save", saved_kmers},
        {"kmer_counter::load", loaded_kmers},
    };
}

} // namespace arguments
