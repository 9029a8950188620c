#include "vector_reduction.hpp"

#include <algorithm>
#include <cstddef>

namespace weft {

vector_reduction::vector_reduction(transport& via, int tag, std::span<std::int64_t> words, reduction how)
    : via_(via), tag_(tag), words_(words), how_(how) {
}

void vector_reduction::combine() {
    if (how_ == reduction::sum)
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] += incoming_[i];
    else
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = std::max(words_[i], incoming_[i]);
}

void vector_reduction::send_to(int destination) {
    sent_.push_back(via_.send(destination, tag_, std::as_bytes(words_), send_mode::standard));
}

/// Combines what the children send, the nearest first; whether all have been heard.
bool vector_reduction::climb() {
    int const rank = via_.rank();
    while (distance_ < via_.size() && (rank & distance_) == 0) {
        if (rank + distance_ < via_.size()) {
            if (!receiving_) {
                incoming_.resize(words_.size());
                receive_ = via_.receive(rank + distance_, tag_, std::as_writable_bytes(std::span(incoming_)));
                receiving_ = true;
            }
            if (!via_.test(receive_)) return false;
            receiving_ = false;
            combine();
        }
        distance_ *= 2;
    }
    return true;
}

progress vector_reduction::step() {
    int const rank = via_.rank();
    if (phase_ == phase::up) {
        if (!climb()) return progress::none;
        if (rank > 0) send_to(rank - distance_);
        phase_ = phase::down;
    }
    if (phase_ == phase::down) {
        if (rank > 0) {
            // The words are on their way up still: the result goes where they are not.
            if (!receiving_) {
                incoming_.resize(words_.size());
                receive_ = via_.receive(rank - distance_, tag_, std::as_writable_bytes(std::span(incoming_)));
                receiving_ = true;
            }
            if (!via_.test(receive_) || !via_.test(sent_.front())) return progress::none;
            std::copy(incoming_.begin(), incoming_.end(), words_.begin());
        }
        for (int child = distance_ / 2; child > 0; child /= 2)
            if (rank + child < via_.size()) send_to(rank + child);
        phase_ = phase::sending;
    }
    for (request& pending : sent_)
        if (!via_.test(pending)) return progress::none;
    return progress::done;
}

void reduce_words(communicator const& comm, std::span<std::int64_t> words, reduction how) {
    auto const lease = begin_operation(comm);
    operation_context& context = context_of(comm);
    vector_reduction joint(context.via, lease.tags().control, words, how);
    complete(context, joint, "reduction");
    context.count.control_messages += joint.messages();
}

} // namespace weft
