/// A set of blocks over the ranks of a communicator. Blocks hold the data of a program and send messages to
/// each other.
#pragma once

#include <weft/blocks/block_balance.hpp>
#include <weft/blocks/block_moves.hpp>
#include <weft/blocks/block_port.hpp>
#include <weft/blocks/block_storage.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/blocks/block_core.hpp>
#include <weft/detail/blocks/block_fold.hpp>
#include <weft/detail/blocks/saved_blocks.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

namespace detail {
struct block_set_parts; // weft/detail/blocks/each_block.hpp
}

/// A type that knows the neighbours of every block: `regular_grid`, `kd_tree`, or a type of the application.
template <class D>
concept decomposition = requires(D const& cut, block_id block) {
    { cut.blocks() } -> std::convertible_to<std::int64_t>;
    link(cut.link_of(block));
};

/// A callable that runs for a block, with a port for items of type T.
template <class F, class B, class T>
concept block_callback = requires(F& call, B& block, block_port<T>& port) {
    call(block, port);
};

/// A block of this rank.
template <class B>
struct local_block {
    block_id id; ///< The id of the block.
    B& block;    ///< The block; the reference is valid until blocks move to other ranks.
};

namespace detail {

/// The message of the compiler for a callback with a wrong signature.
template <class F, class B, class T>
struct must_call_block : must_travel<T> {
    static_assert(block_callback<F, B, T>,
        "weft: for items of T, the callback of a block_set<B> takes (B&, weft::block_port<T>&)");
};

/// The blocks of a rank; null where one is in the file.
template <class B>
class typed_blocks final : public block_images {
public:
    typed_blocks() = default;
    ~typed_blocks() { resize(0); }

    [[nodiscard]] B*& at(std::size_t place) noexcept { return blocks_[place]; }
    [[nodiscard]] B const* at(std::size_t place) const noexcept { return blocks_[place]; }
    [[nodiscard]] std::size_t size() const noexcept { return blocks_.size(); }

    [[nodiscard]] bool travel() const noexcept override { return wire_type<B>; }
    void append([[maybe_unused]] std::size_t place, [[maybe_unused]] buffer& to) override {
        if constexpr (wire_type<B>) encode(to, std::as_const(*blocks_[place]));
    }
    void make(
        [[maybe_unused]] std::size_t place, [[maybe_unused]] std::span<std::byte const> image) override {
        if constexpr (wire_type<B>) blocks_[place] = new B(decode<B>(image));
    }
    void drop(std::size_t place) noexcept override { delete std::exchange(blocks_[place], nullptr); }
    void resize(std::size_t places) override {
        for (std::size_t place = places; place < blocks_.size(); ++place) drop(place);
        blocks_.resize(places);
    }
    void rearrange(std::span<std::size_t const> old_places) override {
        std::vector<B*> now(old_places.size());
        for (std::size_t place = 0; place < now.size(); ++place) now[place] = blocks_[old_places[place]];
        blocks_.swap(now);
    }

private:
    std::vector<B*> blocks_; // owned
};

} // namespace detail

/// A set of blocks of one type, distributed over the ranks. A rank has any number of blocks, also 0. Each
/// block has a link that lists its neighbours, and may send to any block.
///
/// A callback has the arguments `(B&, block_port<T>&)`: it takes the messages that have arrived, computes,
/// and sends. Callbacks of different blocks may run at the same time if the option `threads` is more than 1;
/// callbacks of one block never run at the same time. If a callback throws, the next collective call of the
/// set throws on all ranks: the original exception on the rank of the callback, an exception with its text on
/// the other ranks. If `iexchange` called the callback, this call of `iexchange` throws. If the call that
/// throws is an exchange, all messages in flight are lost. After an exception of a callback the set can be
/// used again. Errors while a rank passes messages to its blocks are thrown like exceptions of callbacks.
///
/// With the option `blocks_in_memory`, blocks may leave memory between callbacks: a reference to a block is
/// valid until its callback returns.
///
/// Collective: construction, over `comm`, and members that say so. The destructor is local. Source: Peterka,
/// Ross, EuroMPI 2012, section 3; Morozov and others, LDAV 2021.
template <class B>
class block_set {
public:
    /// Makes the blocks of this rank by `make(block_id)`. `assignment::contiguous` assigns blocks to ranks.
    /// Collective: yes. Blocks: until all ranks have called. Cost: O(links of this rank), a sparse exchange
    /// and four small all-reduces. Throws: `usage_error` on all ranks for links that are not symmetric, and
    /// for invalid options; errors of `cut` and `make`, on all ranks.
    template <decomposition D, class Make>
    requires std::is_invocable_r_v<B, Make&, block_id> block_set(
        communicator const& comm, D const& cut, Make&& make, block_options const& options = {})
        : block_set(gate(comm, "block_set"), cut, contiguous_for(cut, comm.size()), make, options) {}

    /// Makes the blocks of this rank; `where` assigns blocks to ranks. All else is the same as for the
    /// constructor without `where`.
    template <decomposition D, class Make>
    requires std::is_invocable_r_v<B, Make&, block_id> block_set(communicator const& comm, D const& cut,
        assignment const& where, Make&& make, block_options const& options = {})
        : block_set(gate(comm, "block_set"), cut, made_assignment{where, {}}, make, options) {}
    ~block_set() = default;
    block_set(block_set const&) = delete;
    block_set& operator=(block_set const&) = delete;

    /// Returns the communicator of the blocks.
    [[nodiscard]] communicator const& comm() const noexcept { return core_.comm(); }
    /// Returns the present assignment of blocks to ranks.
    [[nodiscard]] assignment const& where() const noexcept { return core_.local().where(); }
    /// Returns the number of blocks of this rank.
    [[nodiscard]] std::size_t size() const noexcept { return blocks_.size(); }
    /// Returns the blocks of this rank, `for (auto [id, block] : blocks.local())`, valid until blocks move.
    /// Local. Cost: O(size()). Throws: `usage_error` if blocks may be out of core; `for_each` loads them.
    [[nodiscard]] std::vector<local_block<B>> local() { return local_as<B>(*this); }
    /// Returns the blocks of this rank, which can only be read. All else is the same as for `local` of a set
    /// that is not const.
    [[nodiscard]] std::vector<local_block<B const>> local() const { return local_as<B const>(*this); }

    /// Calls `call(B&, block_port<T>&)` for every block of this rank. The next `exchange` or `iexchange`
    /// sends the messages that `call` has passed to the ports, and throws the exceptions that `call` has
    /// thrown. Local.
    template <class T, class F>
    void for_each_port(F&& call) {
        runner<T, F> each(*this, call);
        (void)core_.run_all(each);
    }
    /// Calls `call(B&, block_id)` for every block of this rank. Collective: yes, to agree on errors. Blocks:
    /// until all ranks have called. Cost: one small all-reduce. Throws: errors of `call`, on all ranks.
    template <class F>
    void for_each(F&& call) {
        static_assert(std::is_invocable_v<F&, B&, block_id>,
            "weft: the callback of for_each of a block_set<B> takes (B&, weft::block_id)");
        plain_runner<F> each(*this, call);
        (void)core_.run_all(each);
        core_.agree();
    }

    /// Makes one round: delivers all messages that blocks have sent, so that the callbacks of the next round
    /// can take them. Collective: yes. Blocks: until all ranks have called and all messages to this rank have
    /// arrived. Cost: one sparse exchange of at most one message for each pair of ranks; O(1) for each
    /// message between blocks. Returns the number of messages that were sent by all blocks. Order: see
    /// `block_port`. Throws: errors of callbacks; `mpi_error`.
    std::int64_t exchange() { return core_.exchange(0); }
    /// Calls `for_each_port` and then `exchange`. If `call` returns a bool, false means that the block is not
    /// done. The result is the number of messages that were sent plus the number of blocks that are not done,
    /// so a loop ends when the result is 0: `while (blocks.exchange<T>(call) > 0) {}`.
    template <class T, class F>
    std::int64_t exchange(F&& call) {
        runner<T, F> each(*this, call);
        return core_.exchange(core_.run_round(each));
    }

    /// Makes a round among neighbours: calls `for_each_port`, sends the messages to the neighbours, and
    /// returns when the messages that `options` requires have arrived. Messages that arrive later are
    /// received in later rounds, at the latest in the next `exchange` or `iexchange`, which wait for all
    /// messages. Collective: all ranks make the same number of rounds before each call of `exchange` or
    /// `iexchange`. Blocks: until the required messages have arrived. Cost: a message for each pair of ranks
    /// with neighbouring blocks, no all-reduce. Order: messages of different rounds in the order of arrival,
    /// messages of one round as in `exchange`. Throws: `mpi_error`. Errors of callbacks, and `usage_error`
    /// for a message to a block outside the link, are thrown by the next `exchange` or `iexchange`. Source:
    /// Peterka, Ross, EuroMPI 2012, algorithm 3.
    template <class T, class F>
    void exchange_neighbors(F&& call, neighbor_options const& options = {}) {
        runner<T, F> each(*this, call);
        (void)core_.run_round(each);
        core_.exchange_neighbors(options);
    }

    /// Calls `call` for blocks until all blocks are done and no message is left: once for each block, then
    /// again for each block that receives messages or whose last call returned false (not done). The messages
    /// of a callback are sent when the callback returns, or earlier by `block_port::flush`. Messages that
    /// blocks have sent before `iexchange` are delivered first. Messages that callbacks do not take are kept
    /// for a later call. Collective: yes. Blocks: until all ranks have called and no message is left. Cost:
    /// see `iexchange_engine`; the first call also makes a mailbox. Throws: as `exchange`. Source: LDAV 2021,
    /// algorithms 1 to 5.
    template <class T, class F>
    void iexchange(F&& call, iexchange_options const& options = {}) {
        runner<T, F> each(*this, call);
        core_.iexchange(each, options);
    }

    /// Returns the combination of the values of all blocks: `value(B const&, block_id)` returns the value of
    /// a block, and `combine(T, T)` combines two values, in the order of the ids. The result has the same
    /// bits on all ranks, at any number of ranks, and for any assignment. Collective: yes. Blocks: until all
    /// ranks have called. Cost: see `fold_blocks`; one small all-reduce. Throws: `usage_error` on all ranks
    /// if there are no blocks; errors of the callbacks, on all ranks.
    template <wire_type T, class Value, class Combine>
    requires std::is_invocable_r_v<T, Value&, B const&, block_id> && std::is_invocable_r_v<T, Combine&, T, T>
    [[nodiscard]] T all_reduce(Value&& value, Combine&& combine) {
        gate open(comm(), "block_set::all_reduce");
        std::vector<detail::block_part<T>> parts;
        open.guard([&] {
            if (where().blocks() == 0) throw usage_error("blocks: all_reduce of no blocks has no value");
            parts.resize(size());
        });
        look(open, [&](std::size_t place, B const& block, block_id id) {
            parts[place].first = index_of(id);
            parts[place].value = value(block, id);
        });
        return detail::fold_blocks(comm(), std::move(parts), combine);
    }

    /// Writes all blocks with their links and messages to one file. Collective, Blocks, Cost: see
    /// `save_blocks`. Throws: as `save_blocks`, and earlier errors of callbacks.
    void save(std::string const& path) requires wire_type<B> {
        core_.settle();
        detail::save_blocks(comm(), core_.local(), storage_, path);
    }
    /// Reads the blocks of a file that `save` has written, on any number of ranks; `assignment::contiguous`
    /// assigns the blocks to ranks. Collective: yes, over `comm`. Blocks: until all ranks have read. Cost:
    /// see `saved_blocks`, and the cost of the constructor. Throws: `io_error` on all ranks, whose text names
    /// the file and the fault.
    [[nodiscard]] static block_set load(communicator const& comm, std::string const& path,
        block_options const& options = {}) requires wire_type<B> {
        return block_set(detail::saved_blocks(comm, path), options);
    }

    /// Moves blocks to other ranks, with their links and messages; each rank passes moves of its own blocks.
    /// Collective: yes. Blocks: until all ranks have called and all blocks for this rank have arrived. Cost:
    /// see `moved` and `deal_anew`. Throws: `usage_error` on all ranks for an invalid move; errors of
    /// encoding and decoding. After an error no block has moved.
    void move(std::span<block_move const> mine) requires wire_type<B> {
        core_.settle();
        deal_anew(comm(), core_.local(), storage_, moved(comm(), where(), mine));
    }
    /// Moves blocks to the ranks given by `next`, which is the same on all ranks. All else is the same as for
    /// `move`.
    void assign(assignment const& next) requires wire_type<B> {
        core_.settle();
        deal_anew(comm(), core_.local(), storage_, next);
    }

    /// Moves blocks away from ranks that have more work than (1 + tolerance) times the average, as
    /// `balancing_moves` proposes. `cost(B const&, block_id)` returns the work of a block. Collective: yes.
    /// Blocks: until all ranks have called. Cost: see `balance_blocks`; a small all-reduce. Returns the
    /// imbalance before and after the moves. Throws: `usage_error` for negative or non-finite costs; as
    /// `move`.
    template <class Cost>
    requires wire_type<B> && std::is_invocable_r_v<double, Cost&, B const&, block_id> balance_report balance(
        Cost&& cost, double tolerance = 0.05) {
        gate open(comm(), "block_set::balance");
        core_.settle();
        std::vector<double> costs;
        open.guard([&] { costs.resize(size()); });
        look(open, [&](std::size_t place, B const& block, block_id id) { costs[place] = cost(block, id); });
        return balance_blocks(comm(), core_.local(), storage_, costs, tolerance);
    }
    /// Moves blocks away from ranks that have too much work; the work of a block is the time in seconds that
    /// its callbacks took since the last call of this function. The call needs the option `measure_costs`.
    /// Throws: as `balance` with a function `cost`, and `usage_error` for sets without the option
    /// `measure_costs`.
    balance_report balance(double tolerance = 0.05) requires wire_type<B> {
        gate open(comm(), "block_set::balance");
        if (!storage_.measures()) // perhaps on this rank alone
            core_.fail(
                std::make_exception_ptr(usage_error("blocks: balance: the costs of blocks are not measured: "
                                                    "set measure_costs, or pass the costs")));
        core_.settle();
        std::vector<double> costs;
        open.guard([&] { costs.resize(size()); });
        open.agree();
        for (std::size_t place = 0; place < costs.size(); ++place) costs[place] = storage_.seconds(place);
        balance_report const report = balance_blocks(comm(), core_.local(), storage_, costs, tolerance);
        for (std::size_t place = 0; place < size(); ++place) storage_.set_seconds(place, 0);
        return report;
    }

    /// Returns the counters of this rank, over all calls of `iexchange` so far. Local, O(1).
    [[nodiscard]] iexchange_counters counters() const noexcept { return core_.counters(); }
    /// Returns the numbers of blocks that were written to a file and read again. Local, O(1).
    [[nodiscard]] storage_counters storage() const noexcept { return storage_.counters(); }

    /// Throws `usage_error` if blocks may be out of core; `operation` names the call that needs all blocks in
    /// memory.
    void expect_all_in_memory(char const* operation) const {
        if (!storage_.keeps_all())
            throw usage_error(std::string("blocks: ") + operation +
                              " uses blocks where they are, so all must stay in memory; leave "
                              "blocks_in_memory at 0");
    }

private:
    friend struct detail::block_set_parts;

    /// The rank of each block, or the reason why it is not known.
    struct made_assignment {
        assignment where;
        std::exception_ptr failure;
    };
    template <class D>
    static made_assignment contiguous_for(D const& cut, int ranks) {
        try {
            return {assignment::contiguous(cut.blocks(), ranks), {}};
        } catch (...) { return {assignment::contiguous(0, ranks), std::current_exception()}; }
    }

    template <class D, class Make>
    block_set(
        gate const& call, D const& cut, made_assignment const& made, Make& make, block_options const& options)
        : storage_(call.comm(), blocks_, options),
          core_(call.comm(), made.where, links_of(cut, made, call.comm().rank()), options.threads,
              options.termination) {
        make_blocks(make);
        core_.agree();
    }
    block_set(detail::saved_blocks const& from, block_options const& options)
        : storage_(from.comm(), blocks_, options),
          core_(from.comm(), from.where(),
              {std::vector<link>(static_cast<std::size_t>(from.where().blocks_of(from.comm().rank())))},
              options.threads, options.termination) {
        from.read(core_.local(), storage_);
        core_.agree(); // on threads that could not be made
    }

    template <class Block, class Set>
    static std::vector<local_block<Block>> local_as(Set& set) {
        set.expect_all_in_memory("local");
        std::vector<local_block<Block>> all;
        all.reserve(set.size());
        for (std::size_t place = 0; place < set.size(); ++place)
            all.push_back({set.core_.local().at(place).id, *set.blocks_.at(place)});
        return all;
    }

    /// Keeps a block in memory.
    class in_use {
    public:
        in_use(block_storage& storage, std::size_t place, bool changes) : storage_(storage), place_(place) {
            storage.use(place, changes);
        }
        in_use(in_use const&) = delete;
        in_use& operator=(in_use const&) = delete;
        ~in_use() { storage_.done(place_); }

    private:
        block_storage& storage_;
        std::size_t place_;
    };

    template <class F, class... A>
    static bool done_after(F& call, A&&... arguments) {
        if constexpr (std::is_same_v<std::invoke_result_t<F&, A...>, bool>) {
            return call(std::forward<A>(arguments)...);
        } else {
            call(std::forward<A>(arguments)...);
            return true;
        }
    }
    template <class T, class F>
    class runner final : public detail::block_runner, detail::must_call_block<F, B, T> {
    public:
        runner(block_set& set, F& call) : set_(set), call_(call) { detail::check_kind<T>(); }
        bool run(std::size_t place) override {
            in_use const held(set_.storage_, place, true);
            block_port<T> port(set_.core_.local().at(place));
            return done_after(call_, *set_.blocks_.at(place), port);
        }

    private:
        block_set& set_;
        F& call_;
    };
    template <class F>
    class plain_runner final : public detail::block_runner {
    public:
        plain_runner(block_set& set, F& call) : set_(set), call_(call) {}
        bool run(std::size_t place) override {
            in_use const held(set_.storage_, place, true);
            call_(*set_.blocks_.at(place), set_.core_.local().at(place).id);
            return true;
        }

    private:
        block_set& set_;
        F& call_;
    };
    /// Calls `call(place, B const&, block_id)` for every block, and agrees on that and all the gate has
    /// kept.
    template <class F>
    void look(gate& open, F&& call) {
        struct looker final : detail::block_runner {
            looker(block_set& of, F& given) : set(of), call(given) {}
            bool run(std::size_t place) override {
                in_use const held(set.storage_, place, false);
                call(place, std::as_const(*set.blocks_.at(place)), set.core_.local().at(place).id);
                return true;
            }
            block_set& set;
            F& call;
        } each(*this, call);
        if (!open.failed()) (void)core_.run_all(each);
        open.fail(core_.take_failure());
        open.agree();
    }
    template <class Make>
    void make_blocks(Make& make) try {
        storage_.resize(core_.local().size());
        struct maker final : detail::block_runner {
            maker(block_set& of, Make& given) : set(of), call(given) {}
            bool run(std::size_t place) override {
                set.storage_.use_to_make(place);
                try {
                    set.blocks_.at(place) = new B(call(set.core_.local().at(place).id));
                } catch (...) {
                    set.storage_.done_making(place, false);
                    throw;
                }
                set.storage_.done_making(place, true);
                return true;
            }
            block_set& set;
            Make& call;
        } each(*this, make);
        (void)core_.run_all(each);
    } catch (std::bad_alloc const&) {
        alone_unless_agreed("block_set");
        throw;
    }
    template <class D>
    static detail::made_links links_of(D const& cut, made_assignment const& assigned, int rank) {
        assignment const& where = assigned.where;
        detail::made_links made;
        try {
            if (assigned.failure) std::rethrow_exception(assigned.failure);
            if (cut.blocks() != where.blocks())
                throw usage_error("blocks: the assignment is of " + std::to_string(where.blocks()) +
                                  " blocks; the decomposition has " + std::to_string(cut.blocks()));
            std::int64_t const blocks = rank < where.ranks() ? where.blocks_of(rank) : 0;
            for (std::int64_t place = 0; place < blocks; ++place)
                made.links.emplace_back(cut.link_of(where.block_at(rank, place)));
        } catch (...) { made.failure = std::current_exception(); }
        return made;
    }

    detail::typed_blocks<B> blocks_;
    block_storage storage_;
    detail::block_core core_; // last: its threads end first
};

} // namespace weft
