/// Store and forward: the index algorithm of Bruck and others (IEEE TPDS 8(11), 1997) for messages of any
/// number and size, as successors of the DSDE paper recommend for small ones.
///
/// Invariant: in round j (j = 0, 1, ...) every rank sends one message to the rank 2^j further on, with the
/// items it holds whose remaining distance has bit j. So after round j the remaining distances are multiples
/// of 2^(j+1), and after the last round they are 0. Every rank gets data, through the rounds, from every
/// rank: values combined by maximum on the way are agreed in the end, and no rank is done before all have
/// begun.
///
/// A round's message arrives in a first part of fixed size, whose receive is posted in advance, and a rest
/// whose size is in the first part: no probe is needed.
#include "bundle.hpp"
#include "sparse_exchange_parts.hpp"

#include <bit>

namespace weft {

namespace {

/// Maxima over all ranks.
struct round_head {
    std::int64_t bytes; // of the whole message
    std::int64_t failed;
    std::int64_t largest_print; // fingerprint of items
    std::int64_t least_print;   // complemented
    exchange_load busiest;
};

constexpr std::size_t first_part = 2048;

class store_and_forward final : public sparse_exchange::protocol_engine {
public:
    store_and_forward(transport& via, sparse_exchange_setup const& setup, message_list outgoing)
        : protocol_engine(via, setup, std::move(outgoing)),
          agreement_(via, setup.tags.control, setup.census),
          carried_(via, setup),
          rounds_(static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(via.size() - 1)))),
          rooms_(rounds_.size() * first_part) {
        std::int64_t const print = setup.items.number;
        known_ = {0, setup.thrown ? via.size() - via.rank() : 0, print, ~print, {}};
        outgoing_.count_only();
        known_.busiest = outgoing_.load();
        try {
            for (message const& each : outgoing_.messages())
                held_.push_back({via.rank(), each.peer, each.data.bytes()});
            if (!rounds_.empty()) pack_round();
        } catch (std::bad_alloc const&) { send_nothing(std::current_exception()); }
        for (std::size_t j = 0; j < rounds_.size(); ++j)
            rounds_[j].receive = via.receive(peer(j, -1), setup.tags.data, room(j));
        if (!rounds_.empty()) post_round();
    }

    [[nodiscard]] progress step() override {
        progress result = progress::none;
        progress const census = carried_.step();
        if (census == progress::some) result = census;
        while (current_ < rounds_.size() && receive_round()) {
            result = progress::some;
            if (++current_ < rounds_.size()) {
                pack_round();
                post_round();
            }
        }
        // mutant: store_and_forward_leaves_before_the_last_round
        if (current_ < rounds_.size() || !sent() || census != progress::done) return result;
        if (!agreement_.entered()) {
            agreement_.enter_known(
                known_.failed > 0 ? via_.size() - static_cast<int>(known_.failed) : -1, setup_.thrown);
            for (passed_on const& item : held_) {
                incoming_.add(bundle::unpacked(item));
                via_.account_copy(item.data.size());
            }
        }
        return agreement_.step();
    }

    void describe_wait(std::string& into) const override {
        if (current_ < rounds_.size())
            into += "round " + std::to_string(current_ + 1) + " of " + std::to_string(rounds_.size()) +
                    ", from rank " + std::to_string(peer(current_, -1)) + "; ";
    }
    void rethrow() const override { agreement_.rethrow(); }
    [[nodiscard]] item_prints prints() const override {
        return item_prints::in(known_.largest_print, known_.least_print);
    }

    [[nodiscard]] census_value const& carried_result() const override { return carried_.result(); }
    [[nodiscard]] std::optional<exchange_load> busiest() const override { return known_.busiest; }

    void count(counters& into) const override {
        outgoing_.count(into);
        carried_.count(into);
        into.control_messages += agreement_.messages();
        into.forwarded_messages += static_cast<std::int64_t>(rounds_.size());
        for (round const& each : rounds_) into.forwarded_bytes += static_cast<std::int64_t>(each.out.size());
    }

private:
    struct round {
        buffer out;
        buffer rest_in; // the whole message, if it has a rest
        request receive = {};
        request send = {};
        request send_rest = {};
        bool receives_rest = false;
    };

    [[nodiscard]] int peer(std::size_t j, int direction) const {
        return (via_.rank() + direction * (1 << j) + via_.size()) % via_.size();
    }
    [[nodiscard]] std::span<std::byte> room(std::size_t j) {
        return rooms_.bytes().subspan(j * first_part, first_part);
    }

    /// Called before the first message: this rank sends nothing but its failure.
    void send_nothing(std::exception_ptr why) {
        setup_.thrown = std::move(why);
        known_.failed = via_.size() - via_.rank();
        held_.clear();
        if (rounds_.empty()) return;
        rounds_.front().out = buffer();
        pack_round();
    }

    void pack_round() {
        buffer& out = rounds_[current_].out;
        auto const moves = [&](passed_on const& item) {
            int const distance = (item.destination - via_.rank() + via_.size()) % via_.size();
            return (distance >> current_ & 1) != 0;
        };
        std::size_t bytes = sizeof(round_head);
        for (passed_on const& item : held_)
            if (moves(item)) bytes += bundle::bytes_of(item);
        out.reserve(bytes);
        known_.bytes = static_cast<std::int64_t>(bytes);
        out.append(&known_, sizeof known_);
        std::erase_if(held_, [&](passed_on const& item) {
            bool const moved = moves(item);
            if (moved) bundle::append(out, item);
            return moved;
        });
        via_.account_copy(out.size());
    }

    void post_round() {
        round& now = rounds_[current_];
        auto const all = std::span<std::byte const>(now.out.bytes());
        auto const head = all.first(std::min(all.size(), first_part));
        now.send = via_.send(peer(current_, 1), setup_.tags.data, head, send_mode::standard);
        if (all.size() > first_part)
            now.send_rest =
                via_.send(peer(current_, 1), setup_.tags.bulk, all.subspan(first_part), send_mode::standard);
    }

    /// Returns true if the message of this round has arrived; then its items are held.
    bool receive_round() {
        round& now = rounds_[current_];
        if (!via_.test(now.receive)) return false;
        round_head said{};
        std::memcpy(&said, room(current_).data(), sizeof said);
        auto const bytes = static_cast<std::size_t>(said.bytes);
        if (bytes > first_part && !now.receives_rest) {
            now.rest_in.resize(bytes); // first, since it may throw
            now.receives_rest = true;
            std::memcpy(now.rest_in.data(), room(current_).data(), first_part);
            now.receive =
                via_.receive(peer(current_, -1), setup_.tags.bulk, now.rest_in.bytes().subspan(first_part));
            if (!via_.test(now.receive)) return false;
        }
        known_.failed = std::max(known_.failed, said.failed);
        known_.largest_print = std::max(known_.largest_print, said.largest_print);
        known_.least_print = std::max(known_.least_print, said.least_print);
        known_.busiest = max(known_.busiest, said.busiest);
        auto const whole = now.receives_rest ? std::span<std::byte const>(now.rest_in.bytes())
                                             : std::span<std::byte const>(room(current_)).first(bytes);
        // mutant: store_and_forward_loses_an_item
        bundle::for_each(whole.subspan(sizeof said), [&](passed_on const& item) { held_.push_back(item); });
        return true;
    }

    bool sent() {
        while (
            sent_ < rounds_.size() && via_.test(rounds_[sent_].send) && via_.test(rounds_[sent_].send_rest))
            ++sent_;
        return sent_ == rounds_.size();
    }

    agreement agreement_;
    side_census carried_;
    round_head known_{};
    detail::recycled_vector<passed_on> held_; // points into outgoing_, rooms_ and the rests
    detail::recycled_vector<round> rounds_;
    buffer rooms_;
    std::size_t current_ = 0;
    std::size_t sent_ = 0;
};

} // namespace

std::unique_ptr<sparse_exchange::protocol_engine> make_store_and_forward(
    transport& via, sparse_exchange_setup const& setup, message_list outgoing) {
    return std::make_unique<store_and_forward>(via, setup, std::move(outgoing));
}

} // namespace weft
