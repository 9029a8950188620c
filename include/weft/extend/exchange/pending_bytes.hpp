/// An open exchange of bytes, from which weft/exchange/exchange.hpp makes typed exchanges.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/detail/core/owned.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/extend/protocol/message.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace weft {

class protocol_choice; // src/protocol/exchange/protocol_choice.hpp

/// Options of an exchange. The same on all ranks.
struct exchange_options {
    /// The protocol. Default: the knob WEFT_EXCHANGE. The same on all ranks.
    std::optional<weft::protocol> protocol = {};
};

/// Receives the messages of an exchange on each rank before the ranks agree on success.
class message_sink {
public:
    message_sink() = default;
    message_sink(message_sink const&) = delete;
    message_sink& operator=(message_sink const&) = delete;
    virtual ~message_sink() = default;

    /// Receives all messages, ordered by source. All ranks throw its exceptions.
    virtual void take(message_list received) = 0;
};

/// Receives one message at a time, as it arrives.
class message_handler {
public:
    message_handler() = default;
    message_handler(message_handler const&) = delete;
    message_handler& operator=(message_handler const&) = delete;

    /// Handles a message. After an exception the other messages are dropped, and all ranks throw.
    virtual void handle(message const& arrived) = 0;

protected:
    ~message_handler() = default;
};

/// Input of an exchange of bytes.
struct byte_exchange {
    message_list outgoing;                 ///< A message for each destination.
    std::exception_ptr failure;            ///< The error of this rank, if the call fails.
    item_type items = {};                  ///< the type of the items; equal on all ranks
    detail::owned<message_sink> sink = {}; ///< Takes over each message as it arrives; may be null.
    bool blocks = false;                   ///< True if all ranks wait at once, so that it can be timed.
    bool sums = false;                     ///< Adds up `mine` over all ranks; the same on all of them.
    std::int64_t mine = 0;                 ///< The number of this rank to add up, if `sums`.
    bool in_order_of_arrival = false;      ///< Keeps messages as they arrive, not by source.
};

/// An exchange of bytes under way, from which typed exchanges are made. Move-only.
class pending_bytes {
public:
    /// Begins the exchange. Collective: yes. Throws: `usage_error`, `mpi_error`.
    pending_bytes(communicator const& comm, byte_exchange&& what, exchange_options const& options);
    pending_bytes(pending_bytes&& other) noexcept
        : operation_(std::exchange(other.operation_, nullptr)),
          choice_(other.choice_),
          began_(other.began_) {}
    pending_bytes& operator=(pending_bytes other) noexcept {
        std::swap(operation_, other.operation_);
        std::swap(choice_, other.choice_);
        std::swap(began_, other.began_);
        return *this;
    }
    pending_bytes(pending_bytes const&) = delete;
    ~pending_bytes();

    /// Makes progress; returns true once the exchange is complete.
    [[nodiscard]] bool test();
    /// Completes the exchange; all ranks throw its error. After `wait`, `finish` returns immediately.
    void wait();
    /// Completes the exchange; all ranks throw its error. Call it once, and then one of the following.
    void finish();
    /// Completes the exchange, and passes every message to `handler` as it arrives.
    void finish(message_handler& handler);
    /// Returns the messages, by source; for exchanges without a sink.
    [[nodiscard]] message_list take();
    /// Returns the sink of the input.
    [[nodiscard]] message_sink& sink() noexcept;
    /// Returns the sum of `mine` over all ranks. Throws: `usage_error` for an exchange without a sum.
    [[nodiscard]] std::int64_t sum() const;

private:
    struct operation;

    void learn(double seconds);

    operation* operation_;              // null after a move
    protocol_choice* choice_ = nullptr; // that learns from this exchange, if one does
    double began_ = -1;                 // when, if the time is to be learnt
};

} // namespace weft
