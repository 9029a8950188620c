#include "departures.hpp"

#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace weft {

namespace {

/// Notices that are being sent. A rank that has left also waits for the notice of the previous rank, which
/// leaves too in the end, so that every notice is received.
class notices_under_way final : public engine {
public:
    notices_under_way(communicator const& comm, departure const& what, std::optional<int> awaits)
        : comm_(comm), context_(context_of(comm)), what_(what), awaits_(awaits) {}
    ~notices_under_way() override {
        if (awaits_) departure_notices::of(comm_).forget(what_.mailbox);
    }

    void send(int rank) {
        sending_.push_back(context_.via.send(
            rank, departure_notices::tag, std::as_bytes(std::span(&what_, 1)), send_mode::standard));
    }
    [[nodiscard]] progress step() override {
        std::erase_if(sending_, [&](request& each) { return context_.via.test(each); });
        if (heard_ || !awaits_) return sending_.empty() ? progress::done : progress::none;
        if (steps_++ % steps_between_looks != 0) return progress::none;
        departure_notices& notices = departure_notices::of(comm_);
        notices.look(context_.via);
        heard_ = notices.has_left(what_.mailbox, *awaits_);
        return heard_ && sending_.empty() ? progress::done : progress::none;
    }

private:
    static constexpr std::int64_t steps_between_looks = 16;

    communicator comm_;
    operation_context& context_;
    departure what_;
    std::optional<int> awaits_;
    std::vector<request> sending_;
    bool heard_ = false;
    std::int64_t steps_ = 0;
};

/// Begins to send the notices; later blocking calls complete them.
void send_notices(
    communicator const& comm, departure const& what, std::vector<int> const& to, std::optional<int> awaits) {
    open_operations& others = context_of(comm).others;
    auto* const made = new notices_under_way(comm, what, awaits);
    others.add(*made);
    others.abandon(*made);
    for (int const rank : to) made->send(rank);
}

} // namespace

void departure_notices::expect(std::int64_t mailbox) {
    expected_.push_back(mailbox);
    newest_ = mailbox;
}

void departure_notices::forget(std::int64_t mailbox) {
    std::erase(expected_, mailbox);
    std::erase_if(heard_, [&](departure const& each) { return is_over(each); });
}

bool departure_notices::is_over(departure const& each) const {
    // A notice may arrive before this rank knows the number of its mailbox.
    return each.mailbox <= newest_ && std::ranges::find(expected_, each.mailbox) == expected_.end();
}

void departure_notices::look(transport& via) {
    while (auto const found = via.probe(transport::any_source, tag)) {
        departure said;
        request under_way = via.receive(*found, std::as_writable_bytes(std::span(&said, 1)));
        while (!via.test(under_way)) {} // completes soon: such short messages arrive with their envelope
        if (!is_over(said)) heard_.push_back(said);
    }
}

std::optional<departure> departure_notices::find(std::int64_t mailbox, std::int64_t phase) const {
    auto const needed = std::ranges::find_if(
        heard_, [&](departure const& each) { return each.mailbox == mailbox && each.phases <= phase; });
    return needed == heard_.end() ? std::nullopt : std::optional(*needed);
}

bool departure_notices::has_left(std::int64_t mailbox, int rank) const {
    return std::ranges::any_of(
        heard_, [&](departure const& each) { return each.mailbox == mailbox && each.rank == rank; });
}

departures::departures(communicator const& over, transport& via)
    : comm_(over),
      via_(via),
      notices_(departure_notices::of(over)),
      mailbox_(max(over, std::chrono::steady_clock::now().time_since_epoch().count())) {
    notices_.expect(mailbox_);
}

departures::~departures() {
    if (!told_) notices_.forget(mailbox_);
}

void departures::tell(std::int64_t phases, bool by_exception, bool loses_mail) {
    if (via_.size() == 1 || std::exchange(told_, true)) return;
    departure mine{.mailbox = mailbox_,
        .phases = phases,
        .rank = via_.rank(),
        .first = via_.rank(),
        .by_exception = by_exception ? 1 : 0,
        .to_all = by_exception || loses_mail ? 1 : 0};
    if (leaver_) { // the notice names the rank that left first
        mine.first = leaver_->first;
        mine.by_exception = leaver_->by_exception;
        mine.to_all = 0;
    }
    std::vector<int> to{next_rank()};
    if (mine.to_all != 0)
        for (int rank = next_rank() + 1; rank < next_rank() + via_.size() - 1; ++rank)
            to.push_back(rank % via_.size());
    send_notices(comm_, mine, to, (via_.rank() + via_.size() - 1) % via_.size());
}

bool departures::look(std::int64_t phase) {
    if (leaver_) return true;
    notices_.look(via_);
    leaver_ = notices_.find(mailbox_, phase);
    if (leaver_ && leaver_->to_all == 0 && leaver_->rank != next_rank())
        send_notices(comm_, *leaver_, {next_rank()}, std::nullopt);
    return leaver_.has_value();
}

std::string departures::text() const {
    return "rank " + std::to_string(leaver_->first) + " has left the mailbox" +
           (leaver_->by_exception != 0 ? " by an exception" : "") + " before the end of this phase";
}

} // namespace weft
