/// A timeline of all ranks in a file.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/observe/timeline.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// Options of a `timeline_file`, equal on all ranks.
struct timeline_options {
    /// The title above the picture, if it is not empty.
    std::string title = {};
    /// The largest number of segments that a rank keeps, 32 bytes each; if there are more, short segments are
    /// merged.
    std::int64_t most_segments = std::int64_t{1} << 18;
    /// The largest number of segments of all ranks in the file; if there are more, short segments are merged.
    std::int64_t most_in_file = 200'000;
};

/// Throws `usage_error` for a name that does not end in .html or .json. Local.
void check_timeline_name(std::string const& file);

/// Records the timeline of a communicator, from the constructor to `write`. `FILE.html` is a page that needs
/// no other file: a horizontal bar for each rank, coloured by the rank's activity, and the total times.
/// `FILE.json` is for Perfetto and chrome://tracing.
///
/// \code
/// weft::timeline_file picture{comm, "run.html"};
/// {
///     weft::timeline_span const here{comm, weft::span_kind::compute, "first guess"};
///     guess();
/// }
/// solve(comm);     // exchanges, drains and callbacks of blocks show without being told
/// picture.write();
/// \endcode
///
/// No file is written unless `write` is called. A communicator and all communicators that were split from it,
/// directly or indirectly, may have only one timeline at a time.
class timeline_file {
public:
    /// Begins to record. Collective: yes. Blocks: until all ranks have called. Cost: messages that compare
    /// the clocks of all ranks (`clock_offset`); about 50 bytes of memory for each of `most_segments`.
    /// Throws: `usage_error` on all ranks for a name that does not end in .html or .json, or if the
    /// communicator already has a timeline; `mpi_error`.
    timeline_file(communicator const& comm, std::string file, timeline_options options = {});
    /// Stops recording. Local.
    ~timeline_file();
    timeline_file(timeline_file const&) = delete;
    timeline_file& operator=(timeline_file const&) = delete;

    /// Stops recording, and writes the file on rank 0; the file appears when it is complete. Collective:
    /// yes. Blocks: until all ranks have called. Cost: `clock_offset`, one exchange, and memory for all
    /// segments on rank 0. Throws: `io_error` on all ranks if the file cannot be written; `mpi_error`.
    void write();

private:
    communicator comm_;
    std::string file_;
    timeline_options options_;
    timeline& lane_;
    double offset_at_start_ = 0;
    double error_at_start_ = 0;
    bool records_ = false;
};

} // namespace weft
