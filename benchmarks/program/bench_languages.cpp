#include "bench.hpp"
#include "options/number_check.hpp"

#include <weft.h>
#include <weft/exchange/exchange.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/mpi.hpp>

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#ifdef WEFT_BENCH_FORTRAN
extern "C" { // of bench_languages.f90
void bench_languages_begin(MPI_Fint parent);
std::int64_t bench_languages_exchange(std::size_t count, int const* destinations, std::int64_t const* items);
std::int64_t bench_languages_send_each(std::size_t count, int const* destinations, std::int64_t const* items);
void bench_languages_end();
}
#endif

namespace weft::tool {

namespace {

/// Ends the benchmark where a call of C fails.
void expect_ok(weft_status status) {
    if (status != weft_ok) throw error(weft_last_error());
}

extern "C" void add_up_items(void* state, int, void const* items, std::size_t count) {
    auto const* const values = static_cast<std::int64_t const*>(items);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += values[i];
    *static_cast<std::int64_t*>(state) += sum;
}

/// A communicator and a mailbox of C, on the ranks of one of C++.
class c_side {
public:
    explicit c_side(communicator const& comm) {
        expect_ok(weft_comm_make(native_handle(comm), &comm_));
        expect_ok(weft_mailbox_make(comm_, 0, &mail_));
        expect_ok(weft_mailbox_channel(mail_, sizeof(std::int64_t), add_up_items, &handled_, &channel_));
    }
    c_side(c_side const&) = delete;
    c_side& operator=(c_side const&) = delete;
    ~c_side() {
        weft_mailbox_free(mail_);
        weft_comm_free(comm_);
    }

    void exchange(std::span<int const> destinations, std::span<std::int64_t const> items) const {
        weft_outgoing const out = {
            items.size(), destinations.data(), nullptr, items.data(), sizeof(std::int64_t)};
        weft_inbox* received = nullptr;
        expect_ok(weft_exchange(comm_, &out, &received));
        weft_inbox_free(received);
    }
    void send_each(std::span<int const> destinations, std::span<std::int64_t const> items) const {
        expect_ok(weft_send_each(channel_, destinations.data(), items.data(), items.size()));
        expect_ok(weft_drain(mail_));
    }

private:
    weft_comm* comm_ = nullptr;
    weft_mailbox* mail_ = nullptr;
    weft_channel* channel_ = nullptr;
    std::int64_t handled_ = 0;
};

/// The calls of C and Fortran beside those of C++, on the same items.
class bench_languages final : public benchmark {
public:
    explicit bench_languages(CLI::App& bench) {
        parser_ = bench.add_subcommand("languages", "Compare calls from C and Fortran with calls from C++");
        parser_
            ->add_option("--items", items_, "Number of items of 8 bytes that a rank sends, to random ranks")
            ->check(above_zero())
            ->capture_default_str();
    }

    void run(communicator const& comm, bench_table& table) override {
        std::mt19937_64 next(static_cast<std::uint64_t>(comm.rank()) + 1);
        std::vector<int> destinations(static_cast<std::size_t>(items_));
        std::vector<std::int64_t> items(destinations.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
            destinations[i] = static_cast<int>(next() % static_cast<std::uint64_t>(comm.size()));
            items[i] = static_cast<std::int64_t>(i);
        }
        c_side const in_c(comm);
        std::int64_t handled = 0;
        mailbox mail(comm);
        auto channel = mail.channel<std::int64_t>([&](std::span<std::int64_t const> come) {
            std::int64_t sum = 0;
            for (std::int64_t const each : come) sum += each;
            handled += sum;
        });
        double const millions = static_cast<double>(items_) / 1e6;
        std::vector<bench_subject> exchanges{
            {"C++", [&] { (void)exchange(comm, destinations, items); }},
            {"C", [&] { in_c.exchange(destinations, items); }},
        };
        std::vector<bench_subject> sends{
            {"C++",
                [&] {
                    channel.send(std::span<int const>(destinations), std::span<std::int64_t const>(items));
                    mail.drain();
                }},
            {"C", [&] { in_c.send_each(destinations, items); }},
        };
#ifdef WEFT_BENCH_FORTRAN
        bench_languages_begin(MPI_Comm_c2f(native_handle(comm)));
        exchanges.push_back({"Fortran",
            [&] { (void)bench_languages_exchange(items.size(), destinations.data(), items.data()); }});
        sends.push_back({"Fortran",
            [&] { (void)bench_languages_send_each(items.size(), destinations.data(), items.data()); }});
#endif
        (void)table.measure({"languages", "exchange by item", 8, 0, millions, "M items/s"}, exchanges);
        (void)table.measure({"languages", "mailbox, bulk send", 8, 0, millions, "M items/s"}, sends);
#ifdef WEFT_BENCH_FORTRAN
        bench_languages_end();
#endif
    }

private:
    std::int64_t items_ = 1'000'000;
};

} // namespace

std::unique_ptr<benchmark> make_bench_languages(CLI::App& bench) {
    return std::make_unique<bench_languages>(bench);
}

} // namespace weft::tool
