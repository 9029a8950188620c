#include <protocol/clock_offset.hpp>

#include <weft/extend/transport/simulated_machine.hpp>
#include <weft/machine/machine_model.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

using weft_test::rank;
using weft_test::world;

namespace {

/// The clock of a transport, begun at another time.
class shifted_clock final : public weft::rank_clock {
public:
    shifted_clock(weft::transport const& via, double ahead) : via_(via), ahead_(ahead) {}
    [[nodiscard]] double seconds() const noexcept override { return via_.seconds() + ahead_; }
    [[nodiscard]] double ahead() const noexcept { return ahead_; }

private:
    weft::transport const& via_;
    double ahead_;
};

/// The clock of this machine, begun at another time; that of MPI begins with the process.
class shifted_steady_clock final : public weft::rank_clock {
public:
    explicit shifted_steady_clock(double ahead) : ahead_(ahead) {}
    [[nodiscard]] double seconds() const noexcept override {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count() +
               ahead_;
    }

private:
    double ahead_;
};

} // namespace

TEST(clock_offset, is_recovered_within_its_error_on_simulated_machines_of_any_size) {
    for (int ranks = 1; ranks <= 40; ranks += ranks < 10 ? 1 : 7) {
        weft::simulated_machine machine(weft::built_in_machine(), ranks);
        auto random = weft_test::random(static_cast<std::uint64_t>(ranks));
        std::vector<std::unique_ptr<shifted_clock>> clocks;
        std::vector<std::unique_ptr<weft::clock_offset>> engines(static_cast<std::size_t>(ranks));
        for (int each = 0; each < ranks; ++each)
            clocks.push_back(std::make_unique<shifted_clock>(
                machine.at(each), std::uniform_real_distribution<double>(-1000, 1000)(random)));
        machine.run([&](int each) {
            auto const place = static_cast<std::size_t>(each);
            if (!engines[place])
                engines[place] = std::make_unique<weft::clock_offset>(machine.at(each), 1, *clocks[place]);
            return engines[place]->step();
        });
        for (std::size_t each = 0; each < engines.size(); ++each) {
            double const wanted = clocks[0]->ahead() - clocks[each]->ahead();
            EXPECT_LE(std::abs(engines[each]->offset() - wanted), engines[each]->error() + 1e-9)
                << "rank " << each << " of " << ranks;
            EXPECT_LE(engines[each]->error(), 1e-3);
            EXPECT_EQ(engines[each]->error() == 0, each == 0);
        }
    }
}

TEST(clock_offset, is_recovered_within_its_error_over_mpi) {
    shifted_steady_clock const clock(1.5 * rank());
    auto const found = weft::find_clock_offset(world(), clock);
    EXPECT_LE(std::abs(found.offset + 1.5 * rank()), found.error + 1e-6);
    EXPECT_LT(found.error, 1);
}

TEST(clock_offset, clocks_that_may_be_the_same_are_taken_to_be) {
    shifted_steady_clock const clock(0);
    EXPECT_EQ(weft::find_clock_offset(world(), clock).offset, 0);
    EXPECT_EQ(weft::sum(world(), 1), world().size()) << "and other operations go on";
}
