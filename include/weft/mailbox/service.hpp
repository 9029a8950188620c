/// Queries to other ranks and their answers, by a mailbox.
#pragma once

#include <weft/extend/mailbox/mailbox_parts.hpp>
#include <weft/mailbox/channel.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

class mailbox;

namespace detail {

/// Throws `usage_error` in a handler.
void check_may_ask();
/// Steps the mailbox once, and waits a little if nothing has happened.
void step_and_wait(mailbox& mail);
/// The number of queries to one rank that may be open, a power of two: answers then fit into the memory of
/// the mailbox.
[[nodiscard]] std::size_t unanswered_queries(mailbox& mail, std::size_t answer_bytes);
[[noreturn]] void asked_while_asking();
[[noreturn]] void unequal_query_counts(std::size_t destinations, std::size_t queries, std::size_t answers);

template <class H, class Q, class A>
concept answers_one = std::is_invocable_r_v<A, H&, Q const&>;
template <class H, class Q, class A>
concept answers_batch = std::is_invocable_v<H&, std::span<Q const>, std::span<A>>;
template <class H, class Q, class A>
concept answers = answers_one<H, Q, A> || answers_batch<H, Q, A>;

/// The places for the answers of one rank, in the order in which the answers come.
struct expected_answers {
    static constexpr std::uint32_t nobody =
        ~std::uint32_t{0}; ///< the place of an answer that is not wanted any more

    std::vector<std::uint32_t> place; // a ring
    std::uint32_t first = 0;
    std::uint32_t end = 0;
};

/// Stores answers in their places: the answers of a rank arrive in the order of the queries to it.
template <class A>
class answer_receiver final : public mail_channel {
public:
    explicit answer_receiver(int ranks) : of_rank(static_cast<std::size_t>(ranks)) {
        tells_source = true;
        set_type<channel_kind::answers, A>(*this);
    }
    std::int64_t handle(int source, std::span<std::byte const> run) override {
        expected_answers& expected = of_rank[static_cast<std::size_t>(source)];
        std::span const items(reinterpret_cast<A const*>(run.data()), run.size() / sizeof(A));
        auto const mask = static_cast<std::uint32_t>(expected.place.size() - 1);
        std::uint32_t first = expected.first;
        if (unwanted == 0) [[likely]] {
            for (A const& item : items) to[expected.place[first++ & mask]] = item;
            open -= static_cast<std::int64_t>(items.size());
        } else {
            for (A const& item : items) {
                std::uint32_t const place = expected.place[first++ & mask];
                bool const is_wanted = place != expected_answers::nobody;
                if (is_wanted) to[place] = item;
                --(is_wanted ? open : unwanted);
            }
        }
        expected.first = first;
        return static_cast<std::int64_t>(items.size());
    }
    void handle_long(int, std::span<std::byte const>) override {} // no item is that long
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return static_cast<std::int64_t>(run.size() / sizeof(A));
    }
    /// An error elsewhere must not stop a rank that waits for answers.
    void drop(int source, std::span<std::byte const> run) override { handle(source, run); }

    /// The asking object is gone: answers belong nowhere, and still come before those of the next one.
    void forget() noexcept {
        for (expected_answers& each : of_rank)
            for (std::uint32_t at = each.first; at != each.end; ++at) {
                std::uint32_t& place = each.place[at & static_cast<std::uint32_t>(each.place.size() - 1)];
                unwanted += place != expected_answers::nobody ? 1 : 0;
                place = expected_answers::nobody;
            }
        open = 0;
    }

    std::vector<expected_answers> of_rank;
    A* to = nullptr;
    std::int64_t open = 0;     ///< answers that are to come
    std::int64_t unwanted = 0; ///< that are to come, and belong nowhere
};

template <class Q, class A, class H>
class query_receiver final : public mail_channel {
public:
    query_receiver(mail_engine& mail, channel<A> answers, H handler)
        : mail_(mail), answers_(answers), handler_(std::move(handler)) {
        tells_source = true;
        set_type<channel_kind::queries, Q>(*this);
    }
    std::int64_t handle(int source, std::span<std::byte const> run) override {
        // The asking rank bounds its questions at a time, and so what may have to wait here.
        mail_engine::no_waiting const bounded(mail_);
        std::span const queries(reinterpret_cast<Q const*>(run.data()), run.size() / sizeof(Q));
        std::size_t answered = 0;
        try {
            H& answer = open_handler(handler_);
            if constexpr (answers_batch<H, Q, A>) {
                scratch_.resize(queries.size());
                answer(queries, std::span<A>(scratch_));
                answers_.send(source, scratch_);
            } else {
                while (answered < queries.size())
                    answered += answers_.fill(source, queries.size() - answered,
                        [&](std::size_t i) { return static_cast<A>(answer(queries[answered + i])); });
            }
        } catch (...) {
            send_nothing(source, queries.size() - answered);
            throw;
        }
        return static_cast<std::int64_t>(queries.size());
    }
    void handle_long(int, std::span<std::byte const>) override {} // no item is that long
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return static_cast<std::int64_t>(run.size() / sizeof(Q));
    }
    void close() noexcept override { handler_.reset(); }
    void drop(int source, std::span<std::byte const> run) override {
        mail_engine::no_waiting const bounded(mail_);
        send_nothing(source, run.size() / sizeof(Q));
    }

private:
    void send_nothing(int source, std::size_t answers) {
        for (std::size_t i = 0; i < answers; ++i) answers_.send(source, A{});
    }

    mail_engine& mail_;
    channel<A> answers_;
    std::optional<H> handler_; // empty once it is closed
    std::vector<A> scratch_;
};

} // namespace detail

/// Sends queries to other ranks and returns their answers. A service may be copied, and must not outlive its
/// mailbox. See `mailbox::service`.
template <class Q, class A>
class service {
public:
    /// Opens the service with a handler, `A handler(int source, Q const&)`. Local, but all ranks must open
    /// the same channels and services in the same order.
    template <class H>
    service(mailbox& mail, H handler)
        : mail_(&mail),
          receiver_(new detail::answer_receiver<A>(mailbox_parts::engine(mail).size())),
          queries_(mailbox_parts::engine(mail), 0) {
        mail_engine& engine = mailbox_parts::engine(mail);
        channel<A> const answers(engine, mailbox_parts::keep(mail, receiver_));
        queries_ = channel<Q>(engine, mailbox_parts::keep(mail, new detail::query_receiver<Q, A, H>(
                                                                    engine, answers, std::move(handler))));
    }

    /// Sends each query to its rank and waits for the answers, which come in the order of the queries.
    /// Blocks: until all answers have arrived; the other ranks must call this mailbox from time to time, or
    /// be in a blocking call of Weft. If a handler throws, its answers are A{}, and the next `drain` throws.
    /// If `ask` throws, answers to queries that were sent are dropped when they arrive. Cost: two messages
    /// per query, which are collected in buffers; O(P) memory. Throws: `usage_error` in a handler of any
    /// mailbox, for an invalid rank, for spans of unequal lengths, and if during the call too many messages
    /// arrive for channels that this rank has not made yet: more bytes than a quarter of
    /// `mailbox_options::buffer_bytes`, or 64 KiB, whichever is more.
    void ask(std::span<int const> destinations, std::span<Q const> queries, std::span<A> answers) const {
        if (destinations.size() != queries.size() || queries.size() != answers.size())
            detail::unequal_query_counts(destinations.size(), queries.size(), answers.size());
        detail::check_may_ask(); // before the first query: its answer must find who asked
        if (receiver_->open > 0) detail::asked_while_asking();
        constexpr std::size_t most = std::size_t{1} << 31; // places are 32-bit numbers
        for (std::size_t at = 0; at < queries.size(); at += most) {
            std::size_t const now = queries.size() - at < most ? queries.size() - at : most;
            ask_some(destinations.subspan(at, now), queries.subspan(at, now), answers.subspan(at, now));
        }
    }
    /// Sends query i to destination i and returns the answers in the order of the queries.
    [[nodiscard]] std::vector<A> ask(std::span<int const> destinations, std::span<Q const> queries) const {
        std::vector<A> answers(queries.size());
        ask(destinations, queries, std::span<A>(answers));
        return answers;
    }

    /// Closes the service, as `channel::close`. Later queries get A{}, and the next `drain` throws.
    void close() const { queries_.close(); }

private:
    void ask_some(std::span<int const> destinations, std::span<Q const> queries, std::span<A> answers) const {
        std::size_t const window = detail::unanswered_queries(*mail_, sizeof(A));
        auto const mask = static_cast<std::uint32_t>(window - 1);
        auto const ranks = static_cast<unsigned>(receiver_->of_rank.size());
        for (int const to : destinations) // before the first message
            if (static_cast<unsigned>(to) >= ranks) detail::no_such_rank(to, static_cast<int>(ranks));
        struct asking {
            ~asking() {
                if (receiver.open > 0) receiver.forget();
            }
            detail::answer_receiver<A>& receiver;
        } const until_all_are_here{*receiver_};
        receiver_->to = answers.data();
        receiver_->open = static_cast<std::int64_t>(queries.size());
        for (std::size_t i = 0; i < queries.size(); ++i) {
            detail::expected_answers& expected =
                receiver_->of_rank[static_cast<std::size_t>(destinations[i])];
            if (expected.place.empty()) expected.place.resize(window);
            while (expected.end - expected.first == window) detail::step_and_wait(*mail_);
            expected.place[expected.end++ & mask] = static_cast<std::uint32_t>(i);
            try {
                queries_.send(destinations[i], queries[i]);
            } catch (...) {
                --expected.end; // nobody will answer this one
                throw;
            }
        }
        while (receiver_->open > 0) detail::step_and_wait(*mail_);
    }

    mailbox* mail_;
    detail::answer_receiver<A>* receiver_; // the mailbox owns it
    channel<Q> queries_;
};

} // namespace weft
