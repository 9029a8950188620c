/// Memory that the ranks of one node share.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// A part of memory for every rank of a node; this rank can read and write all parts. New memory is zero.
/// Only movable; memory is freed when the last rank has released it, which is local (law 2).
class shared_memory {
public:
    /// Makes an object without memory.
    explicit shared_memory(std::string why_not = {}) : why_not_(std::move(why_not)) {}
    /// Refers to parts of another owner's memory, ordered by core of this node.
    explicit shared_memory(std::vector<std::byte*> parts) : parts_(std::move(parts)) {}
    /// Owns a mapping, in which each core has `bytes` bytes, in the order of cores.
    shared_memory(std::byte* mapping, std::size_t bytes, int cores);
    shared_memory(shared_memory&& other) noexcept { *this = std::move(other); }
    shared_memory& operator=(shared_memory&& other) noexcept {
        std::swap(parts_, other.parts_);
        std::swap(mapping_, other.mapping_);
        std::swap(mapped_, other.mapped_);
        std::swap(why_not_, other.why_not_);
        return *this;
    }
    shared_memory(shared_memory const&) = delete;
    shared_memory& operator=(shared_memory const&) = delete;
    ~shared_memory();

    /// Returns false, on all ranks of the communicator, if this machine has no shared memory.
    [[nodiscard]] explicit operator bool() const noexcept { return !parts_.empty(); }
    /// Returns the reason why there is no shared memory, in a few words.
    [[nodiscard]] std::string const& why_not() const noexcept { return why_not_; }
    /// Returns the addresses of the parts, ordered by core of this node.
    [[nodiscard]] std::span<std::byte* const> parts() const noexcept { return parts_; }

private:
    std::vector<std::byte*> parts_;
    void* mapping_ = nullptr;
    std::size_t mapped_ = 0;
    std::string why_not_;
};

} // namespace weft
