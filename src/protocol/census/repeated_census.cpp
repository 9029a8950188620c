#include <weft/extend/protocol/repeated_census.hpp>

#include <algorithm>
#include <atomic>

namespace weft {

repeated_census::repeated_census(
    transport& via, topology const& nodes, int control_tag, std::span<std::byte* const> lines)
    : via_(via), nodes_(nodes), tag_(control_tag), core_(static_cast<std::size_t>(nodes.core())) {
    for (std::byte* const each : lines) parts_.push_back(reinterpret_cast<part*>(each));
    // With more cores than this the first one combines, so that not every rank reads P lines.
    constexpr std::size_t few = 8;
    all_read_all_ = nodes.node_count() == 1 && parts_.size() <= few;
    if (parts_.empty()) return;
    for (int node = 0; node < nodes.node_count(); ++node) leaders_.push_back(nodes.leader_of(node));
    leader_place_ = nodes.node();
}

namespace {

/// Selects one of two lines: those of two successive censuses are in use at the same time.
constexpr std::uint64_t line_of(std::uint64_t census) noexcept {
    // mutant: repeated_census_has_one_line
    return census % 2;
}

} // namespace

bool repeated_census::has_come(line& from, std::uint64_t number) noexcept {
    // mutant: repeated_census_reads_what_is_old
    return std::atomic_ref(from.number).load(std::memory_order_acquire) == number;
}

void repeated_census::begin_result() noexcept {
    std::fill_n(result_.sum.begin(), sums, 0);
    std::fill_n(result_.max.begin(), maxima, INT64_MIN);
    result_.any = 0;
}

void repeated_census::add_to_result(line const& from) noexcept {
    for (std::size_t i = 0; i < sums; ++i) result_.sum[i] += from.sum[i];
    for (std::size_t i = 0; i < maxima; ++i) result_.max[i] = std::max(result_.max[i], from.max[i]);
    result_.any |= from.any;
}

void repeated_census::write(line& into, std::uint64_t number, census_value const& value) noexcept {
    std::copy_n(value.sum.begin(), sums, into.sum);
    std::copy_n(value.max.begin(), maxima, into.max);
    into.any = value.any;
    std::atomic_ref(into.number).store(number, std::memory_order_release);
}

void repeated_census::tell_all() {
    for (int const each : nodes_.ranks_of(nodes_.node())) via_.account_write(each, sizeof(line));
}

void repeated_census::enter(census_value const& mine) {
    entered_ = true;
    collected_ = 0;
    begin_result();
    auto const number = static_cast<std::uint64_t>(count_ + 1);
    if (!parts_.empty()) {
        write(parts_[core_]->own[line_of(number)], number, mine);
        if (all_read_all_)
            tell_all();
        else
            via_.account_write(nodes_.ranks_of(nodes_.node())[0], sizeof(line));
        return;
    }
    between_.emplace(via_, tag_, all_reduce_method::dissemination);
    between_->enter(mine);
}

void repeated_census::describe_wait(std::string& into) const {
    if (!entered_) return;
    auto const number = static_cast<std::uint64_t>(count_ + 1);
    std::string const of = "of all-reduce " + std::to_string(number) + " at the end of the phase";
    if (between_) {
        between_->describe_wait(into);
    } else if (core_ != 0 && !all_read_all_) {
        into += "the result " + of + " from rank " + std::to_string(nodes_.ranks_of(nodes_.node())[0]) + "; ";
    } else {
        std::string missing;
        for (std::size_t core = 0; core < parts_.size(); ++core)
            if (!has_come(parts_[core]->own[line_of(number)], number))
                missing += " " + std::to_string(nodes_.ranks_of(nodes_.node())[core]);
        if (!missing.empty()) into += "the values " + of + ", which rank" + missing + " did not give yet; ";
    }
}

bool repeated_census::collect() {
    auto const number = static_cast<std::uint64_t>(count_ + 1);
    // mutant: repeated_census_misses_the_last_core
    for (; collected_ < parts_.size(); ++collected_) {
        line& theirs = parts_[collected_]->own[line_of(number)];
        if (!has_come(theirs, number)) return false;
        add_to_result(theirs);
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
    if (all_read_all_) { return collect() ? finish() : progress::none; }
    if (core_ != 0) {
        line& of_node = parts_[0]->of_node[line_of(number)];
        if (!has_come(of_node, number)) return progress::none;
        add_to_result(of_node);
        return finish();
    }
    if (!between_) {
        if (!collect()) return progress::none;
        between_.emplace(via_, tag_, leaders_, leader_place_);
        between_->enter(result_);
    }
    progress const now = step_between();
    if (now != progress::done) return now;
    write(parts_[0]->of_node[line_of(number)], number, result_);
    tell_all();
    return finish();
}

} // namespace weft
