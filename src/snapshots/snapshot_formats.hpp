/// Readers of each format: they read the share of one rank. Local; `read_particles` agrees on errors.
#pragma once

#include <files/file_handle.hpp>

#include <weft/detail/core/even_shares.hpp>
#include <weft/snapshots/snapshot.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::snapshots {

/// The reading rank, and the number of ranks.
struct reader_place {
    int rank = 0;
    int ranks = 1;
};

/// The particles of a rank, and facts about those of all.
struct found_particles {
    snapshot read;
    std::int64_t total = 0;
    bool masses_known = true; ///< Otherwise `read_particles` gives each particle an equal share of a mass.
};

/// Reads numbers of 4 or 8 bytes each, in either byte order, from a binary file as doubles.
[[nodiscard]] std::vector<double> read_numbers(
    file_handle const& file, std::int64_t offset, std::int64_t count, std::int64_t bytes_each, bool swapped);

/// Returns true if the file begins like one of GADGET.
[[nodiscard]] bool is_gadget(file_handle const& file);
[[nodiscard]] found_particles read_gadget(file_handle const& file, reader_place const& where);

/// Returns true if the counts of a TIPSY header fit the size of the file.
[[nodiscard]] bool is_tipsy(file_handle const& file);
[[nodiscard]] found_particles read_tipsy(file_handle const& file, reader_place const& where);

[[nodiscard]] bool is_numpy(file_handle const& file);
[[nodiscard]] found_particles read_places(file_handle const& file, reader_place const& where);

[[nodiscard]] bool is_checkpoint(file_handle const& file);
[[nodiscard]] found_particles read_checkpoint(file_handle const& file, reader_place const& where);

/// Reads the particles of this rank's part of a CSV file. Their indices count from 0 on each rank.
[[nodiscard]] found_particles read_table(file_handle const& file, reader_place const& where);

/// Lists the names of the formats of particles that are read.
[[nodiscard]] std::vector<std::string> names_of_particle_formats();
/// Lists the formats of particles that are read: "NumPy, CSV (.csv, .txt), ...".
[[nodiscard]] std::string list_of_particle_formats();

/// The head of a checkpoint; the particles follow, by index.
struct checkpoint_head {
    char magic[8] = {'W', 'E', 'F', 'T', 'N', 'B', 'O', '1'};
    std::int64_t particles = 0;
    double time = 0;
    checkpoint_state state = {};
    std::uint64_t byte_order = 0x0102030405060708;
};

} // namespace weft::snapshots
