/// PCX: personalized census. Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 3.2.
///
/// Invariant: while messages are under way, a personalised census adds up the number of messages to each
/// rank; once a rank knows its number it receives until it has that number. No rank gets its number before
/// all have begun, and it leaves with all messages sent to it, so that none is left for the next exchange.
///
/// The census is Weft's own, over messages, or MPI_Ireduce_scatter_block if WEFT_ALL_REDUCE=collective.
#include "protocol/census/personal_census.hpp"
#include "sparse_exchange_parts.hpp"

#include <limits>

namespace weft {

namespace {

class pcx final : public sparse_exchange::protocol_engine {
public:
    pcx(transport& via, sparse_exchange_setup const& setup, message_list outgoing)
        : protocol_engine(via, setup, std::move(outgoing)),
          counts_(via, setup),
          own_census_(via, setup.tags.local),
          agreement_(via, setup.tags.control, setup.census),
          carried_(via, setup) {
        expected_ = incoming_.begun();
        outgoing_.begin(via, send_mode::standard);
        words_ = counts_.words(outgoing_.messages());
        if (setup.census == all_reduce_method::collective)
            collective_ = via.reduce_scatter(words_, sum_);
        else
            own_census_.enter(words_, outgoing_.load());
    }

    [[nodiscard]] progress step() override {
        progress result = progress::none;
        progress const census = carried_.step();
        if (census == progress::some) result = census;
        if (!counted_) {
            progress const now = step_counts();
            if (now != progress::none) result = now;
        }
        std::size_t const most = counted_ ? expected_ : std::numeric_limits<std::size_t>::max();
        if (incoming_.receive_up_to(most, via_, setup_.tags.data)) result = progress::some;
        // Not `&&`: both directions must make progress at every step.
        bool const received = incoming_.complete(via_);
        bool const sent = outgoing_.complete(via_);
        bool const all_here = counted_ && incoming_.begun() == expected_;
        // mutant: pcx_counts_before_it_has_received
        if (!all_here || !received || !sent || census != progress::done) return result;
        return trouble_ ? find_out() : progress::done;
    }

    void describe_wait(std::string& into) const override {
        protocol_engine::describe_wait(into);
        if (!counted_ && setup_.census == all_reduce_method::collective)
            into += "MPI's reduce-scatter of the numbers of messages, which all ranks must enter; ";
        else if (!counted_)
            own_census_.describe_wait(into);
        else if (incoming_.begun() < expected_)
            into += std::to_string(expected_ - incoming_.begun()) + " messages that were sent to this rank; ";
    }
    void rethrow() const override {
        if (trouble_) agreement_.rethrow();
    }
    [[nodiscard]] item_prints prints() const override {
        return trouble_ ? item_prints::in(agreement_.result()) : item_prints{};
    }

    [[nodiscard]] census_value const& carried_result() const override { return carried_.result(); }
    [[nodiscard]] std::optional<exchange_load> busiest() const override {
        if (setup_.census == all_reduce_method::collective) return std::nullopt;
        return own_census_.busiest();
    }

    void count(counters& into) const override {
        outgoing_.count(into);
        carried_.count(into);
        into.control_messages += agreement_.messages() + own_census_.messages();
    }

private:
    progress step_counts() {
        if (setup_.census == all_reduce_method::collective) {
            // mutant: pcx_does_not_wait_for_the_sums
            if (!via_.test(collective_)) return progress::none;
        } else {
            progress const now = own_census_.step();
            if (now != progress::done) return now;
            sum_ = own_census_.result();
        }
        counted_ = true;
        expected_ += counts_.messages(sum_);
        trouble_ = counts_.trouble(sum_);
        return progress::some;
    }

    /// Some rank failed, or has other items: when all messages are received, the ranks find out which.
    progress find_out() {
        if (!agreement_.entered()) {
            prepare(agreement_);
            agreement_.enter_prepared();
        }
        return agreement_.step();
    }

    message_counts counts_;
    std::vector<std::int64_t> words_;
    std::int64_t sum_ = 0;
    personal_census own_census_;
    request collective_ = {};
    agreement agreement_;
    side_census carried_;
    std::size_t expected_ = 0; // messages, with that to this rank itself
    bool counted_ = false;
    bool trouble_ = false;
};

} // namespace

std::unique_ptr<sparse_exchange::protocol_engine> make_pcx(
    transport& via, sparse_exchange_setup const& setup, message_list outgoing) {
    return std::make_unique<pcx>(via, setup, std::move(outgoing));
}

} // namespace weft
