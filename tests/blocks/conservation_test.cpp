/// Particles that hop from block to block: none is lost or doubled, whatever follows what without a barrier.
#include <weft/blocks/block_set.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include "block_rig.hpp"

#include <harness/mpi_test.hpp>

#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

using weft::block_id;
using weft::block_port;
using weft::block_set;
using weft::index_of;
using weft_test::cut_into;

namespace {

std::uint64_t mixed_bits(std::uint64_t z) {
    z += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

struct hopping_particle {
    std::uint64_t name;
    std::int32_t phase;
    std::int32_t hops; ///< that are left
};

struct hopping_block {
    block_id id;
    int begun = -1; ///< the last phase in which it has sent its particles
};

/// What may follow what.
enum class phase_kind { exchange, iexchange, agree, sparse, mail };
constexpr int phase_kinds = 5;

/// Every kind after every kind, over and over: a walk through all edges of the complete graph.
phase_kind kind_of_phase(int phase) {
    static std::vector<int> const walk = [] {
        std::vector<int> made;
        for (int a = 0; a < phase_kinds; ++a) {
            made.push_back(a);
            for (int b = a + 1; b < phase_kinds; ++b) {
                made.push_back(a);
                made.push_back(b);
            }
        }
        return made;
    }();
    return static_cast<phase_kind>(walk[static_cast<std::size_t>(phase) % walk.size()]);
}

/// A set of blocks with particles, and what this rank knows of them.
class hopping_set {
public:
    hopping_set(std::int64_t blocks, int threads, int most_hops, std::uint64_t salt)
        : salt_(salt),
          most_hops_(most_hops),
          set_(weft_test::world(), cut_into::random_graph(blocks, 3 * blocks, salt),
              weft::assignment::round_robin(blocks, weft_test::size()),
              [](block_id id) { return hopping_block{id}; }, {.threads = threads}) {
        books_.resize(set_.size());
    }

    void run(phase_kind how, int phase) {
        rounds_ = how == phase_kind::exchange; // which cost a collective call for every hop
        auto const call = [this, phase](hopping_block& self, block_port<hopping_particle>& port) {
            hop(self, port, phase);
        };
        if (how == phase_kind::exchange) {
            while (set_.exchange<hopping_particle>(call) > 0) {}
        } else if (how == phase_kind::iexchange) {
            set_.iexchange<hopping_particle>(
                call, {.min_bytes = phase % 3 == 0 ? std::size_t{200} : 0, .queue_bytes = 500});
        } else {
            set_.for_each([](hopping_block&, block_id) {});
        }
    }
    /// Sends without a phase: the next one takes it along.
    void begin_early(int phase) {
        set_.for_each_port<hopping_particle>(
            [this, phase](
                hopping_block& self, block_port<hopping_particle>& port) { hop(self, port, phase); });
    }

    /// Over all ranks: what was begun less what has come to its end. Collective.
    void check() {
        book sums;
        for (book const& each : books_) {
            sums.names += each.names;
            sums.particles += each.particles;
            sums.hops += each.hops;
            sums.wrong += each.wrong;
        }
        weft::communicator const& comm = weft_test::world();
        EXPECT_EQ(weft::sum(comm, sums.particles), 0);
        EXPECT_EQ(weft::sum(comm, sums.hops), 0);
        // Modulo 2^64, and by halves: sums over ranks must not overflow.
        auto const low =
            static_cast<std::uint64_t>(weft::sum(comm, static_cast<std::int64_t>(sums.names & 0xFFFFFFFFU)));
        auto const high =
            static_cast<std::uint64_t>(weft::sum(comm, static_cast<std::int64_t>(sums.names >> 32)));
        EXPECT_EQ((high << 32) + low, 0U);
        EXPECT_EQ(weft::sum(comm, sums.wrong), 0) << "particles of other phases";
    }

private:
    /// Of a block: only its callback writes here, whichever thread runs that.
    struct alignas(64) book {
        std::uint64_t names = 0;
        std::int64_t particles = 0;
        std::int64_t hops = 0;
        std::int64_t wrong = 0;
    };

    void hop(hopping_block& self, block_port<hopping_particle>& port, int phase) {
        book& mine = books_[static_cast<std::size_t>(set_.where().local_place(self.id))];
        if (self.begun != phase) {
            self.begun = phase;
            std::uint64_t const seed = mixed_bits(salt_ ^ mixed_bits(static_cast<std::uint64_t>(phase)) ^
                                                  static_cast<std::uint64_t>(index_of(self.id)) << 40);
            for (std::uint64_t i = 0; i < 1 + seed % 10; ++i) {
                hopping_particle made{mixed_bits(seed + i), phase, 0};
                made.hops = 1 + static_cast<std::int32_t>(
                                    (made.name >> 8) % static_cast<unsigned>(rounds_ ? 4 : most_hops_));
                mine.names += made.name;
                ++mine.particles;
                mine.hops += made.hops;
                move_on(mine, port, made);
            }
        }
        for (hopping_particle const& each : port.received()) {
            if (each.phase != phase) ++mine.wrong;
            move_on(mine, port, each);
        }
    }
    void move_on(book& mine, block_port<hopping_particle>& port, hopping_particle const& it) {
        if (it.hops == 0 || port.link().empty()) {
            mine.names -= it.name;
            --mine.particles;
            mine.hops -= it.hops;
            return;
        }
        --mine.hops;
        std::uint64_t const way = mixed_bits(it.name + static_cast<std::uint64_t>(it.hops));
        port.send(port.link()[way % port.link().size()], {it.name, it.phase, it.hops - 1});
    }

    std::uint64_t salt_;
    int most_hops_;
    bool rounds_ = false;
    block_set<hopping_block> set_;
    std::vector<book> books_; // by place
};

/// Phases without blocks, on the same communicator.
class other_phases {
public:
    other_phases()
        : mail_(weft_test::world()), say_(mail_.channel<int>([this](int drains) {
              ++heard_; // perhaps within another phase, but after the drain before
              wrong_ += drains != drains_;
          })) {}

    void sparse(int phase) {
        weft::outbox<int> out(weft_test::world());
        out[(weft_test::rank() + phase) % weft_test::size()].push_back(phase);
        for (auto const& [source, items] : weft::exchange(std::move(out)))
            wrong_ += items.size() != 1 || items[0] != phase ||
                      (source + phase) % weft_test::size() != weft_test::rank();
    }
    void mail(int phase) {
        say_.send((weft_test::rank() + phase) % weft_test::size(), drains_);
        mail_.drain();
        wrong_ += std::exchange(heard_, 0) != 1;
        ++drains_;
    }
    void check() const { EXPECT_EQ(wrong_, 0); }

private:
    weft::mailbox mail_;
    int drains_ = 0;
    int heard_ = 0;
    int wrong_ = 0;
    decltype(std::declval<weft::mailbox&>().channel<int>(std::declval<void (*)(int)>())) say_;
};

void run_phase(hopping_set& set, other_phases& others, int phase) {
    phase_kind const how = kind_of_phase(phase);
    if (how == phase_kind::sparse)
        others.sparse(phase);
    else if (how == phase_kind::mail)
        others.mail(phase);
    else
        set.run(how, phase);
}

} // namespace

// Field-notes section 3, case 4.
TEST(block_conservation, a_thousand_phases_of_all_kinds_back_to_back) {
    hopping_set set(5, 1, 20, 1);
    other_phases others;
    for (int phase = 0; phase < 1000; ++phase) run_phase(set, others, phase);
    set.check();
    others.check();
}

TEST(block_conservation, threads_run_the_callbacks) {
    hopping_set set(12, 3, 20, 2);
    other_phases others;
    for (int phase = 0; phase < 100; ++phase) run_phase(set, others, phase);
    set.check();
    others.check();
}

TEST(block_conservation, iexchange_a_thousand_times_without_anything_between) {
    hopping_set set(3, 1, 5, 3);
    for (int phase = 0; phase < 1000; ++phase) set.run(phase_kind::iexchange, phase);
    set.check();
}

// Case 11.
TEST(block_conservation, two_sets_on_one_communicator_in_turn) {
    hopping_set one(5, 1, 10, 4);
    hopping_set two(7, 2, 10, 5);
    other_phases others;
    for (int phase = 0; phase < 100; ++phase) {
        run_phase(one, others, phase);
        run_phase(two, others, phase / 3);
    }
    one.check();
    two.check();
    others.check();
}

TEST(block_conservation, two_sets_on_one_communicator_interleaved) {
    hopping_set one(5, 2, 10, 6);
    hopping_set two(4, 1, 10, 7);
    for (int phase = 0; phase < 100; ++phase) {
        one.begin_early(phase);
        two.begin_early(phase);
        phase_kind const how =
            kind_of_phase(phase) == phase_kind::exchange ? phase_kind::exchange : phase_kind::iexchange;
        two.run(how, phase);
        one.run(phase % 2 == 0 ? phase_kind::iexchange : phase_kind::exchange, phase);
    }
    one.check();
    two.check();
}

TEST(block_conservation, a_slow_rank_changes_nothing) {
    hopping_set set(6, 1, 10, 8);
    other_phases others;
    for (int phase = 0; phase < 100; ++phase) {
        if ((phase + weft_test::rank()) % (2 * weft_test::size()) == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        run_phase(set, others, phase);
    }
    set.check();
    others.check();
}
