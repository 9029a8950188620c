/// The unfinished output files of this process, for who has to remove them when it is told to end. Private.
#pragma once

#include <filesystem>
#include <mutex>
#include <vector>

namespace weft {

/// A signal concerns the process, so there is one list of it. Safe to call on any thread.
class partial_files {
public:
    [[nodiscard]] static partial_files& of_process();

    void add(std::filesystem::path const& file);
    void forget(std::filesystem::path const& file);
    /// Removes the files; what cannot be removed stays.
    void remove_all() noexcept;

private:
    std::mutex guard_;
    std::vector<std::filesystem::path> files_;
};

/// Removes a partial file at the end of the scope, or on a signal, unless it is kept before.
class partial_file {
public:
    explicit partial_file(std::filesystem::path file);
    ~partial_file();
    partial_file(partial_file const&) = delete;
    partial_file& operator=(partial_file const&) = delete;

    [[nodiscard]] std::filesystem::path const& path() const noexcept { return file_; }
    /// The file has become an output, or is gone already.
    void keep();

private:
    std::filesystem::path file_;
    bool kept_ = false;
};

} // namespace weft
