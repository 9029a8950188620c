/// Blocks hold the data and talk to each other: a set of them over the ranks of a communicator.
#pragma once

#include <weft/blocks/block_core.hpp>
#include <weft/blocks/block_port.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

struct block_options {
    /// Callbacks that run at once on a rank. With more than one they run on threads of the set, and the
    /// thread that calls it communicates.
    int threads = 1;
};

/// Knows the neighbours of every block: `regular_grid`, `kd_tree`, or a type of the application.
template <class D>
concept decomposition = requires(D const& cut, block_id block) {
    { cut.blocks() } -> std::convertible_to<std::int64_t>;
    link(cut.link_of(block));
};

/// Typed blocks, any number on a rank, also none. Each has a link to its neighbours, but may send to every
/// block.
///
/// A callback takes `(B&, block_port<T>&)`: it takes what has arrived, computes, and sends. It runs the same
/// way in one process and in many, on one thread or several: callbacks of different blocks may run at once
/// when `threads` is more than 1, those of one block never do. What a callback throws is agreed: the next
/// collective call of the set throws on all ranks (within iexchange: that call), the original where it
/// happened, and messages that were under way are lost; the set can be used again.
///
/// Collective: construction, over `comm`, and what says so. The destructor is local.
/// Source: Peterka, Ross, EuroMPI 2012, section 3; Morozov and others, LDAV 2021.
template <class B>
class block_set {
public:
    /// Makes the blocks of this rank by `make(block_id)`, contiguously assigned. Blocks: until all ranks have
    /// called. Cost: O(links of this rank), a sparse exchange and two censuses. Throws: `usage_error` on all
    /// ranks for links that are not symmetric; what `make` throws, agreed.
    template <decomposition D, class Make>
    requires std::is_invocable_r_v<B, Make&, block_id> block_set(
        communicator const& comm, D const& cut, Make&& make, block_options const& options = {})
        : block_set(comm, cut, assignment::contiguous(cut.blocks(), comm.size()), make, options) {}

    /// The same, assigned as `where` says.
    template <decomposition D, class Make>
    requires std::is_invocable_r_v<B, Make&, block_id> block_set(communicator const& comm, D const& cut,
        assignment const& where, Make&& make, block_options const& options = {})
        : core_(comm, where, links_of(cut, where, comm.rank()), options.threads) {
        try {
            make_blocks(make);
            core_.agree();
        } catch (...) {
            drop_blocks();
            throw;
        }
    }
    ~block_set() { drop_blocks(); }
    block_set(block_set const&) = delete;
    block_set& operator=(block_set const&) = delete;

    [[nodiscard]] communicator const& comm() const noexcept { return core_.comm(); }
    [[nodiscard]] assignment const& where() noexcept { return core_.desks().where(); }
    /// The number of blocks of this rank.
    [[nodiscard]] std::size_t size() const noexcept { return blocks_.size(); }

    /// Calls `call(B&, block_port<T>&)` for every block of this rank, which may send; the messages go with
    /// the next `exchange` or `iexchange`. Local; what `call` throws is thrown by these.
    template <wire_type T, class F>
    requires std::invocable < F&, B&, block_port<T>
    & > void for_each(F&& call) {
        runner<T, F> each(*this, call);
        (void)core_.run_all(each);
    }
    /// Calls `call(B&, block_id)` for every block of this rank. Collective: yes, to agree on errors. Cost:
    /// one census.
    template <class F>
    requires std::invocable<F&, B&, block_id>
    void for_each(F&& call) {
        plain_runner<F> each(*this, call);
        (void)core_.run_all(each);
        core_.agree();
    }

    /// One round: what was sent becomes what can be received. Collective: yes. Blocks: until all ranks have
    /// called and what was sent to this rank is here. Cost: one sparse exchange of at most a message for each
    /// pair of ranks; O(1) for each message between blocks. Returns the number of messages that were sent by
    /// all blocks. Order: see `block_port`. Throws: what callbacks threw; `mpi_error`.
    std::int64_t exchange() { return core_.exchange(0); }
    /// `for_each` and `exchange` in one. Where `call` returns a bool, false means that the block is not done;
    /// the result is the number of messages sent and of blocks that are not: 0 when nothing is left to do,
    /// `while (blocks.exchange<T>(call) > 0) {}`.
    template <wire_type T, class F>
    requires std::invocable < F&, B&, block_port<T>
    & > std::int64_t exchange(F&& call) {
        runner<T, F> each(*this, call);
        return core_.exchange(core_.run_all(each));
    }

    /// A round among neighbours with adjustable synchrony: `for_each`, then what was sent goes to neighbours,
    /// and the call returns when as much of what they send as `options` say is here; the rest is received in
    /// later rounds, at the latest in the next `exchange` or `iexchange`, which wait for all of it.
    /// Collective: all ranks call it equally often before each of these. Blocks: until that has arrived, so
    /// for neighbours alone. Cost: a message for each pair of ranks with neighbouring blocks, no census.
    /// Order: as of arrival between rounds, else as in exchange. Throws: `mpi_error`; what callbacks throw,
    /// also the `usage_error` for a message to a block that is no neighbour, is thrown by the next `exchange`
    /// or `iexchange`. Source: Peterka, Ross, EuroMPI 2012, algorithm 3.
    template <wire_type T, class F>
    requires std::invocable < F&, B&, block_port<T>
    & > void exchange_neighbors(F&& call, neighbor_options const& options = {}) {
        for_each<T>(call);
        core_.exchange_neighbors(options);
    }

    /// Calls back for blocks until all are done and no message is left: first for each, then for those that
    /// have received something, or have returned false, which says that they are not done. What a callback
    /// sends leaves when it returns, and earlier by `block_port::flush`. What was sent before the call goes
    /// first; what callbacks do not take stays for a later phase. Collective: yes. Blocks: until all ranks
    /// have called and all is quiet. Cost: see `iexchange_engine`; the first call makes a mailbox. Throws: as
    /// `exchange`. Source: LDAV 2021, algorithms 1 to 5.
    template <wire_type T, class F>
    requires std::invocable < F&, B&, block_port<T>
    & > void iexchange(F&& call, iexchange_options const& options = {}) {
        runner<T, F> each(*this, call);
        core_.iexchange(each, options);
    }

    [[nodiscard]] iexchange_counters counters() const noexcept { return core_.counters(); }

private:
    void drop_blocks() noexcept {
        for (B* const each : blocks_) delete each;
    }
    template <class F, class... A>
    static bool done_after(F& call, A&&... arguments) {
        if constexpr (std::is_same_v<std::invoke_result_t<F&, A...>, bool>) {
            return call(std::forward<A>(arguments)...);
        } else {
            call(std::forward<A>(arguments)...);
            return true;
        }
    }
    template <wire_type T, class F>
    class runner final : public block_runner {
    public:
        runner(block_set& set, F& call) : set_(set), call_(call) {}
        bool run(std::size_t place) override {
            block_port<T> port(set_.core_.desks().at(place));
            return done_after(call_, *set_.blocks_[place], port);
        }

    private:
        block_set& set_;
        F& call_;
    };
    template <class F>
    class plain_runner final : public block_runner {
    public:
        plain_runner(block_set& set, F& call) : set_(set), call_(call) {}
        bool run(std::size_t place) override {
            call_(*set_.blocks_[place], set_.core_.desks().at(place).id);
            return true;
        }

    private:
        block_set& set_;
        F& call_;
    };
    template <class Make>
    void make_blocks(Make& make) {
        blocks_.assign(core_.desks().size(), nullptr);
        struct maker final : block_runner {
            maker(block_set& of, Make& given) : set(of), call(given) {}
            bool run(std::size_t place) override {
                set.blocks_[place] = new B(call(set.core_.desks().at(place).id));
                return true;
            }
            block_set& set;
            Make& call;
        } each(*this, make);
        (void)core_.run_all(each);
    }
    template <class D>
    static std::vector<link> links_of(D const& cut, assignment const& where, int rank) {
        std::vector<link> links;
        std::int64_t const blocks = rank < where.ranks() ? where.blocks_of(rank) : 0;
        for (std::int64_t place = 0; place < blocks; ++place)
            links.emplace_back(cut.link_of(where.block_at(rank, place)));
        return links;
    }

    block_core core_;
    std::vector<B*> blocks_; // by place; owned
};

} // namespace weft
