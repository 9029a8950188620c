/// Interface to the values that a merge moves and combines.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/detail/core/owned.hpp>

#include <cstddef>
#include <span>

namespace weft::detail {

/// A pending combination of two values or arrays; it runs once, on any thread.
class combination {
public:
    combination() = default;
    combination(combination const&) = delete;
    combination& operator=(combination const&) = delete;
    virtual ~combination() = default;

    virtual void run() = 0;
};

/// The values of this rank in a merge, by number. The first are those of its own participants, in order.
class merged_values {
public:
    merged_values() = default;
    merged_values(merged_values const&) = delete;
    merged_values& operator=(merged_values const&) = delete;
    virtual ~merged_values() = default;

    /// Appends a value that leaves this rank.
    virtual void write(std::size_t value, buffer& to) = 0;
    /// Reads a received value and returns its number.
    virtual std::size_t read(std::span<std::byte const> from) = 0;
    /// Returns true if reading may fail although writing succeeded, because the type has a hook of its own.
    /// The same on all ranks.
    [[nodiscard]] virtual bool reading_may_throw() const noexcept { return true; }
    /// Replaces value `left` by the combination of both; `right` is not used again.
    virtual void combine(std::size_t left, std::size_t right) = 0;
    /// Gives the root the result, value `value`, of a merge to it alone, before the other ranks learn of
    /// success or failure.
    virtual void finish(std::size_t /*value*/) {}
    /// Announces the number of values that will be read: from now on values keep their addresses.
    virtual void expect(std::size_t /*reads*/) {}
    /// Returns a `combine` to be run later, while other values are written, read and combined. To be called
    /// after `expect`. Returns null if these values do not allow it.
    [[nodiscard]] virtual owned<combination> combination_of(std::size_t /*left*/, std::size_t /*right*/) {
        return {};
    }
};

} // namespace weft::detail
