/// NBX: nonblocking consensus. Hoefler, Siebert, Lumsdaine, PPoPP 2010, Algorithm 2.
///
/// Invariant: a rank enters the census when its synchronous sends are complete, that is, when every message
/// it sent has been matched by its receiver. So when the census is complete, every message of the epoch has
/// been matched, and what was matched here is in `incoming_`: no probe can find another, only the data of
/// matched messages may still be moving.
#include "sparse_exchange_parts.hpp"

namespace weft {

namespace {

constexpr std::size_t slot_largest_item = census_slot::first_free;
constexpr std::size_t slot_smallest_item = census_slot::first_free + 1; // complemented

class nbx final : public sparse_exchange::protocol_engine {
public:
    nbx(transport& via, sparse_exchange_setup const& setup, std::vector<message> outgoing)
        : via_(via),
          setup_(setup),
          outgoing_(std::move(outgoing)),
          agreement_(via, setup.tags.control, setup.census) {
        outgoing_.deliver_to_self(via.rank(), incoming_.messages());
        outgoing_.begin(via, setup.tags.data, send_mode::synchronous);
    }

    [[nodiscard]] progress step() override {
        if (agreed_) return incoming_.complete(via_) ? progress::done : progress::none;
        progress result = progress::none;
        while (auto const found = via_.probe(transport::any_source, setup_.tags.data)) {
            incoming_.receive(via_, *found);
            result = progress::some;
        }
        if (!agreement_.entered()) {
            if (!outgoing_.complete(via_)) return result;
            agreement_.enter(census(), setup_.thrown);
            result = progress::some;
        }
        progress const now = agreement_.step();
        if (now == progress::done) {
            agreed_ = true;
            return incoming_.complete(via_) ? progress::done : progress::some;
        }
        return now == progress::none ? result : now;
    }

    void rethrow() const override {
        agreement_.rethrow();
        auto const& most = agreement_.result().max[slot_largest_item];
        auto const least = ~agreement_.result().max[slot_smallest_item];
        if (least != most) throw item_size_error(least, most);
    }

    [[nodiscard]] std::vector<message> take() override { return incoming_.take_by_source(); }

    void count(counters& into) const override {
        outgoing_.count(into);
        into.control_messages += agreement_.messages();
        ++into.censuses;
    }

private:
    [[nodiscard]] census_value census() const {
        census_value carried = census_value::identity();
        carried.max[slot_largest_item] = setup_.item_bytes;
        carried.max[slot_smallest_item] = ~setup_.item_bytes;
        return carried;
    }

    transport& via_;
    sparse_exchange_setup setup_;
    outgoing_messages outgoing_;
    incoming_messages incoming_;
    agreement agreement_;
    bool agreed_ = false;
};

} // namespace

std::unique_ptr<sparse_exchange::protocol_engine> make_nbx(
    transport& via, sparse_exchange_setup const& setup, std::vector<message> outgoing) {
    return std::make_unique<nbx>(via, setup, std::move(outgoing));
}

} // namespace weft
