#include "departures.hpp"

#include <algorithm>
#include <span>

namespace weft {

void departures::tell(std::int64_t phases, bool by_exception) {
    mine_ = {phases, by_exception ? 1 : 0};
    for (int rank = 0; rank < via_.size(); ++rank)
        if (rank != via_.rank())
            telling_.push_back(
                via_.send(rank, tag_, std::as_bytes(std::span(&mine_, 1)), send_mode::standard));
}

bool departures::are_told() {
    std::erase_if(telling_, [&](request& each) { return via_.test(each); });
    return telling_.empty();
}

bool departures::look(std::int64_t phase) {
    if (leaver_) return true;
    while (auto const found = via_.probe(transport::any_source, tag_)) {
        leaver heard{found->source, {}};
        request under_way = via_.receive(*found, std::as_writable_bytes(std::span(&heard.said, 1)));
        while (!via_.test(under_way)) {} // it is here: so few bytes come with their envelope
        left_.push_back(heard);
    }
    auto const needed =
        std::ranges::find_if(left_, [&](leaver const& each) { return each.said.phases <= phase; });
    if (needed != left_.end()) leaver_ = *needed;
    return leaver_.has_value();
}

std::string departures::text() const {
    return "rank " + std::to_string(leaver_->rank) + " has left the mailbox" +
           (leaver_->said.by_exception != 0 ? " by an exception" : "") + " before the end of this phase";
}

} // namespace weft
