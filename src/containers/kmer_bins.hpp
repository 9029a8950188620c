/// The k-mers that a rank owns. Private.
#pragma once

#include <weft/containers/kmer_counter.hpp>

#include "kmer_runs.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::detail {

/// A hash table with linear probing. The bins are counted in it one after the other.
class kmer_table {
public:
    void begin(std::size_t kmers);
    void reserve_more(std::size_t kmers) {
        while (8 * (used_ + kmers) > 5 * slots_.size()) grow();
    }
    [[nodiscard]] static std::uint64_t hash(std::uint64_t kmer) noexcept {
        return (kmer ^ kmer >> 29) * 0x9E3779B97F4A7C15U;
    }
    void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&slots_[hash >> shift_], 1); }
    void add(std::uint64_t kmer, std::uint64_t hash, std::int64_t times) noexcept {
        for (std::size_t place = hash >> shift_;; place = (place + 1) & (slots_.size() - 1)) {
            counted_kmer& here = slots_[place];
            if (here.count == 0) {
                here = {kmer, times};
                ++used_;
                return;
            }
            if (here.kmer == kmer) {
                here.count += times;
                return;
            }
        }
    }
    [[nodiscard]] std::vector<counted_kmer> entries() const;
    void clear() noexcept { slots_ = {}; }

private:
    void resize(std::size_t slots);
    void grow();

    std::vector<counted_kmer> slots_; ///< a slot with count 0 is empty
    std::size_t used_ = 0;
    int shift_ = 64;
};

/// The k-mers of a rank in bins, chosen by their minimizers. A bin holds received runs and counts, and is
/// counted in a table that fits into the caches.
class kmer_bins : public counted {
public:
    explicit kmer_bins(int k) : k_(k), bins_(kmer_bins_of_rank) {}

    void add(std::span<kmer_run const> runs);
    /// Adds the counts of k-mers, each with its bin; `merge` must follow.
    void add(counted_kmer const& what, std::size_t bin) { bins_[bin].counts.push_back(what); }
    /// Adds up counts of equal k-mers.
    void merge();
    void copy_counts(kmer_bins const& of);
    /// Counts all runs that were added.
    void count_all();
    void clear() noexcept;
    [[nodiscard]] std::int64_t size() const noexcept;
    [[nodiscard]] std::int64_t total() const noexcept;
    [[nodiscard]] std::int64_t count(std::uint64_t kmer, std::size_t bin) const noexcept;
    [[nodiscard]] std::size_t bins() const noexcept { return bins_.size(); }
    [[nodiscard]] std::span<counted_kmer const> bin(std::size_t number) const noexcept {
        return bins_[number].counts;
    }

    bool is_walked = false; ///< true while `for_all` uses spans of the counts

private:
    struct one {
        std::vector<kmer_run> runs; ///< not counted yet
        std::vector<counted_kmer> counts;
    };
    static constexpr std::size_t most_runs = 8192; ///< least number of runs before a bin is counted

    void count(one& bin);

    int k_;
    std::vector<one> bins_;
    kmer_table table_;
};

} // namespace weft::detail
