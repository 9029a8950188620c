/// Particles in files.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/nbody/nbody_system.hpp>
#include <weft/nbody/particle.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Options of reading a snapshot, equal on all ranks.
struct snapshot_options {
    /// The softening length of every particle, instead of the lengths in the file. Default: the lengths in
    /// the file, or 0.
    std::optional<double> softening = {};
    /// The total mass of all particles, which share it evenly; only for files without masses. Default: 1.
    std::optional<double> total_mass = {};
};

/// The state of an n-body run, as stored in a checkpoint.
struct checkpoint_state {
    std::int64_t step = 0;             ///< The number of steps so far.
    double initial_energy = 0;         ///< The energy before the first step.
    double gravitational_constant = 1; ///< G of the run.
};

/// A file of particles.
struct snapshot {
    /// The particles of this rank: an equal share, in the order of the file.
    std::vector<particle> particles;
    std::string format; ///< The format of the file in words.
    /// The time in the simulation, as the file gives it; 0 if the file has no time.
    double time = 0;
    std::optional<checkpoint_state> checkpoint = {}; ///< The state of the run, if the file is a checkpoint.
};

/// Reads GADGET (formats 1 and 2) and TIPSY in either byte order, checkpoints of `write_checkpoint`, NumPy
/// arrays of positions, and CSV with columns x, y, z and optionally vx, vy, vz, mass, softening, id.
/// Collective: yes. Blocks: until all ranks have read. Cost: each rank reads its share. Throws: `io_error`,
/// the same on all ranks, also for periodic boxes and for a file that is only a part of a snapshot;
/// `usage_error` for a total mass if the file has masses.
[[nodiscard]] snapshot read_particles(
    communicator const& comm, std::string const& file, snapshot_options const& options = {});

/// Writes the particles of all ranks, in the order of their `index` (0 to n - 1, each once): `.csv` and `-`
/// as CSV, `.vtp` as polydata of VTK, files with other names as GADGET format 2 with doubles. Collective:
/// yes. Blocks: until all ranks have written. Cost: an exchange; each rank writes its share. Throws:
/// `io_error`, on all ranks; `usage_error` on all ranks unless the indices are 0 to n - 1, each once, and for
/// a GADGET file unless the kinds are 0 to 5 and ascend.
void write_particles(
    communicator const& comm, std::string const& file, std::vector<particle> mine, double time = 0);

/// Writes a checkpoint, which `read_particles` reads on any number of ranks without loss.
/// Collective, Blocks, Cost, Throws: as `write_particles`.
void write_checkpoint(communicator const& comm, std::string const& file, std::vector<particle> mine,
    double time, checkpoint_state const& state);

/// Writes index, ax, ay, az and potential of each particle as CSV, ordered by index. Collective, Blocks,
/// Cost, Throws: as `write_particles`.
void write_forces(communicator const& comm, std::string const& file, nbody_system const& system);

} // namespace weft
