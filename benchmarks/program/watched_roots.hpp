/// What `weft-bench watching` compares: roots that can be watched and that cannot, a `weft top` that looks
/// now and then, and the page of this process in memory of another kind.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/mpi.hpp>

#include <observe/job_pages.hpp>

#include <sys/types.h>

#include <optional>

namespace weft::tool {

/// A root whose ranks show what they do, or do not: this is read from the environment where a root is made.
class chosen_root {
public:
    /// Collective over `parent`.
    chosen_root(MPI_Comm parent, bool watching);
    ~chosen_root();
    chosen_root(chosen_root const&) = delete;
    chosen_root& operator=(chosen_root const&) = delete;

    [[nodiscard]] communicator const& comm() const noexcept { return *made_; }

private:
    MPI_Comm parent_ = MPI_COMM_NULL;
    std::optional<communicator> made_;
};

/// `weft top` beside this job, which looks while it is not stopped. On one rank of the job.
class watcher {
public:
    /// `starts`: on the other ranks this object does nothing. It rests at first.
    watcher(bool starts, double seconds_between_looks);
    ~watcher();
    watcher(watcher const&) = delete;
    watcher& operator=(watcher const&) = delete;

    void look() const;
    void rest() const;
    /// Returns the seconds that it has computed so far.
    [[nodiscard]] double processor_seconds() const;

private:
    pid_t pid_ = 0;
};

/// The page of this process, whose memory is shared or, for a while, private. Nothing else changes: neither
/// its address nor what lies there.
class page_of_two_kinds {
public:
    /// Throws `error` if this process has no page.
    page_of_two_kinds();
    ~page_of_two_kinds() { share(true); }
    page_of_two_kinds(page_of_two_kinds const&) = delete;
    page_of_two_kinds& operator=(page_of_two_kinds const&) = delete;

    void share(bool shared);
    /// Lets this rank take itself for watched, as for 5 seconds after a look, or for unwatched.
    void seem_watched(bool watched);

private:
    rank_page* page_;
    shared_page other_; // another mapping of the shared memory
    bool is_shared_ = true;
};

} // namespace weft::tool
