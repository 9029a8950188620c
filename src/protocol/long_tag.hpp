/// Tags of what lives long: plans, mailboxes.
#pragma once

#include <weft/core/communicator.hpp>

namespace weft {

/// A tag that no other plan or mailbox of a communicator uses, for as long as this lives.
class long_tag {
public:
    /// `of` is named in the error. Collective: yes. Blocks: until all ranks have called. Cost: one census, or
    /// a few where ranks have dropped different ones. Throws: `usage_error` if there is none left,
    /// `mpi_error`.
    long_tag(communicator const& over, char const* of);
    ~long_tag();
    long_tag(long_tag const&) = delete;
    long_tag& operator=(long_tag const&) = delete;

    /// Messages with it may still be under way: it is given back only when all ranks have dropped their
    /// owners, see `retired_tags`.
    void retire();

    communicator comm;
    int tag;

private:
    bool retired_ = false;
};

} // namespace weft
