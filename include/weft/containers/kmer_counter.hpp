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
/// bits a base (A 0, C 1, G 2, T 3; the last base lowest), the lesser of the two strands. A rank sends runs
/// of k-mers that share a minimizer, packed, to the owner of the minimizer, and adds up equal runs before
/// that. The owner keeps the runs, and counts them when a collective member is called or many have come. Must
/// not outlive its mailbox. All ranks make their containers in the same order. Cost: a channel of the
/// mailbox, and 128 KiB; on the owner some 1.5 bytes for each k-mer that comes, up to 256 MiB and half of the
/// counts; 16 bytes for each different k-mer. Source: Li, Yan, MSPKmerCounter, 2015; Deorowicz, Kokot,
/// Grabowski, Debudaj-Grabysz, KMC 2, 2015.
class kmer_counter {
public:
    /// Makes an empty counter of k-mers of `k` bases, from 1 to 32. Collective: no, but all ranks make
    /// channels and containers in the same order. Throws: `usage_error` for another `k`.
    explicit kmer_counter(mailbox& mail, int k = 31);
    kmer_counter(kmer_counter&&) noexcept;
    kmer_counter& operator=(kmer_counter&&) noexcept;
    ~kmer_counter(); // local

    /// Returns the number of bases of a k-mer. Local.
    [[nodiscard]] int k() const noexcept { return k_; }
    /// Counts all k-mers of a read, in letters of either case. No k-mer has a letter other than A, C, G and
    /// T.
    void insert(std::string_view bases) const;

    /// Returns the number of different k-mers of all ranks. Collective: yes. Blocks: until the mailbox is
    /// drained. Cost: a drain, the counting of what has come since the last call, and two small all-reduces.
    /// Throws: all that `mailbox::drain` throws; `usage_error` if `k` differs between ranks;
    /// `std::bad_alloc`, on all ranks.
    [[nodiscard]] std::int64_t size() const;
    /// Returns the number of all k-mers. Collective, Blocks, Cost, Throws: as `size`.
    [[nodiscard]] std::int64_t total() const;
    /// Returns the count of a k-mer, given in letters; all ranks pass the same one. Collective, Blocks, Cost:
    /// as `size`. Throws: as `size`; `usage_error` on all ranks if it has not k letters, all of them A, C, G
    /// or T.
    [[nodiscard]] std::int64_t count(std::string_view kmer) const;
    /// Returns on all ranks the `most` k-mers that occur most often, with their counts. The most frequent
    /// comes first; among equal counts the smaller k-mer. Collective, Blocks: as `size`. Cost: as
    /// `map::gather_top_k`. Throws: as `size`; `usage_error` if `most` is negative or differs between ranks.
    [[nodiscard]] std::vector<std::pair<std::uint64_t, std::int64_t>> gather_top_k(std::int64_t most) const;
    /// Returns on all ranks the number of k-mers of each count: item i is the number of those that occur i
    /// times, the last item that of those that occur `most` times or more. Collective, Blocks, Cost: as
    /// `size`, with an all-reduce of `most` numbers. Throws: as `size`; `usage_error` if `most` differs
    /// between ranks, or is not from 1 to 16,777,216.
    [[nodiscard]] std::vector<std::int64_t> histogram(std::int64_t most = 255) const;
    /// Calls `body(std::uint64_t kmer, std::int64_t count)` for all k-mers, each on the rank that owns it.
    /// Collective: yes. Blocks: until the mailbox is drained. Cost: as `size`. Throws: as `size`, and errors
    /// of `body`, on all ranks; `usage_error` if it inserts into this counter.
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
    /// Removes all k-mers. Collective: yes. Blocks: until the mailbox is drained. Cost: a drain. Throws: all
    /// that `mailbox::drain` throws.
    void clear() const;
    /// Returns the letters of a k-mer. Local.
    [[nodiscard]] std::string text(std::uint64_t kmer) const;

private:
    void count_all(char const* call) const;
    [[nodiscard]] detail::kmer_walk walk() const;

    int k_;
    detail::container_mail mail_;
    detail::shared<detail::kmer_bins> bins_;
    detail::kmer_channel* channel_;
};

} // namespace weft
