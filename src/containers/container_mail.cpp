#include <weft/detail/containers/container_mail.hpp>

#include <weft/containers/array.hpp>
#include <weft/containers/asker.hpp>
#include <weft/containers/visitor.hpp>
#include <weft/containers/work_queue.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <numeric>
#include <string>

namespace weft::detail {

std::string text_of_call(container_call call) {
    switch (call) {
    case container_call::insert:
        return "insertions";
    case container_call::assign:
        return "assignments";
    case container_call::erase:
        return "removals";
    case container_call::visit:
        return "visits";
    case container_call::reduce:
        return "a reducer";
    case container_call::ask:
        return "questions";
    case container_call::answer:
        return "answers";
    case container_call::move:
        return "items";
    }
    return "messages";
}

void container_was_closed() {
    throw usage_error("a message is for a container that this rank has destroyed: drain its mailbox before");
}

void changed_while_walked(char const* call) {
    throw usage_error(std::string(call) + " in a `for_all` of the same container, which is being visited "
                                          "through: keep the items in another container, and change this one "
                                          "after it");
}

void queue_is_drained() {
    throw usage_error(
        "work_queue::drain was called while it processes an item: insert the items instead, and the "
        "outer call takes them");
}

void answer_failed(int owner) {
    throw remote_error(
        "an asker of a container got no answer: its handler, or an earlier one, threw on rank " +
            std::to_string(owner) + "; `drain` tells of the error",
        owner);
}

void unequal_spans(char const* call, std::size_t keys, std::size_t others) {
    throw usage_error(std::string(call) + ": " + std::to_string(keys) + " keys, but " +
                      std::to_string(others) + " values for them");
}

void no_such_item(std::int64_t index, std::int64_t size) {
    throw usage_error("array: there is no item " + std::to_string(index) + "; it has " +
                      std::to_string(size) + (size == 0 ? "" : ", from 0 on"));
}

std::vector<std::size_t> place_order::sorted(std::size_t count) {
    std::vector<std::size_t> places(count);
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::sort(places, [this](std::size_t a, std::size_t b) { return before(a, b); });
    return places;
}

int container_mail::keep(mail_channel* made) try {
    int const number = mailbox_parts::keep(*mail_, made);
    channels_.push_back(number);
    return number;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("channel");
    throw;
}

void container_mail::close() noexcept {
    for (int const channel : channels_) try {
            engine_->close(channel);
        } catch (std::exception const&) {
        } // inside a handler, the channel keeps its state until the mailbox ends
    channels_.clear();
}

} // namespace weft::detail
