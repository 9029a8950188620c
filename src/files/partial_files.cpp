#include "partial_files.hpp"

#include <cstdio>
#include <utility>

namespace weft {

partial_files& partial_files::of_process() {
    static partial_files all;
    return all;
}

void partial_files::add(std::filesystem::path const& file) {
    std::scoped_lock const lock(guard_);
    files_.push_back(file);
}

void partial_files::forget(std::filesystem::path const& file) {
    std::scoped_lock const lock(guard_);
    std::erase(files_, file);
}

void partial_files::remove_all() noexcept {
    std::scoped_lock const lock(guard_);
    for (std::filesystem::path const& each : files_) std::remove(each.c_str());
    files_.clear();
}

partial_file::partial_file(std::filesystem::path file) : file_(std::move(file)) {
    partial_files::of_process().add(file_); // before it is made: a signal may come at any time
}

partial_file::~partial_file() {
    if (kept_) return;
    std::remove(file_.c_str());
    partial_files::of_process().forget(file_);
}

void partial_file::keep() {
    kept_ = true;
    partial_files::of_process().forget(file_);
}

} // namespace weft
