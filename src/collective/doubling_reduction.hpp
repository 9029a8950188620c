/// Small arrays combined in one round of log2 P steps.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/extend/collective/array_call.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Combines the arrays of all ranks on all of them. In step h the ranks of each block of 2^h get what the
/// block beside theirs has combined: the brackets are those of a merge, and a rank that has them all knows
/// which ranks had failed before the first step. Each rank combines, so a result is the same everywhere if
/// the operator makes the same of the same values.
///
/// Cost: ceil(log2 P) messages a rank; ranks of the last block, where that is not full, send more.
class doubling_reduction final : public engine {
public:
    /// Elements that a rank has in the end: those of all ranks, or of the ranks 0 to its own.
    enum class reach : std::uint8_t { all, prefix };

    /// The transport must outlive the engine.
    doubling_reduction(transport& via, int tag, std::size_t elements, std::size_t element_bytes);
    /// Leaves the memory of messages under way to MPI.
    ~doubling_reduction() override;

    /// Begins a reduction of `data`, once the one before is done; `failure`: why this rank has no values.
    void begin(std::byte* data, array_operator& how, reach wanted, std::exception_ptr failure);

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;

    /// Only after done: the lowest rank that had failed before its first step, -1 for none.
    [[nodiscard]] int lowest_failed() const noexcept { return failed_; }
    /// The error of the operator on this rank, or the reason why it had no values. Once: an engine that is
    /// kept keeps no exception, which may hold objects of the program.
    [[nodiscard]] std::exception_ptr take_thrown() noexcept { return std::exchange(thrown_, nullptr); }
    /// Messages that this rank sends.
    [[nodiscard]] int messages() const noexcept { return messages_; }

private:
    /// A step, where there is a block beside that of this rank.
    struct exchange {
        int from = 0;
        std::vector<int> to = {};
        bool other_is_left = false;
        buffer incoming = {};
        buffer outgoing = {};
        std::vector<request> received = {}; // by piece
        std::vector<request> sent = {};
    };

    /// Calls `each(first, bytes)` for the pieces of a message. Behind the values of the last one is the
    /// lowest rank that had failed, if there is `room_behind` for it.
    template <class Each>
    void for_pieces(bool room_behind, Each&& each) const;
    void receive(exchange& now);
    [[nodiscard]] bool has_come(exchange& now);
    void send(exchange& now);
    void take(exchange& now);

    transport& via_;
    int tag_;
    std::size_t elements_;
    std::size_t bytes_;
    std::vector<exchange> steps_;
    int messages_ = 0;
    std::byte* data_ = nullptr;
    std::vector<std::byte> prefix_; // grows beside the values of the block
    array_operator* how_ = nullptr;
    reach wanted_ = reach::all;
    std::size_t current_ = 0;
    std::size_t pieces_come_ = 0; // of the current step
    std::size_t sent_complete_ = 0;
    int failed_ = -1;
    std::exception_ptr thrown_;
};

} // namespace weft
