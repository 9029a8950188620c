#include "mailbox_rig.hpp"

#include <cstdint>
#include <string>
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

} // namespace
} // namespace weft_test
