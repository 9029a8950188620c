#include "kmer_bins.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace weft::detail {

int kmer_cutter::read_bases(char const* at, char const* end) {
    int const most = end - at < piece ? static_cast<int>(end - at) : piece;
    auto const mask = static_cast<std::uint32_t>(low_bases(~std::uint64_t{0}, m_));
    int const shift = 2 * (m_ - 1);
    std::uint64_t until = 0;
    std::uint32_t backward = 0;
    int bases = 0;
    for (; bases < most; ++bases) {
        std::uint32_t const code = code_of_base[static_cast<unsigned char>(at[bases])];
        if (code == 4) break;
        until = until << 2 | code;
        until_[static_cast<std::size_t>(bases)] = until;
        backward = backward >> 2 | (3 - code) << shift;
        std::uint32_t const forward = static_cast<std::uint32_t>(until) & mask;
        // A bijection. It does not give the frequent m-mer A...A the least hash.
        std::uint32_t hash = ((forward < backward ? forward : backward) ^ 0x5BD1E995U) * 0x9E3779B1U;
        hash = (hash ^ hash >> 15) * 0x85EBCA77U;
        if (bases >= m_ - 1)
            least_[static_cast<std::size_t>(bases - m_ + 1)] = static_cast<std::int32_t>(hash);
    }
    // The minimum over windows of 1, 2, 4 ... m-mers, then over those of a k-mer: these loops are vectorized.
    int const wanted = k_ - m_ + 1;
    int items = bases - m_ + 1;
    auto const merge = [&](int by) {
        items -= by;
        for (int i = 0; i < items; ++i) {
            std::int32_t const other = least_[static_cast<std::size_t>(i + by)];
            std::int32_t& mine = least_[static_cast<std::size_t>(i)];
            mine = other < mine ? other : mine;
        }
    };
    int width = 1;
    for (; 2 * width <= wanted; width *= 2) merge(width);
    if (width < wanted) merge(wanted - width);
    return bases;
}

void kmer_table::resize(std::size_t slots) {
    slots_.assign(slots, counted_kmer{0, 0});
    shift_ = 64 - std::countr_zero(slots);
    used_ = 0;
}

void kmer_table::begin(std::size_t kmers) {
    resize(std::bit_ceil(std::max<std::size_t>(2 * kmers, 256)));
}

void kmer_table::grow() {
    std::vector<counted_kmer> const before = std::move(slots_);
    resize(2 * before.size());
    for (counted_kmer const& each : before)
        if (each.count != 0) add(each.kmer, hash(each.kmer), each.count);
}

std::vector<counted_kmer> kmer_table::entries() const {
    std::vector<counted_kmer> all;
    all.reserve(used_);
    for (counted_kmer const& each : slots_)
        if (each.count != 0) all.push_back(each);
    return all;
}

void kmer_bins::add(std::span<kmer_run const> runs) {
    for (kmer_run const& run : runs) {
        one& bin = bins_[run.bin()];
        bin.runs.push_back(run);
        if (bin.runs.size() >= most_runs && 2 * bin.runs.size() >= bin.counts.size() && !is_walked)
            [[unlikely]]
            count(bin);
    }
}

void kmer_bins::count(one& bin) {
    table_.begin(bin.counts.size() + 2 * bin.runs.size());
    for (counted_kmer const& each : bin.counts)
        table_.add(each.kmer, kmer_table::hash(each.kmer), each.count);
    struct prepared {
        std::uint64_t kmer;
        std::uint64_t hash;
    };
    // The slots for the k-mers of one run are prefetched while those of the run before are added.
    std::array<std::array<prepared, 32>, 2> waiting;
    std::size_t waiting_kmers = 0;
    std::int64_t waiting_times = 0;
    std::size_t turn = 0;
    auto const add_waiting = [&] {
        for (std::size_t i = 0; i < waiting_kmers; ++i)
            table_.add(waiting[turn ^ 1][i].kmer, waiting[turn ^ 1][i].hash, waiting_times);
    };
    for (kmer_run const& run : bin.runs) {
        table_.reserve_more(64);
        std::size_t kmers = 0;
        for_kmers_of_run(run, k_, [&](std::uint64_t kmer) {
            std::uint64_t const hash = kmer_table::hash(kmer);
            table_.prefetch(hash);
            waiting[turn][kmers++] = {kmer, hash};
        });
        add_waiting();
        waiting_kmers = kmers;
        waiting_times = run.times();
        turn ^= 1;
    }
    add_waiting();
    bin.counts = table_.entries();
    bin.runs.clear();
}

void kmer_bins::count_all() {
    for (one& bin : bins_) {
        if (!bin.runs.empty()) count(bin);
        bin.runs = {};
    }
    table_.clear();
}

void kmer_bins::merge() {
    for (one& bin : bins_)
        if (!bin.counts.empty()) count(bin);
    table_.clear();
}

void kmer_bins::copy_counts(kmer_bins const& of) {
    for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i].counts = of.bins_[i].counts;
}

void kmer_bins::clear() noexcept {
    for (one& bin : bins_) bin = {};
    table_.clear();
}

std::int64_t kmer_bins::size() const noexcept {
    std::int64_t all = 0;
    for (one const& bin : bins_) all += static_cast<std::int64_t>(bin.counts.size());
    return all;
}

std::int64_t kmer_bins::total() const noexcept {
    std::int64_t all = 0;
    for (one const& bin : bins_)
        for (counted_kmer const& each : bin.counts) all += each.count;
    return all;
}

std::int64_t kmer_bins::count(std::uint64_t kmer, std::size_t bin) const noexcept {
    for (counted_kmer const& each : bins_[bin].counts)
        if (each.kmer == kmer) return each.count;
    return 0;
}

kmer_walk::kmer_walk(kmer_bins& of) noexcept : bins_(&of) {
    bins_->is_walked = true;
}
kmer_walk::~kmer_walk() {
    bins_->is_walked = false;
}
std::size_t kmer_walk::size() const noexcept {
    return bins_->bins();
}
std::span<counted_kmer const> kmer_walk::bin(std::size_t number) const noexcept {
    return bins_->bin(number);
}

} // namespace weft::detail
