/// RSX: remote summation. Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 3.3.
///
/// Invariant: a rank enters the census when its additions to the counters of its receivers are applied. So
/// when the census is complete, the counter of this operation holds the number of messages for this rank, and
/// no later operation adds to it, since its place in the window is still taken. (The paper closes its epoch
/// of remote accesses with a fence, which is a barrier; the census is that barrier, and carries errors.)
#include "sparse_exchange_parts.hpp"

#include <limits>

namespace weft {

namespace {

class rsx final : public agreed_engine {
public:
    rsx(transport& via, sparse_exchange_setup const& setup, message_list outgoing)
        : agreed_engine(via, setup, std::move(outgoing)) {
        expected_ = incoming_.begun();
        additions_.reserve(outgoing_.messages().size());
        for (message const& each : outgoing_.messages())
            additions_.push_back(via.add_remote(each.peer, setup.counter, 1));
        outgoing_.begin(via, send_mode::standard);
    }

    [[nodiscard]] progress step() override {
        progress result = progress::none;
        std::size_t const most = agreed_ ? expected_ : std::numeric_limits<std::size_t>::max();
        if (incoming_.receive_up_to(most, via_, setup_.tags.data)) result = progress::some;
        // Not `&&`: both directions must make progress at every step.
        bool const received = incoming_.complete(via_);
        bool const sent = outgoing_.complete(via_);
        if (!agreement_.entered()) {
            while (!additions_.empty() && via_.test(additions_.back())) additions_.pop_back();
            // mutant: rsx_enters_before_its_additions_are_made
            if (!additions_.empty()) return result;
            // mutant: rsx_reads_its_counter_before_the_census
            prepare(agreement_);
            agreement_.enter_prepared();
            result = progress::some;
        }
        if (!agreed_) {
            progress const now = agreement_.step();
            if (now != progress::done) return now == progress::none ? result : now;
            agreed_ = true;
            expected_ += static_cast<std::size_t>(via_.take_counter(setup_.counter));
            result = progress::some;
        }
        return received && sent && incoming_.begun() == expected_ ? progress::done : result;
    }

    void count(counters& into) const override {
        agreed_engine::count(into);
        into.control_messages += static_cast<std::int64_t>(outgoing_.messages().size());
    }

private:
    std::vector<request> additions_;
    std::size_t expected_ = 0; // messages, with that to this rank itself; final once agreed
};

} // namespace

std::unique_ptr<sparse_exchange::protocol_engine> make_rsx(
    transport& via, sparse_exchange_setup const& setup, message_list outgoing) {
    return std::make_unique<rsx>(via, setup, std::move(outgoing));
}

} // namespace weft
