#include "mailbox_rig.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft_test {
namespace {

std::int64_t sum_of_calls = 0; // functions of `async` capture nothing
std::string text_of_calls;

TEST(async_call, functions_run_where_they_are_sent) {
    for_all_ways([](weft::mailbox& mail) {
        sum_of_calls = 0;
        for (int r = 0; r < size(); ++r)
            for (int i = 0; i < 1000; ++i) {
                mail.async(
                    r, [](int by) { sum_of_calls += by; }, i);
                mail.async(
                    r, [](int by, double twice) { sum_of_calls += by * static_cast<int>(twice); }, i, 2.0);
                mail.async(r, [] { ++sum_of_calls; });
            }
        mail.drain();
        EXPECT_EQ(sum_of_calls, size() * (3 * 999 * 500 + 1000));
    });
}

TEST(async_call, arguments_of_any_wire_type_and_length) {
    for_all_ways(
        [](weft::mailbox& mail) {
            text_of_calls.clear();
            int const right = (rank() + 1) % size();
            mail.async(
                right,
                [](std::string const& text, std::vector<std::string> const& more) {
                    text_of_calls += text + more.at(1);
                },
                std::string("abc"), std::vector<std::string>{"", "def"});
            mail.async(
                right, [](std::string const& text) { text_of_calls += text; }, std::string(100000, 'x'));
            mail.drain();
            EXPECT_EQ(text_of_calls, "abcdef" + std::string(100000, 'x'));
        },
        {.buffer_bytes = 65536});
}

TEST(async_call, functions_may_send_on) {
    for_all_ways([](weft::mailbox& mail) {
        sum_of_calls = 0;
        struct hop {
            void operator()(weft::mailbox& mailbox, int left) const {
                ++sum_of_calls;
                if (left > 0) mailbox.async((rank() + 1) % size(), hop{}, left - 1);
            }
        };
        if (rank() == 0) mail.async(size() - 1, hop{}, 500);
        mail.drain();
        EXPECT_EQ(weft::sum(mail.comm(), sum_of_calls), 501);
    });
}

TEST(async_call, one_that_throws_is_an_error_everywhere) {
    weft::mailbox mail(world());
    if (rank() == size() - 1)
        mail.async(
            0, [](int value) { throw std::runtime_error(std::to_string(value)); }, 42);
    try {
        mail.drain();
        ADD_FAILURE();
    } catch (std::runtime_error const& thrown) {
        EXPECT_NE(std::string(thrown.what()).find("42"), std::string::npos) << thrown.what();
    }
    mail.drain();
}

/// Sends a call of a function that no rank has: a record of 8 bytes.
void call_nothing(weft::mailbox& mail, int destination) {
    weft::mail_engine& engine = weft::mailbox_parts::engine(mail);
    std::uint32_t const record[2] = {0xABCDEF01, 7};
    int const calls = 0; // the first channel of every mailbox
    auto const place = static_cast<std::size_t>(destination);
    std::memcpy(engine.room(place, engine.key_of(calls), sizeof record), record, sizeof record);
    engine.cursor_at(place).next += sizeof record;
}

TEST(async_call, a_function_that_the_receiver_lacks_is_an_error_everywhere) {
    for_all_ways([](weft::mailbox& mail) {
        for (int round = 0; round < 2; ++round) {
            sum_of_calls = 0;
            auto const add = [](int by) { sum_of_calls += by; };
            if (rank() == size() - 1)
                for (int r = 0; r < size(); ++r) {
                    mail.async(r, add, 1);
                    call_nothing(mail, r);
                    call_nothing(mail, r);
                    mail.async(r, add, 1);
                }
            try {
                mail.drain();
                ADD_FAILURE();
            } catch (weft::usage_error const& thrown) {
                EXPECT_NE(std::string(thrown.what()).find("does not have"), std::string::npos)
                    << thrown.what();
            }
            for (int r = 0; r < size(); ++r) mail.async(r, add, 10);
            mail.drain();
            EXPECT_GE(sum_of_calls, 10 * size());
            EXPECT_LE(sum_of_calls, 10 * size() + 2);
        }
    });
}

TEST(async_call, a_function_whose_name_another_one_has_is_an_error_everywhere) {
    struct twin {
        void operator()(std::string const&) const {}
    };
    using function = weft::detail::async_function<twin, std::string>;
    // As a static function of another file does whose lambda gets the same name.
    (void)weft::detail::register_call(typeid(function), function::room,
        [](weft::mailbox&, std::byte const*, std::byte const* end) { return end; });
    for_all_ways([](weft::mailbox& mail) {
        if (rank() == 0) mail.async(size() - 1, twin{}, std::string("text"));
        try {
            mail.drain();
            ADD_FAILURE();
        } catch (weft::usage_error const& thrown) {
            EXPECT_NE(std::string(thrown.what()).find("the same name"), std::string::npos) << thrown.what();
        }
        mail.drain();
    });
}

TEST(async_call, calls_of_several_functions_run_in_the_order_of_sending) {
    static std::string order;
    for_all_ways([](weft::mailbox& mail) {
        order.clear();
        std::string expected;
        auto random = weft_test::random(7);
        if (rank() == 0)
            for (int stretch = 0; stretch < 300; ++stretch) {
                auto const kind = random() % 3;
                for (auto left = random() % 40; left > 0; --left) {
                    if (kind == 0)
                        mail.async(
                            size() - 1, [](char c) { order += c; }, 'a');
                    if (kind == 1) mail.async(size() - 1, [] { order += 'b'; });
                    if (kind == 2)
                        mail.async(
                            size() - 1, [](std::string const& text) { order += text; }, std::string("cd"));
                    expected += kind == 0 ? "a" : kind == 1 ? "b" : "cd";
                }
            }
        mail.drain();
        auto const sent = weft::sum(world(), static_cast<std::int64_t>(expected.size()));
        if (rank() == size() - 1) { EXPECT_EQ(std::ssize(order), sent); }
        if (size() == 1) { EXPECT_EQ(order, expected); }
    });
}

TEST(async_call, calls_of_a_run_are_counted) {
    auto random = weft_test::random(3);
    for (int trial = 0; trial < 200; ++trial) {
        weft::buffer run;
        std::int64_t calls = 0;
        for (auto stretches = random() % 6; stretches > 0; --stretches) {
            std::uint32_t const number = static_cast<std::uint32_t>(random() % 3) << 5 | random() % 4;
            for (auto left = random() % 70; left > 0; --left, ++calls) {
                std::uint64_t const bytes = random() % 20;
                std::size_t const room =
                    number % 32 != 0 ? 8 * (number % 32) : weft::detail::long_call_room(bytes);
                std::byte* const at = run.extend(room);
                std::memset(at, 0x5A, room);
                std::memcpy(at, &number, sizeof number);
                if (number % 32 == 0) std::memcpy(at + 8, &bytes, sizeof bytes);
            }
        }
        EXPECT_EQ(weft::detail::count_calls(run.bytes()), calls);
    }
}

TEST(async_call, lengths_above_four_gibibytes_are_whole) {
    std::uint64_t const bytes = (std::uint64_t{5} << 30) + 3;
    std::size_t const all = weft::detail::long_call_room(bytes) + 8;
    // Memory that is never touched but at both ends.
    void* const mapped =
        ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) GTEST_SKIP() << "no room for 5 GiB of addresses";
    std::span const run(static_cast<std::byte*>(mapped), all);
    std::uint32_t const with_length = 32;
    std::uint32_t const of_eight_bytes = 33;
    std::memcpy(run.data(), &with_length, sizeof with_length);
    std::memcpy(run.data() + 8, &bytes, sizeof bytes);
    std::memcpy(run.data() + all - 8, &of_eight_bytes, sizeof of_eight_bytes);
    EXPECT_EQ(weft::detail::long_arguments(run.data()).size(), bytes);
    EXPECT_EQ(weft::detail::count_calls(run), 2);
    ::munmap(mapped, all);
}

TEST(async_call, arguments_above_four_gibibytes) {
    if (std::getenv("WEFT_TEST_LARGE") == nullptr) GTEST_SKIP() << "WEFT_TEST_LARGE is not set";
    weft::mailbox mail(world());
    text_of_calls.clear();
    std::size_t const bytes = (std::size_t{1} << 32) + 17;
    if (rank() == 0) {
        std::string text(bytes, 'm');
        text.back() = 'z';
        mail.async(
            size() - 1,
            [](std::string const& got) { text_of_calls = std::to_string(got.size()) + got.back(); },
            std::move(text));
    }
    mail.drain();
    EXPECT_EQ(text_of_calls, rank() == size() - 1 ? std::to_string(bytes) + "z" : "");
}

} // namespace
} // namespace weft_test
