#include <weft/detail/containers/records.hpp>

#include <harness/mpi_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace weft_test {
namespace {

using weft::detail::record_part;
using weft::detail::take_part;

TEST(records, parts_are_read_as_they_were_written) {
    std::string const text(200, 'x'); // its length takes two bytes
    std::vector<std::string> const list{"a", "", "c"};
    record_part<std::string> const first(text);
    int const number = -7;
    record_part<int> const second(number);
    record_part<std::vector<std::string>> const third(list);
    std::vector<std::byte> bytes(first.room() + second.room() + third.room());
    EXPECT_EQ(first.room(), 202U);
    std::byte* const end = third.put(second.put(first.put(bytes.data())));
    EXPECT_EQ(end, bytes.data() + bytes.size());
    std::byte const* at = bytes.data();
    EXPECT_EQ(take_part<std::string>(at), text);
    EXPECT_EQ(take_part<int>(at), -7);
    EXPECT_EQ(take_part<std::vector<std::string>>(at), list);
    EXPECT_EQ(at, end);
    EXPECT_EQ((weft::detail::count_records<std::string, int, std::vector<std::string>>(bytes)), 1);
    EXPECT_EQ((weft::detail::count_records<std::int64_t, std::int32_t>(std::vector<std::byte>(36))), 3);
}

} // namespace
} // namespace weft_test
