#include <weft/graph/halo.hpp>

#include <algorithm>

namespace weft {

halo::halo(communicator comm, uniform_distribution const& owners, std::span<global_id const> ghosts)
    : comm_(std::move(comm)),
      own_(static_cast<std::size_t>(owners.size(comm_.rank()))),
      values_(own_ + ghosts.size()) {
    outbox<std::uint32_t> out(comm_);
    for (global_id const ghost : ghosts) {
        int const owner = owners.owner(ghost);
        if (ghost_owner_.empty() || ghost_owner_.back() != owner) ++neighbors_;
        ghost_owner_.push_back(owner);
        out[owner].push_back(static_cast<std::uint32_t>(ghost - owners.begin(owner)));
    }
    for (auto const& [source, wanted] : exchange(std::move(out)))
        requests_.push_back({source, {wanted.begin(), wanted.end()}});
}

void halo::start() {
    outbox<double> out(comm_);
    for (request const& each : requests_) {
        auto to = out[each.rank];
        to.reserve(each.wanted.size());
        for (std::uint32_t const place : each.wanted) to.push_back(values_[place]);
    }
    under_way_.emplace(start_exchange(std::move(out)));
}

void halo::finish() {
    auto at = values_.begin() + static_cast<std::ptrdiff_t>(own_);
    auto const received = std::move(*under_way_).get();
    under_way_.reset();
    for (auto const& [source, items] : received) at = std::ranges::copy(items, at).out;
}

void halo::add_to_owners(std::span<std::int64_t const> of_ghosts, std::span<std::int64_t> own) const {
    outbox<std::int64_t> out(comm_);
    for (std::size_t i = 0; i < of_ghosts.size(); ++i) out[ghost_owner_[i]].push_back(of_ghosts[i]);
    auto request = requests_.begin();
    for (auto const& [source, items] : exchange(std::move(out))) {
        for (std::size_t i = 0; i < items.size(); ++i) own[request->wanted[i]] += items[i];
        ++request;
    }
}

} // namespace weft
