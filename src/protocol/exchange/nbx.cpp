/// NBX: nonblocking consensus. Hoefler, Siebert, Lumsdaine, PPoPP 2010, Algorithm 2.
///
/// Invariant: a rank enters the census when its synchronous sends are complete, that is, when every message
/// or header it sent has been matched by its receiver. So when the census is complete, every message of the
/// epoch has been matched, and those matched here are in `incoming_`. No probe can find another one; only
/// data of matched messages, and payloads of matched headers, may still be under way.
#include "sparse_exchange_parts.hpp"

namespace weft {

namespace {

class nbx final : public agreed_engine {
public:
    // mutant: nbx_sends_standard
    nbx(transport& via, sparse_exchange_setup const& setup, message_list outgoing)
        : agreed_engine(via, setup, std::move(outgoing), send_mode::synchronous),
          expected_(incoming_.begun() + outgoing_.messages().size()) {
        prepare(agreement_);
    }

    // mutant: nbx_only_glances
    [[nodiscard]] progress step() override { return poll(true); }
    [[nodiscard]] progress quick_step() override { return poll(false); }

private:
    /// A heuristic: most ranks receive as many messages as they send.
    [[nodiscard]] bool expects_message() const noexcept { return incoming_.begun() < expected_; }

    /// Polls for messages and tests the sends, or only the one that is likelier to make progress.
    progress poll(bool both) {
        if (agreed_) return over() ? progress::done : progress::none;
        progress result = progress::none;
        if (agreement_.entered()) {
            result = agreement_.step();
            if (result == progress::done) { // then everything has been matched: no probe is needed
                agreed_ = true;
                return over() ? progress::done : progress::some;
            }
        }
        if (both || expects_message()) {
            // mutant: nbx_probes_only_before_the_census
            if (auto const found = via_.probe(transport::any_source, setup_.tags.data)) {
                incoming_.receive_or_header(via_, *found);
                result = progress::some;
            }
        }
        (void)incoming_.complete(via_); // payloads begin as their headers arrive
        // mutant: nbx_enters_before_its_sends_are_matched
        if (!agreement_.entered() && (both || !expects_message()) && outgoing_.begun_to_arrive(via_)) {
            agreement_.enter_prepared();
            result = progress::some;
        }
        return result;
    }

    bool over() {
        bool const received = incoming_.complete(via_); // separate, since `&&` would skip the other direction
        return outgoing_.complete(via_) && received;
    }

    std::size_t expected_; // messages, with that to this rank itself; a guess
};

} // namespace

std::unique_ptr<sparse_exchange::protocol_engine> make_nbx(
    transport& via, sparse_exchange_setup const& setup, message_list outgoing) {
    return std::make_unique<nbx>(via, setup, std::move(outgoing));
}

} // namespace weft
