#include <weft/extend/mailbox/mailbox_parts.hpp>

#include <weft/mailbox/mailbox.hpp>

#include <harness/mpi_test.hpp>

#include <cstring>

using weft_test::world;

namespace {

/// A channel of a kind of its own: a message is a byte, and the sum of all is kept.
class byte_sum final : public weft::mail_channel {
public:
    explicit byte_sum(std::int64_t& sum) : sum_(sum) {}
    std::int64_t handle(int, std::span<std::byte const> run) override {
        for (std::byte const each : run) sum_ += std::to_integer<int>(each);
        return count(run);
    }
    void handle_long(int, std::span<std::byte const>) override {}
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return static_cast<std::int64_t>(run.size());
    }

private:
    std::int64_t& sum_;
};

} // namespace

TEST(mailbox_parts, a_channel_of_a_kind_of_its_own_is_one_of_the_mailbox) {
    std::int64_t sum = 0;
    weft::mailbox mail{world()};
    weft::mail_engine& engine = weft::mailbox_parts::engine(mail);
    int const number = weft::mailbox_parts::keep(mail, new byte_sum(sum));
    for (int to = 0; to < world().size(); ++to) {
        auto& at = engine.cursor_with_room(static_cast<std::size_t>(to), engine.key_of(number), 1);
        *at.next++ = static_cast<std::byte>(world().rank() + 1);
    }
    mail.drain();
    EXPECT_EQ(sum, world().size() * (world().size() + 1) / 2);
    EXPECT_FALSE(engine.in_handler());
}
