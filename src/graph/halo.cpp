#include <weft/graph/halo.hpp>

namespace weft {

namespace {

/// From every rank to the owners of its ghosts.
exchange_plan plan_to_owners(
    communicator comm, uniform_distribution const& owners, std::span<global_id const> ghosts) {
    std::vector<int> destinations;
    std::vector<std::int64_t> counts;
    for (std::size_t i = 0; i < ghosts.size();) {
        int const owner = owners.owner(ghosts[i]);
        std::size_t const begin = i;
        while (i < ghosts.size() && ghosts[i] < owners.end(owner)) ++i;
        destinations.push_back(owner);
        counts.push_back(static_cast<std::int64_t>(i - begin));
    }
    return exchange_plan(std::move(comm), destinations, counts);
}

/// The ids of this rank that others have as ghosts, counted from its first.
std::vector<std::uint32_t> find_wanted(
    exchange_plan const& plan, uniform_distribution const& owners, std::span<global_id const> ghosts) {
    std::vector<std::uint32_t> asked;
    asked.reserve(ghosts.size());
    for (std::size_t place = 0; place < plan.destinations().size(); ++place)
        for (auto i = plan.outgoing_offsets()[place]; i < plan.outgoing_offsets()[place + 1]; ++i)
            asked.push_back(static_cast<std::uint32_t>(
                ghosts[static_cast<std::size_t>(i)] - owners.begin(plan.destinations()[place])));
    std::vector<std::uint32_t> wanted(static_cast<std::size_t>(plan.incoming_items()));
    plan.exchange(asked, wanted);
    return wanted;
}

} // namespace

halo::halo(communicator comm, uniform_distribution const& owners, std::span<global_id const> ghosts)
    : plan_(plan_to_owners(std::move(comm), owners, ghosts)),
      own_(static_cast<std::size_t>(owners.size(plan_.comm().rank()))),
      wanted_(find_wanted(plan_, owners, ghosts)),
      outgoing_(wanted_.size()),
      values_(own_ + ghosts.size()),
      run_(plan_.inverse().bind(std::span<double const>(outgoing_), std::span(values_).subspan(own_))) {
}

void halo::start() {
    for (std::size_t i = 0; i < wanted_.size(); ++i) outgoing_[i] = values_[wanted_[i]];
    run_.start();
}

void halo::refuse(std::exception_ptr why) {
    run_.refuse(std::move(why));
}

void halo::finish() {
    run_.wait();
}

void halo::add_to_owners(std::span<std::int64_t const> of_ghosts, std::span<std::int64_t> own) const {
    std::vector<std::int64_t> received(wanted_.size());
    plan_.exchange(of_ghosts, std::span(received));
    for (std::size_t i = 0; i < wanted_.size(); ++i) own[wanted_[i]] += received[i];
}

} // namespace weft
