#include "channel_comparison.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <utility>

namespace weft {

namespace {

std::string line_of(mail_channel const& channel) {
    std::string const text = channel.type_text != nullptr ? channel.type_text() : "a channel of bytes";
    return std::to_string(channel.type_print) + " " + text;
}

std::string text_of(std::string_view line) {
    return std::string(line.substr(line.find(' ') + 1));
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
}

} // namespace

channel_comparison::channel_comparison(transport& via, int control_tag, channel_list const& channels)
    : via_(via), tag_(control_tag), lists_(via, control_tag, all_reduce_method::dissemination) {
    for (std::size_t i = 0; i < channels.size(); ++i) mine_.push_back(line_of(channels[i]));
    std::exception_ptr list;
    if (via.rank() == 0) {
        std::string all;
        for (std::string const& each : mine_) all += each + "\n";
        list = std::make_exception_ptr(usage_error(all));
    }
    lists_.enter_known(0, list);
}

std::exception_ptr channel_comparison::compare(std::string_view with) const {
    std::vector<std::string_view> const theirs = lines_of(with);
    std::size_t const both = std::min(theirs.size(), mine_.size());
    std::size_t number = 0;
    while (number < both && theirs[number] == mine_[number]) ++number;
    if (number == theirs.size() && number == mine_.size()) return nullptr;
    std::string const here = " on rank " + std::to_string(via_.rank());
    std::string text = "mailbox: channel " + std::to_string(number) + " is ";
    text += number < theirs.size() ? text_of(theirs[number]) : "missing";
    text += " on rank 0 and ";
    text += (number < mine_.size() ? text_of(mine_[number]) : "missing") + here;
    return std::make_exception_ptr(usage_error(text + "; all ranks must make the same, in one order"));
}

progress channel_comparison::step() {
    if (!verdict_) {
        progress const now = lists_.step();
        if (now != progress::done) return now;
        std::exception_ptr difference = compare(lists_.text());
        verdict_.emplace(via_, tag_, all_reduce_method::dissemination);
        verdict_->enter(census_value::identity(), std::move(difference));
    }
    return verdict_->step();
}

bool channel_comparison::let_go() {
    bool const over = lists_.let_go();
    return (!verdict_ || verdict_->let_go()) && over;
}

void channel_comparison::describe_wait(std::string& into) const {
    if (verdict_)
        verdict_->describe_wait(into);
    else
        lists_.describe_wait(into);
}

} // namespace weft
