#include <weft/collective/scan_engine.hpp>

namespace weft {

scan_engine::scan_engine(transport& via, int tag, merged_values& values, send_mode mode)
    : via_(via), tag_(tag), mode_(mode), values_(values) {
}

template <class Action>
void scan_engine::guarded(Action&& action) {
    if (failed_) return;
    try {
        action();
    } catch (...) {
        failed_ = true;
        thrown_ = std::current_exception();
    }
}

void scan_engine::send() {
    outgoing& now = sent_.emplace_back();
    now.data.resize(1);
    guarded([&] { values_.write(value_, now.data); });
    now.data.data()[0] = std::byte{failed_};
    now.pending = via_.send(via_.rank() + distance_, tag_, now.data.bytes(), mode_);
}

void scan_engine::take() {
    failed_ = failed_ || incoming_.data()[0] != std::byte{0};
    guarded([&] {
        std::size_t const before = values_.read(incoming_.bytes().subspan(1));
        values_.combine(before, value_);
        value_ = before;
    });
}

progress scan_engine::step() {
    progress result = progress::none;
    int const rank = via_.rank();
    while (distance_ < via_.size()) {
        if (!sent_this_round_) {
            if (rank + distance_ < via_.size()) send();
            sent_this_round_ = true;
            result = progress::some;
        }
        if (rank >= distance_) {
            if (!receiving_) {
                auto const found = via_.probe(rank - distance_, tag_);
                if (!found) return result;
                incoming_.resize(static_cast<std::size_t>(found->bytes));
                receive_ = via_.receive(*found, incoming_.bytes());
                receiving_ = true;
            }
            if (!via_.test(receive_)) return result;
            receiving_ = false;
            take();
        }
        sent_this_round_ = false;
        distance_ *= 2;
        result = progress::some;
    }
    for (outgoing& each : sent_)
        if (!via_.test(each.pending)) return result;
    return progress::done;
}

void scan_engine::describe_wait(std::string& into) const {
    if (distance_ < via_.size() && via_.rank() >= distance_)
        into += "a prefix from rank " + std::to_string(via_.rank() - distance_) + "; ";
}

} // namespace weft
