/// Tags whose owners were dropped with messages under way. Private.
#pragma once

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// A tag may be reused when its owner is gone on all ranks and every message with it is received. No rank can
/// know that alone, and dropping is local; so retired tags wait here for the next collective call that takes
/// a tag.
class retired_tags {
public:
    [[nodiscard]] static retired_tags& of(communicator const& comm);

    /// The owner of `tag` was dropped here; MPI may still use its memory.
    void add(int tag);
    /// MPI no longer uses the owner's memory.
    void owner_has_gone(int tag) noexcept;
    [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(entries_.size()); }
    [[nodiscard]] bool has(int tag) const noexcept;
    /// Returns the lowest one from `from` on; one past the last of all tags if there is none.
    [[nodiscard]] int lowest(int from) const noexcept;
    /// Returns true if this rank's owners of these tags are gone.
    [[nodiscard]] bool owners_have_gone(std::vector<int> const& tags) const noexcept;

    /// Returns true if the number on all ranks has changed since the last call. `all`: the sum of the counts
    /// of all ranks; each rank passes the same.
    [[nodiscard]] bool have_changed(std::int64_t all) noexcept;
    /// Receives the last messages of tags that all ranks have dropped and returns these tags to the pool.
    /// Returns, on all ranks alike, true if there was one. `first`: the lowest tag that a rank has retired.
    /// Collective: yes. Blocks: until all ranks have called. Cost: a census for each 31 successive tags that
    /// are retired, and P - 1 empty messages for each returned tag. Throws: `mpi_error`.
    [[nodiscard]] bool give_back(communicator const& comm, int first);

private:
    struct entry {
        int tag;
        bool owner_has_gone;
    };
    [[nodiscard]] std::vector<int> dropped_everywhere(communicator const& comm, int first) const;

    std::vector<entry> entries_;
    std::int64_t seen_ = 0; // the number on all ranks at the last call
};

} // namespace weft
