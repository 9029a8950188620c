#include "departures.hpp"

#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <chrono>
#include <span>

namespace weft {

void departure_notices::look(transport& via) {
    while (auto const found = via.probe(transport::any_source, tag)) {
        departure& said = heard_.emplace_back();
        request under_way = via.receive(*found, std::as_writable_bytes(std::span(&said, 1)));
        while (!via.test(under_way)) {} // it is here: so few bytes come with their envelope
    }
}

std::optional<departure> departure_notices::find(std::int64_t mailbox, std::int64_t phase) const {
    auto const needed = std::ranges::find_if(
        heard_, [&](departure const& each) { return each.mailbox == mailbox && each.phases <= phase; });
    return needed == heard_.end() ? std::nullopt : std::optional(*needed);
}

void departure_notices::forget(std::int64_t mailbox) {
    std::erase_if(heard_, [&](departure const& each) { return each.mailbox == mailbox; });
}

departures::departures(communicator const& over, transport& via)
    : via_(via),
      notices_(departure_notices::of(over)),
      mailbox_(max(over, std::chrono::steady_clock::now().time_since_epoch().count())) {
}

void departures::tell(std::int64_t phases, bool by_exception) {
    mine_ = {mailbox_, phases, via_.rank(), by_exception ? 1 : 0};
    for (int rank = 0; rank < via_.size(); ++rank)
        if (rank != via_.rank())
            telling_.push_back(via_.send(
                rank, departure_notices::tag, std::as_bytes(std::span(&mine_, 1)), send_mode::standard));
}

bool departures::are_told() {
    std::erase_if(telling_, [&](request& each) { return via_.test(each); });
    return telling_.empty();
}

bool departures::look(std::int64_t phase) {
    if (leaver_) return true;
    notices_.look(via_);
    leaver_ = notices_.find(mailbox_, phase);
    return leaver_.has_value();
}

std::string departures::text() const {
    return "rank " + std::to_string(leaver_->rank) + " has left the mailbox" +
           (leaver_->by_exception != 0 ? " by an exception" : "") + " before the end of this phase";
}

} // namespace weft
