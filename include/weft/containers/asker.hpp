/// Handlers on entries of containers that return a value to the calling rank.
#pragma once

#include <weft/core/error.hpp>
#include <weft/detail/containers/asking_channel.hpp>
#include <weft/detail/containers/hashed_container.hpp>
#include <weft/detail/containers/visit_calls.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft {

namespace detail {
[[noreturn]] void answer_failed(int owner);
} // namespace detail

/// An answer that is on its way, similar to a future. The object can be moved, not copied. The object may be
/// destroyed before the answer arrives, but must not outlive the container.
template <class R>
class pending_answer {
public:
    /// Makes the handle of one answer. An `asker` calls this constructor.
    pending_answer(mailbox& mail, detail::shared<detail::open_answers<R>> all, std::int64_t place) noexcept
        : mail_(&mail), all_(std::move(all)), place_(place) {}
    pending_answer(pending_answer&&) noexcept = default;
    pending_answer& operator=(pending_answer&& other) noexcept {
        std::swap(mail_, other.mail_);
        std::swap(all_, other.all_);
        std::swap(place_, other.place_);
        return *this;
    }
    ~pending_answer() {
        if (!all_) return;
        if (is_ready())
            all_->remove(place_);
        else
            all_->at(place_).state = detail::answer_state::unwanted;
    }

    /// Returns true if the answer, or an error in its place, has arrived. The answer may arrive in any call
    /// of the mailbox, and arrives in `drain` at the latest. Local.
    [[nodiscard]] bool is_ready() const noexcept {
        return all_->at(place_).state != detail::answer_state::open;
    }
    /// Waits for the answer and returns it; may be called once. Blocks: until the answer has arrived; the
    /// rank that was asked must call the mailbox of the container now and then, or be in a blocking call of
    /// Weft. Throws: `usage_error` if a handler calls `get` before the answer has arrived; `remote_error` if
    /// the handler that makes the answer threw an error, or if another handler on its rank did since the last
    /// `drain`. The next `drain` throws the error of the handler.
    [[nodiscard]] R get() {
        if (!is_ready()) detail::check_may_ask();
        while (!is_ready()) detail::step_and_wait(*mail_);
        auto& here = all_->at(place_);
        if (here.state == detail::answer_state::failed) detail::answer_failed(here.owner);
        return std::move(here.value);
    }

private:
    mailbox* mail_;
    detail::shared<detail::open_answers<R>> all_;
    std::int64_t place_;
};

/// A function object that calls a handler and gets its value back. An asker may be copied, and must not
/// outlive its container. A call of the asker sends a key and arguments to the rank that owns the key. The
/// handler runs on that rank, and the value that the handler returns is sent back. Order: as for `visitor`.
/// Local. Cost: two messages, collected in buffers, and memory for the answer.
template <class K, class R, class... A>
class asker {
public:
    /// Binds the asker to the channels of a container. The container calls this constructor.
    asker(mailbox& mail, detail::walked_part const& part, detail::shared<detail::open_answers<R>> open,
        int channel, bool makes) noexcept
        : mail_(&mail), part_(&part), open_(std::move(open)), channel_(channel), makes_(makes) {}

    /// Sends a request. Throws: encoding errors; `usage_error` in a `for_all` of the container, if the
    /// request may insert an entry.
    [[nodiscard]] pending_answer<R> operator()(
        detail::argument_of<K> key, detail::argument_of<A>... arguments) const {
        mail_engine& engine = mailbox_parts::engine(*mail_);
        if (makes_ && part_->is_walked && !engine.in_handler()) [[unlikely]]
            detail::changed_while_walked("an asker");
        int const owner = detail::owner_of_hash(detail::hash_of_key<K>(key), engine.size());
        std::int64_t const place = open_->add(owner);
        try {
            detail::send_record<std::int64_t, K, A...>(engine, owner, channel_, place, key, arguments...);
        } catch (...) {
            open_->remove(place);
            throw;
        }
        return {*mail_, open_, place};
    }
    /// Sends a request for each key of a list, with the arguments at the index of the key; the answers are in
    /// the order of the keys. Throws: `usage_error` also if the lists have different lengths; then nothing is
    /// sent.
    [[nodiscard]] std::vector<pending_answer<R>> operator()(
        std::span<K const> keys, std::span<A const>... arguments) const {
        ((arguments.size() == keys.size() ? void()
                                          : detail::unequal_spans("asker", keys.size(), arguments.size())),
            ...);
        std::vector<pending_answer<R>> answers;
        answers.reserve(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) answers.push_back((*this)(keys[i], arguments[i]...));
        return answers;
    }

private:
    mailbox* mail_;
    detail::walked_part const* part_;
    detail::shared<detail::open_answers<R>> open_;
    int channel_;
    bool makes_;
};

} // namespace weft
