/// Tags of owners that were dropped with messages under way. Private.
#pragma once

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// A tag may be used again when its owner is gone on all ranks and every message with it is received. No rank
/// can tell that alone, and dropping is local; so retired tags wait here for the next collective call that
/// takes a tag.
class retired_tags {
public:
    [[nodiscard]] static retired_tags& of(communicator const& comm);

    /// The owner of `tag` is dropped here; MPI may still use its memory.
    void add(int tag);
    /// MPI uses none of it any more.
    void owner_has_gone(int tag) noexcept;
    [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(entries_.size()); }
    [[nodiscard]] bool has(int tag) const noexcept;
    /// The lowest one from `from` on; behind the last of all tags where there is none.
    [[nodiscard]] int lowest(int from) const noexcept;
    /// True if the owners of these have gone, as far as this rank had any.
    [[nodiscard]] bool owners_have_gone(std::vector<int> const& tags) const noexcept;

    /// True if the ranks have more or fewer of them than when they looked last. `all`: the sum of the counts
    /// of all ranks; each rank gives the same.
    [[nodiscard]] bool have_changed(std::int64_t all) noexcept;
    /// Gives those back to the pool that all ranks have dropped: receives what was sent with them. Whether
    /// there was one, on all ranks alike. `first`: the lowest that a rank has retired. Collective: yes.
    /// Blocks: until all ranks have called. Cost: a census for retired tags among 31 that follow each other,
    /// and for each that is given back P - 1 messages without content. Throws: `mpi_error`.
    [[nodiscard]] bool give_back(communicator const& comm, int first);

private:
    struct entry {
        int tag;
        bool owner_has_gone;
    };
    [[nodiscard]] std::vector<int> dropped_everywhere(communicator const& comm, int first) const;

    std::vector<entry> entries_;
    std::int64_t seen_ = 0; // on all ranks, when they looked last
};

} // namespace weft
