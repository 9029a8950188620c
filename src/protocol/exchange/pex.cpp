/// PEX: personalized exchange. Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 3.1.
///
/// Invariant: word s of `theirs_` is the word of rank s for this rank, so every receive is of known source
/// and size and needs no probe. Every rank sees the failures and the items of all ranks, so all draw the same
/// conclusion before any data move.
#include "sparse_exchange_parts.hpp"

#include <limits>
#include <string>

namespace weft {

namespace {

/// The word of a rank for another before the data: a size, or that nothing is sent, or that it failed.
namespace word {
// From the lowest bit: 41 bits of the size of the message plus one (messages are below 2 TiB), 6 and 6 bits
// of the load of the rank, 10 bits of the fingerprint of its items.
constexpr int size_bits = 41;
constexpr int load_bits = 6;
static_assert(exchange_load::classes == 1 << load_bits);
constexpr int mark_shift = size_bits + 2 * load_bits;
constexpr std::int64_t size_mask = (std::int64_t{1} << size_bits) - 1;
constexpr std::int64_t load_mask = (std::int64_t{1} << load_bits) - 1;
constexpr std::int64_t failed = -1;

constexpr std::int64_t mark_of(item_type const& items) {
    return static_cast<std::int64_t>((items.number ^ items.number >> 10 ^ items.number >> 20) & 1023U);
}
constexpr std::int64_t nothing(item_type const& items, exchange_load load) {
    return mark_of(items) << mark_shift | std::int64_t{load.messages} << (size_bits + load_bits) |
           std::int64_t{load.bytes} << size_bits;
}
constexpr std::int64_t mark_in(std::int64_t said) {
    return said >> mark_shift;
}
constexpr exchange_load load_in(std::int64_t said) {
    return {static_cast<int>(said >> (size_bits + load_bits) & load_mask),
        static_cast<int>(said >> size_bits & load_mask)};
}
} // namespace word

class pex final : public sparse_exchange::protocol_engine {
public:
    pex(transport& via, sparse_exchange_setup const& setup, message_list outgoing)
        : protocol_engine(via, setup, std::move(outgoing)),
          agreement_(via, setup.tags.control, setup.census),
          carried_(via, setup),
          theirs_(static_cast<std::size_t>(via.size())) {
        std::int64_t bytes = 0;
        for (message const& each : outgoing_.messages()) bytes += static_cast<std::int64_t>(each.data.size());
        auto const load = exchange_load::of(static_cast<std::int64_t>(outgoing_.messages().size()), bytes);
        mine_.assign(theirs_.size(), setup.thrown ? word::failed : word::nothing(setup.items, load));
        for (message const& each : outgoing_.messages())
            mine_[static_cast<std::size_t>(each.peer)] += static_cast<std::int64_t>(each.data.size()) + 1;
        sizes_ = via.all_to_all(mine_, theirs_);
    }

    [[nodiscard]] progress step() override {
        progress result = progress::none;
        progress const census = carried_.step();
        if (census == progress::some) result = census;
        if (!agreement_.entered()) {
            if (!sizes_known_) {
                if (!via_.test(sizes_)) return result;
                sizes_known_ = true;
            }
            // The texts of errors use the tag of the census, so they wait for its end.
            if (someone_failed() && census != progress::done) return result;
            conclude();
            result = progress::some;
        }
        if (!agreed_) {
            progress const now = agreement_.step();
            if (now != progress::done) return now == progress::none ? result : now;
            agreed_ = true;
        }
        // Not `&&`: both directions must make progress at every step.
        bool const received = incoming_.complete(via_);
        bool const sent = outgoing_.complete(via_);
        // mutant: pex_leaves_before_it_has_received
        return received && sent && census == progress::done ? progress::done : result;
    }

    void describe_wait(std::string& into) const override {
        protocol_engine::describe_wait(into);
        if (!sizes_known_) into += "the sizes of messages from all ranks, by MPI's all-to-all; ";
        agreement_.describe_wait(into);
    }
    void rethrow() const override { agreement_.rethrow(); }
    [[nodiscard]] item_prints prints() const override { return {most_mark_, least_mark_}; }
    [[nodiscard]] std::int64_t own_print() const override { return word::mark_of(setup_.items); }

    [[nodiscard]] census_value const& carried_result() const override { return carried_.result(); }
    [[nodiscard]] std::optional<exchange_load> busiest() const override { return busiest_; }

    void count(counters& into) const override {
        outgoing_.count(into);
        carried_.count(into);
        into.control_messages += agreement_.messages() + via_.size() - 1;
    }

private:
    [[nodiscard]] bool someone_failed() const {
        return std::ranges::find(theirs_, word::failed) != theirs_.end();
    }

    /// Decides from the words of all ranks whether to throw or to move the data; the same on all ranks.
    void conclude() {
        auto const first_failed = std::ranges::find(theirs_, word::failed);
        int const failed =
            first_failed == theirs_.end() ? -1 : static_cast<int>(first_failed - theirs_.begin());
        agreement_.enter_known(failed, setup_.thrown);
        for (std::int64_t const said : theirs_) {
            if (said == word::failed) continue;
            least_mark_ = std::min(least_mark_, word::mark_in(said));
            most_mark_ = std::max(most_mark_, word::mark_in(said));
            busiest_ = max(busiest_, word::load_in(said));
        }
        if (failed >= 0) least_mark_ = most_mark_;
        if (failed >= 0 || least_mark_ != most_mark_) return;
        // mutant: pex_forgets_a_source
        for (std::size_t source = 0; source < theirs_.size(); ++source) {
            std::int64_t const size = theirs_[source] & word::size_mask;
            if (size != 0)
                incoming_.receive(
                    via_, static_cast<int>(source), setup_.tags.data, static_cast<std::size_t>(size - 1));
        }
        outgoing_.begin(via_, send_mode::standard);
    }

    agreement agreement_;
    side_census carried_;
    std::vector<std::int64_t> mine_;
    std::vector<std::int64_t> theirs_;
    request sizes_ = {};
    bool sizes_known_ = false;
    bool agreed_ = false;
    std::int64_t least_mark_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t most_mark_ = 0;
    exchange_load busiest_;
};

} // namespace

std::unique_ptr<sparse_exchange::protocol_engine> make_pex(
    transport& via, sparse_exchange_setup const& setup, message_list outgoing) {
    return std::make_unique<pex>(via, setup, std::move(outgoing));
}

} // namespace weft
