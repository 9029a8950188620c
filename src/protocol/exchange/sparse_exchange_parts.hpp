/// The common parts of the protocols of the sparse exchange. Private.
#pragma once

#include "incoming_messages.hpp"
#include "item_dispute.hpp"
#include "outgoing_messages.hpp"

#include <weft/core/error.hpp>
#include <weft/detail/core/recycled.hpp>
#include <weft/extend/protocol/sparse_exchange.hpp>
#include <weft/protocol/agreement.hpp>

#include <memory>
#include <optional>

namespace weft {

/// A protocol behind `sparse_exchange`, which documents the functions. The message to this rank itself is
/// among the incoming ones from the beginning.
class sparse_exchange::protocol_engine : public engine, public detail::recycled {
public:
    protocol_engine(transport& via, sparse_exchange_setup const& setup, message_list outgoing)
        : via_(via), setup_(setup), outgoing_(std::move(outgoing), setup), incoming_(setup) {
        outgoing_.deliver_to_self(via.rank(), [&](message&& own) { incoming_.add(std::move(own)); });
    }

    /// Describes messages under way; a protocol adds the part that determines their number.
    void describe_wait(std::string& into) const override {
        outgoing_.describe_wait(into);
        incoming_.describe_wait(into);
    }
    virtual void rethrow() const = 0;
    /// Returns the fingerprints of all ranks. To be called when done, if no rank has failed.
    [[nodiscard]] virtual item_prints prints() const = 0;
    /// Returns this rank's fingerprint in the encoding of `prints`.
    [[nodiscard]] virtual std::int64_t own_print() const { return setup_.items.number; }
    [[nodiscard]] item_dispute* begin_dispute() const {
        return new item_dispute(
            via_, setup_.tags.control, setup_.census, setup_.items, own_print(), prints());
    }
    [[nodiscard]] incoming_messages& incoming() noexcept { return incoming_; }
    [[nodiscard]] virtual census_value const& carried_result() const = 0;
    [[nodiscard]] virtual std::optional<exchange_load> busiest() const = 0;
    virtual void count(counters& into) const = 0;

protected:
    /// Contributes to the census that ends the exchange: the carried data of this rank, the size of its
    /// items, and its load.
    void prepare(agreement& closing) const {
        census_value& value = closing.contribution();
        exchange_load const load = outgoing_.load();
        value = setup_.carried;
        std::int64_t const print = setup_.items.number;
        value.max[census_slot::largest_print] = print;
        value.max[census_slot::least_print] = ~print;
        value.max[census_slot::load_messages] = load.messages;
        value.max[census_slot::load_bytes] = load.bytes;
        closing.prepare(setup_.thrown);
    }

    transport& via_;
    sparse_exchange_setup setup_;
    outgoing_messages outgoing_;
    incoming_messages incoming_;
};

[[nodiscard]] inline exchange_load busiest_in(census_value const& closed) {
    return {static_cast<int>(closed.max[census_slot::load_messages]),
        static_cast<int>(closed.max[census_slot::load_bytes])};
}

/// A protocol that ends with an agreement of all ranks, whose census also carries the other results.
class agreed_engine : public sparse_exchange::protocol_engine {
public:
    void describe_wait(std::string& into) const override {
        protocol_engine::describe_wait(into);
        if (!agreed_) agreement_.describe_wait(into);
    }
    void rethrow() const final { agreement_.rethrow(); }
    [[nodiscard]] item_prints prints() const final { return item_prints::in(agreement_.result()); }
    [[nodiscard]] census_value const& carried_result() const final { return agreement_.result(); }
    [[nodiscard]] std::optional<exchange_load> busiest() const final {
        return busiest_in(agreement_.result());
    }
    void count(counters& into) const override {
        outgoing_.count(into);
        into.control_messages += agreement_.messages();
        ++into.small_all_reduces;
    }

protected:
    /// Sends first if `mode` is given, so that the rest is constructed while messages are under way.
    agreed_engine(transport& via, sparse_exchange_setup const& setup, message_list outgoing,
        std::optional<send_mode> mode = std::nullopt)
        : protocol_engine(via, setup, std::move(outgoing)),
          agreement_(begun(via, mode), setup.tags.control, setup.census) {}

    agreement agreement_;
    bool agreed_ = false;

private:
    transport& begun(transport& via, std::optional<send_mode> mode) {
        if (mode) outgoing_.begin(via, *mode);
        return via;
    }
};

/// A census beside a protocol that has none of its own, if the exchange carries data.
class side_census {
public:
    side_census(transport& via, sparse_exchange_setup const& setup) {
        if (!setup.carries) return;
        census_.emplace(via, setup.tags.control, setup.census);
        census_->enter(setup.carried);
    }

    /// Done at once if nothing is carried.
    [[nodiscard]] progress step() { return census_ ? census_->step() : progress::done; }
    [[nodiscard]] census_value const& result() const { return census_->result(); }
    void count(counters& into) const {
        if (!census_) return;
        into.control_messages += census_->messages();
        ++into.small_all_reduces;
    }

private:
    std::optional<census> census_;
};

/// The personalised census of pcx: the number of messages, in one word for each rank. Bits below 21 count
/// messages; those above add up marks of the items, so that every rank sees whether all ranks have the same
/// mark. A rank that failed spoils the sum.
class message_counts {
public:
    message_counts(transport const& via, sparse_exchange_setup const& setup);

    /// Returns the words of a rank that sends these messages.
    [[nodiscard]] std::vector<std::int64_t> words(message_list const& outgoing) const;

    /// Returns the number of messages for this rank, from the sum of its words.
    [[nodiscard]] std::size_t messages(std::int64_t sum) const;
    /// Returns true if a rank failed or has other items; the same on all ranks but for a chance of 2^-43.
    [[nodiscard]] bool trouble(std::int64_t sum) const;

private:
    std::uint64_t ranks_;
    std::uint64_t common_mark_;
    std::uint64_t own_word_;
};

using engine_maker = std::unique_ptr<sparse_exchange::protocol_engine> (*)(
    transport& via, sparse_exchange_setup const& setup, message_list outgoing);

} // namespace weft

#include <protocol_makers.hpp> // make_nbx and the others, and their list
