#include "item_dispute.hpp"

#include <weft/core/error.hpp>

#include <exception>
#include <utility>

namespace weft {

namespace {

/// Returns the size, a space, and a text with the type and the rank: sizes decide how the error begins.
std::string said_of(item_type const& items, int rank) {
    return std::to_string(items.bytes) + " " + to_string(items) + " on rank " + std::to_string(rank);
}

} // namespace

item_dispute::item_dispute(transport& via, int control_tag, all_reduce_method method, item_type const& items,
    std::int64_t mine, item_prints const& all)
    : via_(via), tag_(control_tag), method_(method), items_(items), is_largest_(mine == all.largest) {
    ask(mine == all.least);
}

/// Asks for an answer: the lowest rank with `is_mine` gives it, and an agreement tells it to all ranks.
void item_dispute::ask(bool is_mine) {
    std::exception_ptr answer;
    if (is_mine) answer = std::make_exception_ptr(usage_error(said_of(items_, via_.rank())));
    telling_.emplace(via_, tag_, method_);
    telling_->enter(census_value::identity(), std::move(answer));
}

progress item_dispute::step() {
    if (!telling_) return progress::done;
    progress const now = telling_->step();
    if (now != progress::done) return now;
    messages_ += telling_->messages();
    bool const both_known = !least_.empty();
    (both_known ? largest_ : least_) = telling_->text();
    telling_.reset();
    // mutant: dispute_asks_once
    if (both_known) return progress::done;
    // mutant: dispute_lets_anybody_answer
    ask(is_largest_);
    return progress::some;
}

void item_dispute::describe_wait(std::string& into) const {
    if (!telling_) return;
    into += "what items of other types ranks exchange: ";
    telling_->describe_wait(into);
}

void item_dispute::raise() const {
    auto const bytes_of = [](std::string const& said) { return std::stoll(said); };
    auto const words_of = [](std::string const& said) { return said.substr(said.find(' ') + 1); };
    long long const a = bytes_of(least_);
    long long const b = bytes_of(largest_);
    std::string const how = a == b ? "types"
                                   : "sizes (" + std::to_string(a < b ? a : b) + " and " +
                                         std::to_string(a < b ? b : a) + " bytes)";
    throw usage_error("exchange: ranks send items of different " + how + ": " + words_of(least_) + ", " +
                      words_of(largest_) + "; all ranks must exchange the same type");
}

} // namespace weft
