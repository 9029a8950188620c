#include <weft/containers/kmer_counter.hpp>

#include <weft/collective/reduce.hpp>

#include "containers/kmer_bins.hpp"
#include "containers_rig.hpp"

#include <algorithm>
#include <string>

namespace weft_test {
namespace {

using counted = std::pair<std::uint64_t, std::int64_t>;

std::string other_strand(std::string_view of) {
    std::string letters(of.rbegin(), of.rend());
    for (char& each : letters) each = "TGCA"[std::string_view("ACGT").find(each)];
    return letters;
}

std::uint64_t number_of(std::string_view letters) {
    std::uint64_t number = 0;
    for (char const each : letters) number = number * 4 + std::string_view("ACGT").find(each);
    return number;
}

/// Each k-mer by itself, in both directions.
std::vector<counted> counted_serially(std::vector<std::string> const& reads, std::size_t k) {
    std::vector<std::uint64_t> all;
    for (std::string const& read : reads) {
        for (std::size_t first = 0; first + k <= read.size(); ++first) {
            std::uint64_t forward = 0;
            std::uint64_t backward = 0;
            bool is_whole = true;
            for (std::size_t i = 0; i < k && is_whole; ++i) {
                auto const place = std::string_view("AaCcGgTt").find(read[first + i]);
                is_whole = place != std::string_view::npos;
                forward |= place / 2 << 2 * (k - 1 - i);
                backward |= (3 - place / 2) << 2 * i;
            }
            if (is_whole) all.push_back(std::min(forward, backward));
        }
    }
    std::ranges::sort(all);
    std::vector<counted> counts;
    for (std::uint64_t const each : all) {
        if (counts.empty() || counts.back().first != each) counts.emplace_back(each, 0);
        ++counts.back().second;
    }
    return counts;
}

template <class Chance>
std::string random_bases(Chance& chance, std::size_t length) {
    std::string made(length, 'A');
    for (char& each : made) each = "ACGT"[chance() % 4];
    return made;
}

/// Reads of this rank, most of them from a small genome that all ranks have.
std::vector<std::string> some_reads(int n) {
    auto common = random(77);
    std::string const genome = random_bases(common, 3000);
    auto chance = random(static_cast<std::uint64_t>(100 + rank()));
    std::vector<std::string> reads;
    for (int i = 0; i < n; ++i) {
        std::string read = genome.substr(chance() % 2800, chance() % 200);
        if (chance() % 2 == 0) read = other_strand(read);
        if (!read.empty() && i % 5 == 0) read[chance() % read.size()] = "N.acgt\0\xFF"[chance() % 8];
        if (i % 7 == 0) std::ranges::transform(read, read.begin(), [](char c) { return c | 0x20; });
        reads.push_back(read);
    }
    // Longer than the pieces in which a read is cut, with and without a letter that is none at their ends.
    for (std::size_t const length : {1023U, 1024U, 1025U, 2048U, 2100U, 5000U}) {
        reads.push_back(random_bases(chance, length));
        reads.push_back(random_bases(chance, length));
        reads.back()[std::min<std::size_t>(1024, length - 1)] = 'N';
    }
    reads.insert(reads.end(), {"", "A", "N", "NNNN", std::string(31, 'A'), std::string(32, 'T'),
                                  std::string(3000, 'A'), std::string(900, 'n'), "ACGTACGTACGT"});
    return reads;
}

std::vector<counted> all_of(weft::kmer_counter const& counts) {
    std::vector<counted> mine;
    counts.for_all([&](std::uint64_t kmer, std::int64_t count) { mine.emplace_back(kmer, count); });
    auto all = of_all_ranks(mine);
    std::ranges::sort(all);
    return all;
}

void expect_counts(weft::kmer_counter const& counts, std::vector<counted> const& expected) {
    EXPECT_TRUE(all_of(counts) == expected);
    EXPECT_EQ(counts.size(), std::ssize(expected));
    std::int64_t total = 0;
    std::vector<std::int64_t> bars(8);
    for (auto const& [kmer, count] : expected) {
        total += count;
        ++bars[static_cast<std::size_t>(std::min<std::int64_t>(count, 7))];
    }
    EXPECT_EQ(counts.total(), total);
    EXPECT_EQ(counts.histogram(7), bars);
    std::vector<counted> by_count = expected;
    std::ranges::sort(by_count, [](counted const& a, counted const& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    by_count.resize(std::min<std::size_t>(by_count.size(), 20));
    EXPECT_EQ(counts.gather_top_k(20), by_count);
    for (std::size_t i = 0; i < by_count.size(); i += 7) {
        auto const [kmer, count] = by_count[i];
        EXPECT_EQ(counts.count(counts.text(kmer)), count);
        EXPECT_EQ(counts.count(other_strand(counts.text(kmer))), count);
    }
}

TEST(kmer_counter, counts_agree_with_a_serial_map_for_every_length) {
    auto const mine = some_reads(60);
    auto const reads = of_all_ranks(mine);
    weft::mailbox mail(world());
    for (int const k : {1, 2, 3, 12, 21, 22, 31, 32}) {
        SCOPED_TRACE(k);
        weft::kmer_counter counts(mail, k);
        EXPECT_EQ(counts.k(), k);
        for (auto const& each : mine) counts.insert(each);
        expect_counts(counts, counted_serially(reads, static_cast<std::size_t>(k)));
    }
}

TEST(kmer_counter, counts_agree_with_a_serial_map_on_every_route) {
    auto const mine = some_reads(100 / (1 + rank()));
    auto const expected = counted_serially(of_all_ranks(mine), 31);
    for_some_ways([&](weft::mailbox& mail) {
        weft::kmer_counter counts(mail);
        for (auto const& each : mine) counts.insert(each);
        expect_counts(counts, expected);
    });
}

TEST(kmer_counter, a_palindrome_counts_once_and_letters_of_either_case_are_the_same) {
    weft::mailbox mail(world());
    weft::kmer_counter counts(mail, 4);
    counts.insert("ACGT");
    counts.insert("aCgTnAAAA");
    counts.insert("tttt");
    EXPECT_EQ(counts.count("ACGT"), 2 * size());
    EXPECT_EQ(counts.count("acgt"), 2 * size());
    EXPECT_EQ(counts.count("TTTT"), 2 * size());
    EXPECT_EQ(counts.count("CCCC"), 0);
    EXPECT_EQ(counts.total(), 4 * size());
    EXPECT_EQ(counts.text(number_of("AACG")), "AACG");
    EXPECT_THROW((void)counts.count("ACG"), weft::usage_error);
    EXPECT_THROW((void)counts.count("ACGTA"), weft::usage_error);
    EXPECT_THROW((void)counts.count("ACGN"), weft::usage_error);
    EXPECT_EQ(counts.size(), 2);
}

TEST(kmer_counter, ranks_without_reads_answer_too) {
    for_some_ways([](weft::mailbox& mail) {
        weft::kmer_counter counts(mail, 5);
        EXPECT_EQ(counts.size() + counts.total() + counts.count("AAAAA"), 0);
        EXPECT_TRUE(counts.gather_top_k(3).empty());
        EXPECT_EQ(counts.histogram(2), std::vector<std::int64_t>(3));
        if (rank() == size() - 1) counts.insert("CAAAAAA");
        EXPECT_EQ(counts.size(), 2);
        EXPECT_EQ(counts.gather_top_k(1), (std::vector<counted>{{0, 2}}));
        EXPECT_EQ(counts.histogram(2), (std::vector<std::int64_t>{0, 1, 1}));
        EXPECT_EQ(counts.histogram(1), (std::vector<std::int64_t>{0, 2}));
    });
}

TEST(kmer_counter, more_comes_after_a_count_and_all_goes_by_clear) {
    auto const mine = some_reads(60);
    auto const reads = of_all_ranks(mine);
    weft::mailbox mail(world(), {.buffer_bytes = 1 << 12});
    weft::kmer_counter counts(mail, 25);
    auto expected = counted_serially(reads, 25);
    for (std::int64_t round = 1; round <= 3; ++round) {
        for (auto const& each : mine) counts.insert(each);
        auto times = expected;
        for (auto& [kmer, count] : times) count *= round;
        expect_counts(counts, times);
    }
    counts.clear();
    EXPECT_EQ(counts.total(), 0);
    weft::kmer_counter moved = std::move(counts);
    for (auto const& each : mine) moved.insert(each);
    expect_counts(moved, expected);
}

TEST(kmer_counter, copies_are_independent_and_swaps_take_messages_along) {
    auto const mine = some_reads(60);
    auto const expected = counted_serially(of_all_ranks(mine), 21);
    auto twice = expected;
    for (auto& [kmer, count] : twice) count *= 2;
    weft::mailbox mail(world(), {.buffer_bytes = 1 << 12});
    weft::kmer_counter counts(mail, 21);
    counts.insert(mine);
    weft::kmer_counter copy = counts; // what is on its way is copied too
    std::vector<std::string_view> const views(mine.begin(), mine.end());
    counts.insert(views);
    expect_counts(copy, expected);
    expect_counts(counts, twice);

    weft::kmer_counter other(mail, 4);
    other.insert("AACG");
    copy.insert(mine);
    swap(copy, other);
    EXPECT_EQ(other.k(), 21);
    EXPECT_EQ(copy.k(), 4);
    EXPECT_EQ(copy.total(), size());
    expect_counts(other, twice);

    copy = other;
    other.clear();
    other.insert("CCCCCCCCCCCCCCCCCCCCC");
    expect_counts(copy, twice);
    EXPECT_EQ(other.total(), size());
    other = std::move(copy);
    expect_counts(other, twice);
}

TEST(kmer_counter, a_repeat_that_all_ranks_hold_sends_no_more_than_other_reads) {
    auto common = random(5);
    std::string const unit = random_bases(common, 171);
    std::string const repeat = unit + unit;
    auto chance = random(static_cast<std::uint64_t>(900 + rank()));
    std::string const genome = random_bases(chance, 200'000); // of this rank
    auto const run = [&](std::string const& from, std::size_t starts) {
        weft::mailbox mail(world(), {.buffer_bytes = 1 << 16});
        weft::kmer_counter counts(mail);
        for (int i = 0; i < 5000; ++i) {
            std::string read = from.substr(chance() % starts, 150);
            counts.insert(chance() % 2 == 0 ? read : other_strand(read));
        }
        EXPECT_EQ(counts.total(), 120 * 5000 * size());
        return std::pair(
            weft::sum(world(), mail.counters().sent), weft::max(world(), mail.counters().handled));
    };
    auto const [sent, handled] = run(genome, genome.size() - 150);
    auto const [sent_of_repeat, handled_of_repeat] = run(repeat, 171);
    EXPECT_LE(sent_of_repeat, 2 * sent);
    EXPECT_LE(handled_of_repeat, 2 * handled);
}

TEST(kmer_counter, handlers_insert_while_an_insert_waits_for_room) {
    auto const mine = some_reads(60);
    auto expected = counted_serially(of_all_ranks(mine), 31);
    for (auto& [kmer, count] : expected) count *= 2;
    for_some_ways([&](weft::mailbox& mail) {
        weft::kmer_counter counts(mail);
        auto const relay = mail.channel<std::string>([&](std::string const& read) { counts.insert(read); });
        for (std::size_t i = 0; i < mine.size(); ++i) {
            relay.send(static_cast<int>(i) % size(), mine[i]);
            counts.insert(mine[i]);
        }
        expect_counts(counts, expected);
        relay.close();
    });
}

TEST(kmer_counter, a_walk_refuses_insertions_and_errors_leave_it_usable) {
    weft::mailbox mail(world());
    EXPECT_THROW(weft::kmer_counter(mail, 0), weft::usage_error);
    EXPECT_THROW(weft::kmer_counter(mail, 33), weft::usage_error);
    weft::kmer_counter counts(mail, 3);
    counts.insert("AAACAG");
    EXPECT_THROW(counts.for_all([&](std::uint64_t, std::int64_t) { counts.insert("AAA"); }), std::exception);
    EXPECT_THROW(counts.for_all([&](std::uint64_t, std::int64_t) { counts.clear(); }), std::exception);
    EXPECT_THROW(
        counts.for_all([](std::uint64_t, std::int64_t) { throw std::runtime_error("no"); }), std::exception);
    if (size() == 1) {
        EXPECT_THROW(
            counts.for_all([&](std::uint64_t, std::int64_t) { (void)counts.size(); }), weft::usage_error);
    }
    EXPECT_THROW((void)counts.histogram(0), weft::usage_error);
    EXPECT_THROW((void)counts.gather_top_k(-1), weft::usage_error);
    weft::kmer_counter other(mail, 3); // the body may insert into others
    counts.for_all([&](std::uint64_t kmer, std::int64_t) { other.insert(counts.text(kmer)); });
    EXPECT_EQ(counts.size(), 4);
    EXPECT_EQ(counts.total(), 4 * size());
    EXPECT_EQ(other.total(), 4);
}

// A bin is counted before a collective call asks for it. The other tests have too few runs for that.
TEST(kmer_counter, a_bin_is_counted_when_many_runs_have_come) {
    for (int const k : {1, 13, 31, 32}) {
        weft::detail::kmer_cutter cutter(k);
        weft::detail::kmer_bins bins(k);
        std::string const read(static_cast<std::size_t>(k + 2), 'C');
        constexpr int runs = 20'000;
        for (int i = 0; i < runs; ++i)
            cutter.cut(read, [&](std::uint64_t, weft::detail::kmer_run const& run) { bins.add({&run, 1}); });
        EXPECT_EQ(bins.size(), 1) << k; // counted already
        EXPECT_LT(bins.total(), 3 * runs);
        bins.count_all();
        EXPECT_EQ(bins.size(), 1);
        EXPECT_EQ(bins.total(), 3 * runs);
        bins.clear();
        EXPECT_EQ(bins.total(), 0);
    }
}

} // namespace
} // namespace weft_test
