/// The values that a merge moves and combines, as its engine sees them.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/detail/core/owned.hpp>

#include <cstddef>
#include <span>

namespace weft::detail {

/// Two values, or arrays of them, that become one: once, on any thread.
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
    /// Reads a value that has come; its number.
    virtual std::size_t read(std::span<std::byte const> from) = 0;
    /// A value that was written without an error may still not be read, on some rank: its type has a hook of
    /// its own. The same on all ranks.
    [[nodiscard]] virtual bool reading_may_throw() const noexcept { return true; }
    /// Value `left` becomes the combination of both; `right` is not used again.
    virtual void combine(std::size_t left, std::size_t right) = 0;
    /// The root takes value `value`, the result of a merge to it alone, before the others learn how that
    /// went.
    virtual void finish(std::size_t /*value*/) {}
    /// So many will be read: from now on values stay where they are.
    virtual void expect(std::size_t /*reads*/) {}
    /// As `combine`, to be run later, while values are written and read and others combined. After `expect`.
    /// None where these values cannot stand that.
    [[nodiscard]] virtual owned<combination> combination_of(std::size_t /*left*/, std::size_t /*right*/) {
        return {};
    }
};

} // namespace weft::detail
