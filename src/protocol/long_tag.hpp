/// Tags of long-lived objects: plans, mailboxes.
#pragma once

#include <weft/core/communicator.hpp>

namespace weft {

/// Tags that no other plan or mailbox of a communicator uses during the lifetime of this object: `tag` and
/// those after it, `count` in all.
class long_tag {
public:
    /// The error names `of`. Collective: yes, with the same count. Blocks: until all ranks have called. Cost:
    /// one census, or a few if ranks have dropped different owners. Throws: `usage_error` if fewer than
    /// `count` are left, `mpi_error`.
    long_tag(communicator const& over, char const* of, int count = 1);
    ~long_tag();
    long_tag(long_tag const&) = delete;
    long_tag& operator=(long_tag const&) = delete;

    /// To be called if messages with these tags may still be under way: they are returned to the pool only
    /// when all ranks have dropped their owners, see `retired_tags`.
    void retire();

    communicator comm;
    int tag;

private:
    int count_;
    bool retired_ = false;
};

} // namespace weft
