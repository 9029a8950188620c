/// A file that many ranks write and that appears only when it is complete. Private.
#pragma once

#include <weft/core/communicator.hpp>

#include <filesystem>

namespace weft {

/// The file under its temporary name, beside the final one. Rank 0 makes it, and removes it unless it was
/// finished.
class unfinished_file {
public:
    /// Collective. Throws: `io_error`, agreed.
    unfinished_file(communicator const& comm, std::filesystem::path const& file);
    ~unfinished_file();
    unfinished_file(unfinished_file const&) = delete;
    unfinished_file& operator=(unfinished_file const&) = delete;

    [[nodiscard]] std::filesystem::path const& path() const noexcept { return part_; }

    /// Gives the file its name. Collective. Throws: `io_error`, agreed.
    void finish();

private:
    communicator comm_;
    std::filesystem::path file_;
    std::filesystem::path part_;
    bool made_ = false;
};

} // namespace weft
