/// NBX and PCX between nodes, with one message for each pair of nodes.
///
/// There are three phases. First, within every node, each rank passes messages for another node to the member
/// that serves that node, and messages for its own node to their receivers. Then the serving ranks run nbx or
/// pcx with one message for each pair of nodes. Last, within every node, received messages are passed to
/// their receivers. Members share the service of the other nodes evenly, for any sizes of nodes.
///
/// Invariant: no rank leaves the second phase before all have begun it, so a message of a rank's third phase
/// never meets a rank in its first; between two ranks the rounds on the tag `local` follow in one order.
#include "node_round.hpp"
#include "sparse_exchange_parts.hpp"

namespace weft {

namespace {

class two_level final : public sparse_exchange::protocol_engine {
public:
    two_level(transport& via, sparse_exchange_setup const& setup, message_list outgoing, engine_maker between)
        : protocol_engine(via, setup, std::move(outgoing)),
          nodes_(*setup.nodes),
          node_(nodes_.node_of(via.rank())),
          members_(nodes_.ranks_of(node_)),
          make_between_(between),
          collect_(via, setup.tags.local, members_),
          hand_out_(via, setup.tags.local, members_) {
        outgoing_.count_only();
        try {
            for (message const& each : outgoing_.messages()) {
                int const node = nodes_.node_of(each.peer);
                std::size_t const place = node == node_ ? place_of(each.peer) : server_of(node);
                pass_on({via.rank(), each.peer, each.data.bytes()}, place, collect_);
            }
        } catch (std::bad_alloc const&) { // before the first message: only the failure is sent
            setup_.thrown = std::current_exception();
            served_.clear();
            collect_.clear();
        }
        collect_.begin();
    }

    [[nodiscard]] progress step() override {
        progress result = progress::none;
        if (phase_ == phase::collecting) {
            progress const now = collect_.step();
            if (now != progress::done) return now;
            collect_.for_each([&](passed_on const& item) { pass_on(item, place_of(via_.rank()), collect_); });
            begin_between();
            result = progress::some;
        }
        if (phase_ == phase::between) {
            progress const now = between_->step();
            if (now != progress::done) return now == progress::none ? result : now;
            end_between();
            result = progress::some;
        }
        if (phase_ == phase::handing_out) {
            progress const now = hand_out_.step();
            if (now != progress::done) return now == progress::none ? result : now;
            hand_out_.for_each([&](passed_on const& item) { receive(item); });
            phase_ = phase::over;
            result = progress::some;
        }
        bool const collected = collect_.sent();
        // mutant: two_level_leaves_its_sends
        return hand_out_.sent() && collected ? progress::done : result;
    }

    void rethrow() const override { between_->rethrow(); }
    [[nodiscard]] item_prints prints() const override { return between_->prints(); }
    [[nodiscard]] census_value const& carried_result() const override { return between_->carried_result(); }
    [[nodiscard]] std::optional<exchange_load> busiest() const override { return between_->busiest(); }

    void count(counters& into) const override {
        outgoing_.count(into);
        counters on_the_way;
        between_->count(on_the_way);
        into.control_messages += on_the_way.control_messages;
        into.small_all_reduces += on_the_way.small_all_reduces;
        into.forwarded_messages += on_the_way.messages + collect_.messages() + hand_out_.messages();
        into.forwarded_bytes += on_the_way.bytes + collect_.bytes() + hand_out_.bytes();
    }

private:
    enum class phase { collecting, between, handing_out, over };

    [[nodiscard]] std::size_t place_of(int rank) const {
        return static_cast<std::size_t>(nodes_.core_of(rank));
    }
    /// Returns the place of the member that serves another node.
    [[nodiscard]] std::size_t server_of(int node) const {
        return static_cast<std::size_t>(node) % members_.size();
    }

    /// Passes an item to the member at `place`; keeps it if that is this rank.
    void pass_on(passed_on const& item, std::size_t place, node_round& round) {
        if (members_[place] != via_.rank()) {
            round.add(place, item);
            via_.account_copy(item.data.size());
        } else if (item.destination == via_.rank()) {
            receive(item);
        } else {
            // mutant: two_level_loses_an_item
            served_.push_back(item);
        }
    }

    void receive(passed_on const& item) {
        incoming_.add(bundle::unpacked(item));
        via_.account_copy(item.data.size());
    }

    void begin_between() {
        message_list bundles;
        std::ranges::stable_sort(
            served_, {}, [&](passed_on const& item) { return nodes_.node_of(item.destination); });
        int last = -1;
        for (passed_on const& item : served_) {
            int const node = nodes_.node_of(item.destination);
            if (node != last) {
                auto const ranks = nodes_.ranks_of(node);
                bundles.push_back({ranks[static_cast<std::size_t>(node_) % ranks.size()], {}});
                last = node;
            }
            bundle::append(bundles.back().data, item);
            via_.account_copy(item.data.size());
        }
        sparse_exchange_setup inner = setup_;
        inner.in_order_of_arrival = false;
        inner.load = outgoing_.load();
        between_ = make_between_(via_, inner, std::move(bundles));
        phase_ = phase::between;
    }

    void end_between() {
        came_ = between_->incoming().take_by_source();
        for (message const& each : came_)
            bundle::for_each(each.data.bytes(),
                [&](passed_on const& item) { pass_on(item, place_of(item.destination), hand_out_); });
        // The same on all ranks: with one node, nothing can have arrived.
        // mutant: two_level_skips_a_round_that_has_nothing
        if (nodes_.node_count() == 1) {
            phase_ = phase::over;
            return;
        }
        hand_out_.begin();
        phase_ = phase::handing_out;
    }

    topology const& nodes_;
    int node_; // the node of this rank
    std::span<int const> members_;
    engine_maker make_between_;
    node_round collect_;
    node_round hand_out_;
    std::vector<passed_on> served_; // for other nodes; points into outgoing_ and collect_
    std::unique_ptr<protocol_engine> between_;
    message_list came_;
    phase phase_ = phase::collecting;
};

} // namespace

std::unique_ptr<sparse_exchange::protocol_engine> make_nbx_two_level(
    transport& via, sparse_exchange_setup const& setup, message_list outgoing) {
    return std::make_unique<two_level>(via, setup, std::move(outgoing), make_nbx);
}

std::unique_ptr<sparse_exchange::protocol_engine> make_pcx_two_level(
    transport& via, sparse_exchange_setup const& setup, message_list outgoing) {
    return std::make_unique<two_level>(via, setup, std::move(outgoing), make_pcx);
}

} // namespace weft
