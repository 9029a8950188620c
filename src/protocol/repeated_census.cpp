#include <weft/protocol/repeated_census.hpp>

#include <atomic>

namespace weft {

repeated_census::repeated_census(
    transport& via, topology const& nodes, int control_tag, std::span<std::byte* const> lines)
    : via_(via), tag_(control_tag), core_(static_cast<std::size_t>(nodes.core())) {
    for (std::byte* const each : lines) parts_.push_back(reinterpret_cast<part*>(each));
    // Beyond so many cores the first one combines: every rank reads P lines no longer.
    constexpr std::size_t few = 8;
    all_read_all_ = nodes.node_count() == 1 && parts_.size() <= few;
    if (parts_.empty()) return;
    for (int node = 0; node < nodes.node_count(); ++node) leaders_.push_back(nodes.leader_of(node));
    leader_place_ = nodes.node();
}

bool repeated_census::read(line& from, std::uint64_t number, census_value& into) noexcept {
    if (std::atomic_ref(from.number).load(std::memory_order_acquire) != number) return false;
    into = from.value;
    return true;
}

void repeated_census::write(line& into, std::uint64_t number, census_value const& value) noexcept {
    into.value = value;
    std::atomic_ref(into.number).store(number, std::memory_order_release);
}

void repeated_census::enter(census_value const& mine) {
    entered_ = true;
    collected_ = 0;
    sum_ = census_value::identity();
    auto const number = static_cast<std::uint64_t>(count_ + 1);
    if (!parts_.empty()) {
        write(parts_[core_]->own[number % 2], number, mine);
        return;
    }
    between_.emplace(via_, tag_, census_method::dissemination);
    between_->enter(mine);
}

bool repeated_census::collect() {
    auto const number = static_cast<std::uint64_t>(count_ + 1);
    census_value theirs;
    for (; collected_ < parts_.size(); ++collected_) {
        if (!read(parts_[collected_]->own[number % 2], number, theirs)) return false;
        sum_ = combine(sum_, theirs);
    }
    return true;
}

progress repeated_census::step_between() {
    progress const now = between_->step();
    if (now != progress::done) return now;
    result_ = between_->result();
    messages_ += between_->messages();
    between_.reset();
    return progress::done;
}

progress repeated_census::finish() noexcept {
    entered_ = false;
    ++count_;
    return progress::done;
}

progress repeated_census::step() {
    if (!entered_) return progress::none;
    if (parts_.empty()) {
        progress const now = step_between();
        return now == progress::done ? finish() : now;
    }
    auto const number = static_cast<std::uint64_t>(count_ + 1);
    if (all_read_all_) {
        if (!collect()) return progress::none;
        result_ = sum_;
        return finish();
    }
    if (core_ != 0) return read(parts_[0]->of_node[number % 2], number, result_) ? finish() : progress::none;
    if (!between_) {
        if (!collect()) return progress::none;
        between_.emplace(via_, tag_, leaders_, leader_place_);
        between_->enter(sum_);
    }
    progress const now = step_between();
    if (now != progress::done) return now;
    write(parts_[0]->of_node[number % 2], number, result_);
    return finish();
}

} // namespace weft
