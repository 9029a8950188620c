#include <weft/extend/mailbox/mail_channel.hpp>

#include <harness/mpi_test.hpp>

namespace weft_test {
namespace {

/// The least that a channel must do.
class counting final : public weft::mail_channel {
public:
    std::int64_t handle(int, std::span<std::byte const> run) override { return count(run); }
    void handle_long(int, std::span<std::byte const>) override {}
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return static_cast<std::int64_t>(run.size());
    }
};

TEST(mail_channel, holds_nothing_back_and_passes_nothing_on_unless_it_says_so) {
    counting channel;
    EXPECT_FALSE(channel.combines);
    EXPECT_FALSE(channel.tells_source);
    EXPECT_FALSE(channel.release_held());
    EXPECT_FALSE(channel.holds_any());
    std::byte const run[3] = {};
    EXPECT_EQ(channel.pass_on(0, run), 0u);
    channel.drop(0, run);
    EXPECT_EQ(channel.handle(0, run), 3);
}

} // namespace
} // namespace weft_test
