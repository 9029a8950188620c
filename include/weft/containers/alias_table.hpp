/// Items drawn at random by their weights.
#pragma once

#include <weft/collective/gather.hpp>
#include <weft/containers/visitor.hpp>
#include <weft/detail/containers/alias_draws.hpp>
#include <weft/detail/containers/container_mail.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <concepts>
#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace weft {

namespace detail {

/// The part of an alias table that a rank has.
template <class T>
struct alias_part : counted {
    std::vector<T> items;
    alias_draws draws;

    [[nodiscard]] std::size_t locate(std::uint64_t random) const noexcept { return draws.place(random); }
    static void prefetch(std::size_t) noexcept {}
    static void prefetch_entry(std::size_t) noexcept {}
};

} // namespace detail

/// A function object that draws items: each call draws an item with a probability in proportion to its
/// weight, and calls a handler with the item and the arguments, on the rank of the item. Local. A sampler
/// must not outlive its table. Cost: a call puts a message of 8 bytes and the arguments into a buffer of the
/// mailbox.
template <class T, class... A>
class sampler {
public:
    /// Binds the sampler to one channel of a table's mailbox. `alias_table::sampler` calls this constructor.
    sampler(mail_engine& engine, detail::rank_draws& ranks, int channel) noexcept
        : engine_(&engine), ranks_(&ranks), channel_(channel) {}

    /// Draws an item and sends the arguments to the rank of the item.
    void operator()(detail::argument_of<A>... arguments) const {
        auto const [rank, random] = ranks_->next();
        detail::send_record<std::uint64_t, A...>(*engine_, rank, channel_, random, arguments...);
    }

private:
    mail_engine* engine_;
    detail::rank_draws* ranks_;
    int channel_;
};

/// Items with weights, drawn at random; the probability of an item is its weight divided by the sum of all
/// weights. Items stay on the rank that passes them to the constructor. A draw costs O(1) and one message to
/// the rank of the item. The draws of a rank are the same in every run with the same seed and the same number
/// of ranks. A table must not outlive its mailbox. All ranks make their containers and samplers in the same
/// order. Cost: 16 bytes per item, and 24 bytes per rank of the mailbox; 2 channels of the mailbox. Source:
/// Walker, An efficient method for generating discrete random variables with general distributions, ACM TOMS
/// 3, 1977; Vose, IEEE TSE 17, 1991.
template <wire_type T>
requires std::copyable<T>
class alias_table {
public:
    using value_type = T; ///< The type of an item.

    /// Makes a table of the items of all ranks, each with its weight. Collective: yes, with the same seed.
    /// Blocks: until all ranks have called. Cost: as `all_gather`. Throws: `usage_error` on all ranks for a
    /// weight that is negative or not finite, and if all weights are 0 or there is no item; `std::bad_alloc`
    /// and errors of copying, on all ranks.
    alias_table(
        mailbox& mail, std::span<std::pair<T, double> const> items_and_weights, std::uint64_t seed = 1) try
        : mail_(mail),
          part_(detail::shared<part_type>(new part_type)),
          awaited_(detail::shared<answers_type>(new answers_type)),
          ranks_(detail::shared<ranks_type>(new ranks_type)) {
        gate call(mail_.comm(), "alias_table");
        call.same("the seed", seed);
        std::vector<double> weights;
        agreed(call, [&] {
            part_->items.reserve(items_and_weights.size());
            weights.reserve(items_and_weights.size());
            for (auto const& [item, weight] : items_and_weights) {
                part_->items.push_back(item);
                weights.push_back(weight);
            }
            part_->draws = detail::alias_draws(weights);
        });
        std::vector<double> const of_ranks = all_gather(mail_.comm(), part_->draws.weight());
        agreed(call, [&] { ranks_->draws = detail::rank_draws(of_ranks, mail_.comm().rank(), seed); });
        make_channels();
    } catch (std::bad_alloc const&) {
        alone_unless_agreed("alias_table");
        throw;
    }
    alias_table(alias_table&&) noexcept = default;
    alias_table& operator=(alias_table&&) noexcept = default;
    ~alias_table() = default; // local

    /// Makes a sampler: `draw(arguments...)` draws an item and calls `handler(T const&, A const&...)`, or
    /// without arguments `handler(T const&)`, on the rank of the item. The handler may send messages and use
    /// containers. Collective: no, but all ranks make the same samplers in the same order.
    template <wire_type... A, class H>
    requires(std::invocable<H&, T const&, detail::view_of<A> const&...>)
        [[nodiscard]] weft::sampler<T, A...> sampler(H handler) {
        int const channel = mail_.template make<detail::container_call::visit, std::uint64_t, A...>(
            part_, [handler = std::move(handler)](part_type& part, int, std::size_t place, std::uint64_t,
                       detail::view_of<A>&... arguments) mutable {
                handler(std::as_const(part.items[place]), std::as_const(arguments)...);
            });
        return {mail_.engine(), ranks_->draws, channel};
    }

    /// Returns `n` items that are drawn for this rank, with repetition. Collective: yes, each rank with its
    /// own n. Blocks: until all ranks have their items. Cost: two messages per item, collected in buffers.
    /// Throws: `usage_error` on all ranks for a negative n; also all that `mailbox::drain` throws.
    [[nodiscard]] std::vector<T> sample(std::int64_t n) const {
        std::vector<T> drawn;
        struct waiting {
            ~waiting() { awaited.to = nullptr; }
            answers_type& awaited;
        } const here{*awaited_};
        mail_.phase("alias_table::sample", [&] {
            drawn.resize(detail::number_of_draws(n));
            awaited_->to = &drawn;
            for (std::int64_t i = 0; i < n; ++i) {
                auto const [rank, random] = ranks_->draws.next();
                detail::send_record<std::uint64_t, std::int64_t>(mail_.engine(), rank, ask_, random, i);
            }
        });
        return drawn;
    }

    /// Returns the number of items of this rank. Local.
    [[nodiscard]] std::int64_t local_size() const noexcept { return std::ssize(part_->items); }
    /// Returns the sum of the weights of all ranks. Local.
    [[nodiscard]] double weight() const noexcept { return ranks_->draws.weight(); }

private:
    using part_type = detail::alias_part<T>;
    using answers_type = detail::awaited_answers<T>;
    struct ranks_type : detail::counted {
        detail::rank_draws draws;
    };

    void make_channels() {
        int const answer = mail_.template make<detail::container_call::answer, std::int64_t, T>(awaited_,
            [](answers_type& awaited, int, std::int64_t place, std::int64_t, detail::view_of<T>& item) {
                if (awaited.to != nullptr)
                    (*awaited.to)[static_cast<std::size_t>(place)] = T(std::move(item));
            });
        ask_ = mail_.template make<detail::container_call::ask, std::uint64_t, std::int64_t>(
            part_, [engine = &mail_.engine(), answer](
                       part_type& part, int source, std::size_t place, std::uint64_t, std::int64_t to) {
                detail::send_record<std::int64_t, T>(*engine, source, answer, to, part.items[place]);
            });
    }

    detail::container_mail mail_;
    detail::shared<part_type> part_;
    detail::shared<answers_type> awaited_;
    detail::shared<ranks_type> ranks_;
    int ask_ = 0;
};

} // namespace weft
