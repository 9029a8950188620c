/// Counts of k-mers over all ranks.
#pragma once

#include <weft/detail/containers/container_mail.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

namespace detail {

class kmer_bins;
class kmer_channel;

/// A k-mer with 2 bits a base (A 0, C 1, G 2, T 3; the last base lowest), and its count.
struct counted_kmer {
    std::uint64_t kmer;
    std::int64_t count;
};

/// The walk over the k-mers of a rank, during which none may be inserted.
class kmer_walk {
public:
    explicit kmer_walk(kmer_bins& of) noexcept;
    kmer_walk(kmer_walk const&) = delete;
    kmer_walk& operator=(kmer_walk const&) = delete;
    ~kmer_walk();
    [[nodiscard]] std::size_t size() const noexcept; ///< the number of bins
    [[nodiscard]] std::span<counted_kmer const> bin(std::size_t number) const noexcept;

private:
    kmer_bins* bins_;
};

} // namespace detail

/// Counts each k-mer of DNA reads exactly, together with its reverse complement. A k-mer is a number with 2
/// bits for each base (A 0, C 1, G 2, T 3; the last base in the lowest bits); of a k-mer and its reverse
/// complement, the smaller number is counted. A rank sends packed runs of k-mers that share a minimizer to
/// the rank that owns the minimizer, equal runs together with their number. The owner counts the k-mers of
/// the runs in collective members, and earlier when many runs wait. A counter must not outlive its mailbox.
/// All ranks make their containers in the same order. Cost: a channel of the mailbox, and 128 KiB; on the
/// owner some 1.5 bytes for each k-mer received and not yet counted, at most 256 MiB plus half of the memory
/// of the counts; 16 bytes for each different k-mer. Source: Li, Yan, MSPKmerCounter, 2015; Deorowicz, Kokot,
/// Grabowski, Debudaj-Grabysz, KMC 2, 2015.
class kmer_counter {
public:
    /// Makes an empty counter of k-mers of `k` bases; `k` is from 1 to 32. Collective: no, but all ranks make
    /// channels and containers in the same order. Throws: `usage_error` if `k` is below 1 or above 32.
    explicit kmer_counter(mailbox& mail, int k = 31);
    /// Copies a counter, on the same mailbox. Collective: yes. Blocks: until the mailbox is drained. Cost:
    /// as `size`, and a copy of the counts of this rank. Throws: as `size`.
    kmer_counter(kmer_counter const& other);
    kmer_counter& operator=(kmer_counter const& other);
    kmer_counter(kmer_counter&&) noexcept;
    kmer_counter& operator=(kmer_counter&&) noexcept;
    ~kmer_counter(); // local

    /// Returns the number of bases of a k-mer. Local.
    [[nodiscard]] int k() const noexcept { return k_; }
    /// Returns the mailbox of the counter. Local.
    [[nodiscard]] mailbox& mail() const noexcept { return mail_.mail(); }
    /// Counts all k-mers of a read, given in upper or lower case. K-mers with a letter other than A, C, G and
    /// T are skipped.
    void insert(std::string_view bases) const;
    /// Counts all k-mers of several reads.
    void insert(std::span<std::string_view const> reads) const;
    /// Counts all k-mers of several reads.
    void insert(std::span<std::string const> reads) const;

    /// Returns the number of different k-mers of all ranks. Collective: yes. Blocks: until the mailbox is
    /// drained. Cost: a drain, the counting of k-mers received since the last call, and two small
    /// all-reduces. Throws: all that `mailbox::drain` throws; `usage_error` if `k` differs between ranks;
    /// `std::bad_alloc`, on all ranks.
    [[nodiscard]] std::int64_t size() const;
    /// Returns the sum of the counts of all k-mers. Collective, Blocks, Cost, Throws: as `size`.
    [[nodiscard]] std::int64_t total() const;
    /// Returns the count of a k-mer, given in letters; all ranks pass the same k-mer. Collective, Blocks,
    /// Cost: as `size`. Throws: as `size`; `usage_error` on all ranks unless `kmer` has k letters, each A, C,
    /// G or T.
    [[nodiscard]] std::int64_t count(std::string_view kmer) const;
    /// Returns on all ranks the `most` k-mers that occur most often, with their counts. The most frequent
    /// k-mer comes first; of k-mers with equal counts, the smaller k-mer comes first. Collective, Blocks: as
    /// `size`. Cost: as `map::gather_top_k`. Throws: as `size`; `usage_error` if `most` is negative or
    /// differs between ranks.
    [[nodiscard]] std::vector<std::pair<std::uint64_t, std::int64_t>> gather_top_k(std::int64_t most) const;
    /// Returns on all ranks the number of k-mers of each count: item i is the number of k-mers that occur i
    /// times; the last item also counts the k-mers that occur more often. Collective, Blocks, Cost: as
    /// `size`, with an all-reduce of `most` numbers. Throws: as `size`; `usage_error` if `most` differs
    /// between ranks, or is not from 1 to 16,777,216.
    [[nodiscard]] std::vector<std::int64_t> histogram(std::int64_t most = 255) const;
    /// Calls `body(std::uint64_t kmer, std::int64_t count)` for all k-mers, each on the rank that owns it.
    /// Collective: yes. Blocks: until the mailbox is drained. Cost: as `size`. Throws: as `size`; errors of
    /// `body`, on all ranks; `usage_error` if `body` inserts into this counter.
    template <class Body>
    requires std::invocable<Body&, std::uint64_t, std::int64_t>
    void for_all(Body&& body) const {
        count_all("kmer_counter::for_all");
        mail_.phase("kmer_counter::for_all", [&] {
            detail::kmer_walk const now = walk();
            for (std::size_t i = 0; i < now.size(); ++i)
                for (detail::counted_kmer const& each : now.bin(i)) body(each.kmer, each.count);
        });
    }
    /// Writes all k-mers with their counts to a file, which appears when it is complete. Any number of ranks
    /// can load the file. Collective: yes. Blocks: until all ranks have written. Cost: as `size`, 16 bytes of
    /// the file for each k-mer, and 256 KiB of memory. Throws: as `size`; `io_error` on all ranks if the file
    /// cannot be written.
    void save(std::string const& file) const;
    /// Replaces all k-mers by those of a file that `save` has written; the number of ranks may be different
    /// from that at `save`. Collective: yes. Blocks: until the mailbox is drained. Cost: the file is read
    /// twice, once to check it; an exchange of the counts; a rank needs some four times the memory of its
    /// counts. Throws: as `size`; `io_error` on all ranks for a damaged file, and for a file that was not
    /// saved from a `kmer_counter` with the same `k`. After an `io_error` the counter is unchanged.
    void load(std::string const& file) const;
    /// Removes all k-mers. Collective: yes. Blocks: until the mailbox is drained. Cost: a drain. Throws: all
    /// that `mailbox::drain` throws; `usage_error` in a `for_all` of this counter.
    void clear() const;
    /// Returns the letters of a k-mer. Local.
    [[nodiscard]] std::string text(std::uint64_t kmer) const;
    /// Swaps two counters, together with all messages on their way to either of the two. Local; all ranks
    /// make the call.
    friend void swap(kmer_counter& a, kmer_counter& b) noexcept {
        std::swap(a.k_, b.k_);
        std::swap(a.mail_, b.mail_);
        std::swap(a.bins_, b.bins_);
        std::swap(a.channel_, b.channel_);
    }

private:
    void count_all(char const* call) const;
    [[nodiscard]] std::string kind() const;
    [[nodiscard]] detail::kmer_walk walk() const;

    int k_;
    detail::container_mail mail_;
    detail::shared<detail::kmer_bins> bins_;
    detail::kmer_channel* channel_;
};

} // namespace weft
