/// Tags of what lives long: plans, mailboxes.
#pragma once

#include <weft/core/communicator.hpp>

namespace weft {

/// Tags that no other plan or mailbox of a communicator uses, for as long as this lives: `tag` and the ones
/// that follow it, `count` in all.
class long_tag {
public:
    /// `of` is named in the error. Collective: yes, with the same count. Blocks: until all ranks have called.
    /// Cost: one census, or a few where ranks have dropped different ones. Throws: `usage_error` if there are
    /// fewer than `count` left, `mpi_error`.
    long_tag(communicator const& over, char const* of, int count = 1);
    ~long_tag();
    long_tag(long_tag const&) = delete;
    long_tag& operator=(long_tag const&) = delete;

    /// Messages with them may still be under way: they are given back only when all ranks have dropped their
    /// owners, see `retired_tags`.
    void retire();

    communicator comm;
    int tag;

private:
    int count_;
    bool retired_ = false;
};

} // namespace weft
