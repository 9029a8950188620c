/// Runs of k-mers that share a minimizer. Private.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weft::detail {

inline constexpr int bases_of_run = 52; ///< the most bases of a run: 104 bits
inline constexpr std::size_t kmer_bins_of_rank = 2048;

/// Up to 52 bases in 16 bytes. `low` has the last 32 bases. `high` has, from bit 0, the bases before these
/// (40 bits), the number of k-mers less 1 (5 bits), the bin of the minimizer (11 bits), and the number of
/// equal runs less 1 (8 bits).
struct kmer_run {
    std::uint64_t low;
    std::uint64_t high;

    static constexpr std::uint64_t once_more = std::uint64_t{1} << 56;
    static constexpr int most_times = 256;
    [[nodiscard]] std::uint64_t bases_before() const noexcept {
        return high & ((std::uint64_t{1} << 40) - 1);
    }
    [[nodiscard]] int kmers() const noexcept { return static_cast<int>(high >> 40 & 31) + 1; }
    [[nodiscard]] std::size_t bin() const noexcept { return high >> 45 & (kmer_bins_of_rank - 1); }
    [[nodiscard]] int times() const noexcept { return static_cast<int>(high >> 56) + 1; }
    [[nodiscard]] bool is_like(kmer_run const& other) const noexcept {
        return low == other.low && (high ^ other.high) << 8 == 0;
    }
};

inline constexpr auto code_of_base = [] {
    std::array<std::uint8_t, 256> codes{};
    codes.fill(4); // any other letter, such as N, ends a run of bases
    for (std::uint8_t i = 0; i < 4; ++i) {
        auto const letter = static_cast<unsigned char>("ACGT"[i]);
        codes[letter] = codes[letter | 0x20] = i;
    }
    return codes;
}();

[[nodiscard]] constexpr std::uint64_t low_bases(std::uint64_t of, int bases) noexcept {
    return bases >= 32 ? of : of & ((std::uint64_t{1} << 2 * bases) - 1);
}

/// Cuts reads into runs of k-mers that share a minimizer.
class kmer_cutter {
public:
    explicit kmer_cutter(int k) noexcept
        : k_(k),
          m_(k < 22 ? (k + 1) / 2 : 11),
          most_kmers_(bases_of_run + 1 - k < 32 ? bases_of_run + 1 - k : 32) {}

    /// Calls `use(spread, run)`. `spread` is the mixed minimizer; its upper half selects the owner.
    template <class Use>
    void cut(std::string_view bases, Use&& use) {
        char const* at = bases.data();
        char const* const end = at + bases.size();
        while (end - at >= k_) {
            int const found = read_bases(at, end);
            if (found >= k_) cut_bases(found, use);
            at += found;
            if (at == end) return;
            if (found == piece)
                at -= k_ - 1; // the next piece begins with the next k-mer
            else
                ++at;
        }
    }

private:
    static constexpr int piece = 1024;

    /// Reads bases until another letter or a full piece; returns their number. Afterwards `least_` has, for
    /// each k-mer, the least hash of its m-mers.
    int read_bases(char const* at, char const* end);

    template <class Use>
    void cut_bases(int bases, Use& use) {
        int const kmers = bases - k_ + 1;
        for (int first = 0; first < kmers;) {
            std::int32_t const least = least_[first];
            int const stop = first + most_kmers_ < kmers ? first + most_kmers_ : kmers;
            int next = first + 1;
            while (next < stop && least_[next] == least) ++next;
            int const last = next + k_ - 2; // place of the last base
            int const length = last - first + 1;
            std::uint64_t const spread = spread_of(least);
            kmer_run run{low_bases(until_[last], length), 0};
            if (length > 32) run.high = low_bases(until_[last - 32], length - 32);
            run.high |=
                static_cast<std::uint64_t>(next - first - 1) << 40 | (spread & (kmer_bins_of_rank - 1)) << 45;
            use(spread, run);
            first = next;
        }
    }
    [[nodiscard]] static std::uint64_t spread_of(std::int32_t least) noexcept {
        std::uint64_t mixed = (static_cast<std::uint32_t>(least) + 1) * 0x9E3779B97F4A7C15U;
        mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93U;
        return mixed ^ mixed >> 32;
    }

    int k_;
    int m_;
    int most_kmers_;
    std::array<std::uint64_t, piece> until_; ///< for each base, the 32 bases that end with it
    std::array<std::int32_t, piece> least_;
};

/// Calls `use(kmer)` with each canonical k-mer of a run.
template <class Use>
void for_kmers_of_run(kmer_run const& run, int k, Use&& use) {
    int const kmers = run.kmers();
    int const length = kmers + k - 1;
    std::uint64_t const mask = low_bases(~std::uint64_t{0}, k);
    // The bases after the first k-mer are in the upper bits of `rest`, the next one highest.
    int const behind = 2 * (length - k); // bits of the bases behind the first k-mer, at most 62
    std::uint64_t forward = run.low >> behind;
    if (behind > 0) forward |= run.bases_before() << (64 - behind);
    forward &= mask;
    std::uint64_t backward = ~forward; // complemented, then reversed
    backward = (backward >> 2 & 0x3333333333333333U) | (backward & 0x3333333333333333U) << 2;
    backward = (backward >> 4 & 0x0F0F0F0F0F0F0F0FU) | (backward & 0x0F0F0F0F0F0F0F0FU) << 4;
    backward = __builtin_bswap64(backward) >> (64 - 2 * k);
    use(forward < backward ? forward : backward);
    if (kmers == 1) return;
    std::uint64_t rest = run.low << (64 - 2 * (kmers - 1)); // at most 31 k-mers follow
    for (int i = 1; i < kmers; ++i) {
        std::uint64_t const code = rest >> 62;
        rest <<= 2;
        forward = (forward << 2 | code) & mask;
        backward = backward >> 2 | (3 - code) << 2 * (k - 1);
        use(forward < backward ? forward : backward);
    }
}

} // namespace weft::detail
