#include <weft/containers/array.hpp>
#include <weft/containers/bag.hpp>
#include <weft/containers/counting_set.hpp>
#include <weft/containers/disjoint_set.hpp>
#include <weft/containers/kmer_counter.hpp>
#include <weft/containers/map.hpp>
#include <weft/containers/multimap.hpp>
#include <weft/containers/multiset.hpp>
#include <weft/containers/set.hpp>
#include <weft/detail/containers/container_file.hpp>
#include <weft/detail/containers/type_text.hpp>

#include "containers_rig.hpp"

#include <io/shared_folder.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace weft_test {
namespace {

class container_file : public with_folder {
protected:
    [[nodiscard]] std::string name_of(char const* file) const { return path(file).string(); }
};

/// The ranks 0 to n - 1, for files that are written and read by different numbers of ranks.
weft::communicator first_ranks(int n) {
    return world().split(rank() < n ? 0 : 1, rank());
}

/// Calls `save(mailbox)` on some of the ranks, then `load(mailbox)` on others.
template <class Save, class Load>
void on_different_ranks(Save&& save, Load&& load) {
    for (int savers = 1; savers <= size(); ++savers) {
        for (int const loaders : {1, size() + 1 - savers, size()}) {
            SCOPED_TRACE(std::to_string(savers) + " save, " + std::to_string(loaders) + " load");
            {
                weft::communicator const few = first_ranks(savers);
                weft::mailbox mail(few);
                if (rank() < savers) save(mail);
            }
            meet();
            weft::communicator const few = first_ranks(loaders);
            weft::mailbox mail(few);
            if (rank() < loaders) load(mail);
            meet();
        }
    }
}

/// What of 0 to n - 1 a rank of a mailbox inserts.
template <class Insert>
void dealt_out(weft::mailbox& mail, std::int64_t n, Insert&& insert) {
    for (std::int64_t i = mail.comm().rank(); i < n; i += mail.comm().size()) insert(i);
}

constexpr std::int64_t items = 30'000; // some of their files have several pieces

TEST_F(container_file, maps_come_back_on_any_number_of_ranks) {
    std::string const file = name_of("map");
    std::map<std::string, std::vector<std::string>> expected;
    for (std::int64_t i = 0; i < items; ++i)
        expected[nasty_text(static_cast<std::uint64_t>(i))] = {std::to_string(i), ""};
    on_different_ranks(
        [&](weft::mailbox& mail) {
            weft::map<std::string, std::vector<std::string>> m(mail);
            std::int64_t i = 0;
            for (auto const& [key, value] : expected)
                if (i++ % mail.comm().size() == mail.comm().rank()) m.insert(key, value);
            m.save(file);
            EXPECT_EQ(m.size(), std::ssize(expected));
        },
        [&](weft::mailbox& mail) {
            weft::map<std::string, std::vector<std::string>> m(mail);
            m.insert("replaced", {});
            m.load(file);
            auto const found = m.gather();
            EXPECT_TRUE(std::ranges::equal(found, expected,
                [](auto const& a, auto const& b) { return a.first == b.first && a.second == b.second; }));
            m.insert_or_assign("", {"still a map"});
            EXPECT_EQ(m.find(""), std::vector<std::string>{"still a map"});
        });
}

TEST_F(container_file, multimaps_keep_the_order_of_values) {
    std::string const file = name_of("multimap");
    on_different_ranks(
        [&](weft::mailbox& mail) {
            weft::multimap<std::int64_t, std::string> m(mail);
            if (mail.comm().rank() == 0)
                for (std::int64_t i = 0; i < items; ++i) m.insert(i % 1000, std::to_string(i));
            m.save(file);
        },
        [&](weft::mailbox& mail) {
            weft::multimap<std::int64_t, std::string> m(mail);
            m.load(file);
            EXPECT_EQ(m.size(), items);
            EXPECT_EQ(m.num_keys(), 1000);
            std::vector<std::string> const values = m.find(7);
            ASSERT_EQ(values.size(), 30U);
            for (std::size_t i = 0; i < values.size(); ++i)
                EXPECT_EQ(values[i], std::to_string(7 + 1000 * i));
        });
}

TEST_F(container_file, sets_and_counts_come_back) {
    on_different_ranks(
        [&](weft::mailbox& mail) {
            weft::set<double> numbers(mail);
            weft::counting_set<std::string> counts(mail);
            weft::multiset<std::tuple<int, std::string>> times(mail);
            dealt_out(mail, items, [&](std::int64_t i) {
                numbers.insert(
                    i == 5 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(i) / 7);
                counts.insert(nasty_text(static_cast<std::uint64_t>(i % 50)), i);
                times.insert({static_cast<int>(i % 3), "x"});
            });
            numbers.save(name_of("set"));
            counts.save(name_of("counts"));
            times.save(name_of("times"));
        },
        [&](weft::mailbox& mail) {
            weft::set<double> numbers(mail);
            weft::counting_set<std::string> counts(mail);
            weft::multiset<std::tuple<int, std::string>> times(mail);
            numbers.load(name_of("set"));
            counts.load(name_of("counts"));
            times.load(name_of("times"));
            EXPECT_EQ(numbers.size(), items);
            EXPECT_TRUE(numbers.contains(std::numeric_limits<double>::quiet_NaN()));
            EXPECT_TRUE(numbers.contains(3.0));
            EXPECT_EQ(counts.total(), items * (items - 1) / 2);
            counts.insert("word3"); // a count that was loaded is added to
            EXPECT_EQ(counts.count("word3"), 600 * 3 + 50 * (599 * 600 / 2) + mail.comm().size());
            EXPECT_EQ(times.size(), items);
            EXPECT_EQ(times.count({2, "x"}), items / 3);
        });
}

TEST_F(container_file, counts_of_kmers_come_back) {
    std::string const file = name_of("kmers");
    std::vector<std::string> reads; // the same on all ranks
    auto chance = random(9);
    for (int i = 0; i < 300; ++i) {
        reads.emplace_back(150, 'A');
        if (i >= 20)
            for (char& each : reads.back()) each = "ACGT"[chance() % 4];
    }
    std::vector<std::pair<std::uint64_t, std::int64_t>> expected;
    {
        weft::communicator const self = world().split(rank(), 0);
        weft::mailbox mail(self);
        weft::kmer_counter counts(mail);
        counts.insert(reads);
        counts.for_all([&](std::uint64_t kmer, std::int64_t count) { expected.emplace_back(kmer, count); });
        std::ranges::sort(expected);
        EXPECT_GT(std::ssize(expected), items);
    }
    auto const found_in = [](weft::kmer_counter const& counts) {
        std::vector<std::pair<std::uint64_t, std::int64_t>> mine;
        counts.for_all([&](std::uint64_t kmer, std::int64_t count) { mine.emplace_back(kmer, count); });
        auto all = weft::all_gatherv(counts.mail().comm(), std::move(mine));
        std::ranges::sort(all);
        return all;
    };
    on_different_ranks(
        [&](weft::mailbox& mail) {
            weft::kmer_counter counts(mail);
            dealt_out(mail, std::ssize(reads),
                [&](std::int64_t i) { counts.insert(reads[static_cast<std::size_t>(i)]); });
            counts.save(file);
            EXPECT_EQ(counts.total(), 300 * 120);
        },
        [&](weft::mailbox& mail) {
            weft::kmer_counter counts(mail);
            counts.insert(std::string(500, 'C')); // replaced
            counts.load(file);
            EXPECT_TRUE(found_in(counts) == expected);
            EXPECT_EQ(counts.count(std::string(31, 'T')), 20 * 120);
            counts.insert(std::string(32, 'A')); // a count that was loaded is added to
            EXPECT_EQ(counts.count(std::string(31, 'A')), 20 * 120 + 2 * mail.comm().size());
            EXPECT_EQ(counts.size(), std::ssize(expected));
            weft::kmer_counter other(mail, 30);
            other.insert(std::string(30, 'A'));
            EXPECT_THROW(other.load(file), weft::io_error);
            EXPECT_EQ(other.total(), mail.comm().size());
        });
}

TEST_F(container_file, disjoint_sets_keep_sets_and_representatives) {
    std::string const file = name_of("sets");
    std::string const other = name_of("again");
    std::vector<std::pair<std::int64_t, std::int64_t>> saved;
    on_different_ranks(
        [&](weft::mailbox& mail) {
            weft::disjoint_set<std::int64_t> sets(mail);
            dealt_out(mail, 3000, [&](std::int64_t i) {
                if (i % 10 == 9)
                    sets.insert(i);
                else
                    sets.union_sets(i, i / 100 * 100);
            });
            sets.save(file);
            saved = sets.gather();
        },
        [&](weft::mailbox& mail) {
            weft::disjoint_set<std::int64_t> sets(mail);
            sets.union_sets(-1, -2);
            sets.load(file);
            EXPECT_EQ(sets.size(), 3000);
            EXPECT_EQ(sets.num_sets(), 30 + 300);
            auto const loaded = sets.gather();
            if (rank() == 0) { // which is among those that saved
                EXPECT_EQ(loaded, saved);
            }
            sets.save(other);
            sets.union_sets(0, 100);
            EXPECT_EQ(sets.num_sets(), 30 + 300 - 1);
        });
}

TEST_F(container_file, arrays_and_bags_keep_their_order) {
    on_different_ranks(
        [&](weft::mailbox& mail) {
            weft::array<std::string> a(mail, items);
            weft::bag<std::int64_t> b(mail);
            a.for_all([](std::int64_t i, std::string& each) { each = std::to_string(i); });
            dealt_out(mail, items, [&](std::int64_t i) { b.insert(items - i); });
            b.sort();
            a.save(name_of("array"));
            b.save(name_of("bag"));
        },
        [&](weft::mailbox& mail) {
            weft::array<std::string> a(mail, 3, "old");
            weft::bag<std::int64_t> b(mail);
            b.insert(-1);
            a.load(name_of("array"));
            b.load(name_of("bag"));
            EXPECT_EQ(a.size(), items);
            std::vector<std::int64_t> const asked{0, 1, 1234, items - 1};
            EXPECT_EQ(a.collect(asked), (std::vector<std::string>{"0", "1", "1234", "29999"}));
            a.assign(1234, "new");
            EXPECT_EQ(a.collect(asked)[2], "new");
            std::vector<std::int64_t> const all = b.gather();
            ASSERT_EQ(std::ssize(all), items);
            for (std::int64_t i = 0; i < items; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i + 1);
            EXPECT_LE(b.local_size(), items / mail.comm().size() + 1);
        });
}

TEST_F(container_file, empty_containers_and_those_of_fewer_items_than_ranks_come_back) {
    for (int n : {0, 1}) {
        on_different_ranks(
            [&](weft::mailbox& mail) {
                weft::map<std::string, bool> m(mail);
                weft::array<std::uint8_t> a(mail, n, 7);
                if (n == 1) m.insert("", true);
                m.save(name_of("map"));
                a.save(name_of("array"));
            },
            [&](weft::mailbox& mail) {
                weft::map<std::string, bool> m(mail);
                weft::array<std::uint8_t> a(mail, 5);
                m.load(name_of("map"));
                a.load(name_of("array"));
                EXPECT_EQ(m.size(), n);
                EXPECT_EQ(m.find(""), n == 1 ? std::optional(true) : std::nullopt);
                EXPECT_EQ(a.gather(), std::vector<std::uint8_t>(static_cast<std::size_t>(n), 7));
            });
    }
}

/// The text of the error of a call, the same on all ranks.
template <class Call>
std::string complaint_of(Call&& call) {
    std::string text = "no error";
    try {
        call();
    } catch (weft::io_error const& wrong) { text = wrong.what(); }
    for (std::string const& each : weft::all_gatherv(world(), std::vector<std::string>{text}))
        EXPECT_EQ(each, text);
    return text;
}

TEST_F(container_file, errors_name_the_file_and_the_cure_and_leave_the_container) {
    std::string const file = name_of("numbers");
    weft::mailbox mail(world());
    weft::map<std::int64_t, std::string> m(mail);
    dealt_out(mail, items, [&](std::int64_t i) { m.insert(i, std::to_string(i)); });
    m.save(file);
    weft::map<std::int64_t, std::string> other(mail);
    other.insert(-1, "stays");
    auto const load = [&] { return complaint_of([&] { other.load(file); }); };
    auto const expect = [&](std::string const& text, std::initializer_list<char const*> words) {
        EXPECT_NE(text.find(file), std::string::npos) << text;
        for (char const* each : words) EXPECT_NE(text.find(each), std::string::npos) << text;
        EXPECT_EQ(other.size(), 1);
        EXPECT_EQ(other.find(-1), "stays");
    };
    weft::set<std::int64_t> wrong_kind(mail);
    expect(complaint_of([&] { wrong_kind.load(file); }),
        {"expected set<i64>, found map<i64, text>", "load it into a container of that kind"});
    weft::map<std::int32_t, std::string> wrong_key(mail);
    expect(complaint_of([&] { wrong_key.load(file); }), {"expected map<i32, text>, found map<i64, text>"});

    auto const bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
    auto const change = [&](std::int64_t at) {
        meet();
        if (rank() == 0) {
            std::fstream opened(file, std::ios::in | std::ios::out | std::ios::binary);
            opened.seekg(at);
            char const old = static_cast<char>(opened.get());
            opened.seekp(at);
            opened.put(static_cast<char>(old ^ 0x10));
        }
        meet();
    };
    // Any byte: of the head, the kind, the pieces and the index.
    auto chance = random(1);
    std::vector<std::int64_t> places;
    for (std::int64_t at = 0; at < 74; ++at) places.push_back(at);
    for (int i = 0; i < 40; ++i)
        places.push_back(static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(bytes)));
    for (std::int64_t at = bytes - 48; at < bytes; ++at) places.push_back(at);
    for (std::int64_t const at : places) {
        SCOPED_TRACE(at);
        change(at);
        expect(load(), {});
        change(at);
    }
    change(2000);
    expect(load(),
        {"is damaged: its check sum does not match; copy the file again, or save the container again"});
    change(2000);

    for (std::int64_t const cut : {bytes - 1, bytes / 2, std::int64_t{60}, std::int64_t{20}}) {
        meet();
        if (rank() == 0) std::filesystem::resize_file(file, static_cast<std::uintmax_t>(cut));
        meet();
        expect(load(), {"cut short", "; copy the file again"});
    }
    meet();
    if (rank() == 0) std::ofstream(file) << "key,value\n1,2\n";
    meet();
    expect(load(), {"expected a container that was saved by Weft, found something else", "read_csv"});
    meet();
    if (rank() == 0) std::filesystem::remove(file);
    meet();
    expect(load(), {"cannot read"});
    std::string const nowhere = name_of("no folder/file");
    EXPECT_NE(complaint_of([&] { m.save(nowhere); }).find(nowhere), std::string::npos);
    m.save(file);
    other.load(file);
    EXPECT_EQ(other.size(), items);
    if (size() > 1) { EXPECT_THROW(m.save(rank() == 0 ? file : file + "x"), weft::usage_error); }
}

/// Writes another number of bytes each time.
struct growing {
    int number = 0;
    mutable int times = 0;
    static void wire(weft::wire_writer& archive, growing const& self) {
        for (int i = 0; i <= self.times; ++i) archive(self.number);
        ++self.times;
    }
    static void wire(weft::wire_reader& archive, growing& self) { archive(self.number); }
};

TEST_F(container_file, hooks_that_change_their_mind_are_an_error_and_leave_no_file) {
    std::string const file = name_of("bag");
    weft::mailbox mail(world());
    weft::bag<growing> b(mail);
    b.insert(growing{});
    EXPECT_THROW(b.save(file), weft::usage_error);
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(container_file, records_of_any_bytes_are_passed_or_refused) {
    auto chance = random(7);
    for (int i = 0; i < 20000; ++i) {
        std::vector<std::byte> bytes(chance() % 24);
        for (std::byte& each : bytes) each = static_cast<std::byte>(chance() % 4 == 0 ? 0xFF : chance() % 9);
        std::int64_t records = 0;
        for (std::int64_t n = 0; n < 24; ++n)
            if (weft::detail::are_records<std::string, std::uint16_t>(bytes, n)) {
                ++records;
                std::byte const* at = bytes.data();
                for (std::int64_t k = 0; k < n; ++k) {
                    (void)weft::detail::take_part<std::string>(at);
                    (void)weft::detail::take_part<std::uint16_t>(at);
                }
                EXPECT_EQ(at, bytes.data() + bytes.size());
            }
        EXPECT_LE(records, 1);
    }
    std::vector<std::byte> const endless(10, std::byte{0xFF});
    EXPECT_FALSE((weft::detail::are_records<std::string>(endless, 1)));
}

TEST(type_text, types_have_one_text_with_every_compiler) {
    enum class color : std::uint16_t { red };
    struct plain {
        int a, b, c;
    };
    EXPECT_EQ((weft::detail::text_of_container<std::string, std::int64_t>("map")), "map<text, i64>");
    EXPECT_EQ((weft::detail::text_of_container<color, bool, float, std::optional<char>>("x")),
        "x<u16, bool, f32, i8?>");
    EXPECT_EQ((weft::detail::text_of_container<std::pair<int, std::vector<double>>, std::array<int, 3>>("x")),
        "x<(i32, [f64]), i32[3]>");
    EXPECT_EQ((weft::detail::text_of_container<plain, std::map<int, std::string>, growing>("x")),
        "x<12 bytes, [(i32, text)], structure>");
}

} // namespace
} // namespace weft_test
