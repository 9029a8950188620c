/// Counts the 31-mers of FASTQ files exactly, each together with its reverse complement, and writes them.
/// Run: mpirun -n 4 example_20_kmers OUT FILE... ; files may be packed, "-" writes nothing.
#include <weft/containers/kmer_counter.hpp>
#include <weft/io/fastq.hpp>
#include <weft/io/write_text.hpp>
#include <weft/weft.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [&](weft::communicator comm) {
        if (argc < 3) throw weft::usage_error("expected OUT FILE..., found no file");
        // [readme]
        weft::mailbox mail{comm};
        weft::kmer_counter counts{mail, 31};
        weft::read_text(comm, {argv + 2, argv + argc},
            [&](weft::text_part const& part) {
                weft::for_each_read(
                    part.text, [&](weft::fastq_read const& read) { counts.insert(read.letters); });
            },
            {.fastq = true});
        // [readme]
        long long const all = counts.total();
        long long const distinct = counts.size();
        if (comm.rank() == 0) std::printf("%lld 31-mers, %lld different\n", all, distinct);
        if (argv[1] == std::string("-")) return;
        std::string lines;
        counts.for_all([&](std::uint64_t kmer, std::int64_t count) {
            lines += counts.text(kmer) + ' ' + std::to_string(count) + '\n';
        });
        weft::write_text(comm, argv[1], lines);
    });
}
