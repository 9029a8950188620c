/// Counts the 31-mers of FASTQ files exactly, each together with its reverse complement, and writes them.
/// Run: mpirun -n 4 example_20_kmers OUT FILE... ; files may be packed, "-" writes nothing.
#include <weft/containers/counting_set.hpp>
#include <weft/io/fastq.hpp>
#include <weft/io/write_text.hpp>
#include <weft/weft.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr int k = 31;
constexpr std::uint64_t mask = (std::uint64_t{1} << 2 * k) - 1;
constexpr std::string_view letters = "ACGT"; // two bits each; 3 - x is the complement of x

constexpr std::array<std::uint8_t, 256> make_codes() {
    std::array<std::uint8_t, 256> codes{};
    codes.fill(4); // all else, such as N, ends a run of letters
    for (std::uint8_t i = 0; i < 4; ++i) codes[letters[i]] = codes[letters[i] | 0x20] = i;
    return codes;
}
constexpr std::array<std::uint8_t, 256> codes = make_codes();

/// Calls `use` with the lesser of each 31-mer and its reverse complement.
template <class Use>
void for_each_kmer(std::string_view sequence, Use&& use) {
    std::uint64_t forward = 0;
    std::uint64_t backward = 0;
    int length = 0;
    for (char const letter : sequence) {
        std::uint64_t const code = codes[static_cast<unsigned char>(letter)];
        if (code == 4) {
            length = 0;
            continue;
        }
        forward = (forward << 2 | code) & mask;
        backward = backward >> 2 | (3 - code) << 2 * (k - 1);
        if (++length >= k) use(forward < backward ? forward : backward);
    }
}

std::string text_of(std::uint64_t kmer) {
    std::string text(k, 'A');
    for (int i = k; i-- > 0; kmer >>= 2) text[i] = letters[kmer & 3];
    return text;
}

} // namespace

int main(int argc, char** argv) {
    return weft::run(argc, argv, [&](weft::communicator comm) {
        if (argc < 3) throw weft::usage_error("expected OUT FILE..., found no file");
        // [readme]
        weft::mailbox mail{comm};
        weft::counting_set<std::uint64_t> counts{mail};
        weft::read_text(comm, {argv + 2, argv + argc},
            [&](weft::text_part const& part) {
                weft::for_each_read(part.text, [&](weft::fastq_read const& read) {
                    for_each_kmer(read.letters, [&](std::uint64_t kmer) { counts.insert(kmer); });
                });
            },
            {.fastq = true});
        // [readme]
        long long const all = counts.total();
        long long const distinct = counts.size();
        if (comm.rank() == 0) std::printf("%lld 31-mers, %lld different\n", all, distinct);
        if (argv[1] == std::string("-")) return;
        std::string lines;
        for (auto [kmer, count] : counts.local()) lines += text_of(kmer) + ' ' + std::to_string(count) + '\n';
        weft::write_text(comm, argv[1], lines);
    });
}
