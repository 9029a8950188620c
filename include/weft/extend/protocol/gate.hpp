/// The gate that every collective call opens first, so that all ranks throw an error of one rank.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/transport/census_value.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace weft {

/// The scope of one collective call on one rank. A collective function opens a gate before anything else,
/// names the arguments that must be the same on all ranks, and runs the code that may throw on one rank alone
/// (checks, callbacks, encodings, allocations of the user's sizes) inside `guard`. `agree` then throws on all
/// ranks or on no rank. Opening and closing is local and costs nothing.
class gate {
public:
    /// Opens a gate. `call` is the name of the function, as the user writes it, a string of static lifetime.
    /// The communicator must outlive the gate.
    gate(communicator const& comm, char const* call) noexcept : comm_(comm), call_(call) {}
    gate(gate const&) = delete;
    gate& operator=(gate const&) = delete;

    /// Returns the name of the call.
    [[nodiscard]] char const* call() const noexcept { return call_; }
    /// Returns the communicator of the call.
    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }

    /// Adds an argument that must be the same on all ranks; `agree` compares it, a real number by its bits.
    /// Local.
    template <class Value>
    requires(std::integral<Value> || std::is_enum_v<Value>) gate& same(
        char const* name, Value value) noexcept {
        return add({name, static_cast<std::uint64_t>(value), {}, shown_as::integer});
    }
    /// Adds a real number that must be equal on all ranks.
    gate& same(char const* name, double value) noexcept {
        return add({name, std::bit_cast<std::uint64_t>(value), {}, shown_as::real});
    }
    /// Adds a text that must be equal on all ranks. The characters must outlive the gate.
    gate& same(char const* name, std::string_view value) noexcept;

    /// Runs `body` and keeps its exception for `agree`; does nothing after an error was kept. Returns true if
    /// `body` completed. Local.
    template <class Body>
    bool guard(Body&& body) noexcept {
        if (kept_) return false;
        try {
            std::forward<Body>(body)();
            return true;
        } catch (...) {
            kept_ = std::current_exception();
            return false;
        }
    }
    /// Returns true if an error is kept. Local.
    [[nodiscard]] bool failed() const noexcept { return kept_ != nullptr; }
    /// Keeps an error that was caught elsewhere; a null pointer and a second error are ignored. Local.
    void fail(std::exception_ptr thrown) noexcept {
        if (!kept_) kept_ = std::move(thrown);
    }
    /// Returns the kept error and removes it, for a call that ends with its own agreement. Local.
    [[nodiscard]] std::exception_ptr take() noexcept { return std::exchange(kept_, nullptr); }

    /// Throws the kept error of the lowest rank that has one: the original where it happened, elsewhere the
    /// same `usage_error` or `io_error`, or a `remote_error`. Without one, throws a `usage_error` on all
    /// ranks if an argument named by `same` differs. Both count since the last `agree`. Collective: yes.
    /// Blocks: until all ranks have called. Cost: one census.
    void agree() { static_cast<void>(agree(census_value::identity())); }
    /// Agrees, and also combines data of the caller: all sums and flags, and the maxima from
    /// `census_slot::load_messages` on.
    census_value agree(census_value mine);

private:
    enum class shown_as : std::uint8_t { integer, real, text };
    struct argument { // not initialised: read only after a difference
        char const* name;
        std::uint64_t bits;
        std::string_view text;
        shown_as kind;
    };
    static constexpr std::size_t most_arguments = 16;

    gate& add(argument const& given) noexcept;
    [[noreturn]] void throw_difference();
    [[nodiscard]] std::string describe() const;

    communicator const& comm_;
    char const* call_;
    std::uint32_t arguments_ = 0;
    std::uint64_t print_ = 0;
    std::exception_ptr kept_;
    std::array<argument, most_arguments> shown_;
};

/// Opens a gate, runs `body` guarded and agrees: for a call that can fail only at its beginning. Collective,
/// Blocks, Cost, Throws: as `gate::agree`.
template <class Body>
void agreed(gate& open, Body&& body) {
    open.guard(std::forward<Body>(body));
    open.agree();
}

} // namespace weft
