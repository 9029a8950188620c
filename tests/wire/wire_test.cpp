#include "samples.hpp"

#include <bitset>
#include <chrono>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <span>
#include <string_view>

using namespace weft;
using namespace weft::testing;

namespace {

using ints = std::vector<int>;

ints bytes_of(buffer const& out) {
    ints bytes;
    for (std::byte const each : out.bytes()) bytes.push_back(static_cast<int>(each));
    return bytes;
}

template <class T>
ints bytes_of(T const& value) {
    return bytes_of(encoded(value));
}

template <class T>
T decoded(ints const& bytes) {
    std::vector<std::byte> source;
    for (int const each : bytes) source.push_back(static_cast<std::byte>(each));
    return decode<T>(std::span(std::as_const(source)));
}

std::string text_of_failure(auto const& call) {
    try {
        call();
    } catch (wire_error const& caught) { return caught.what(); }
    return "nothing was thrown";
}

enum loose { loose_a, loose_b };
enum class truth : bool { no, yes };

struct forgot_static {
    int x;
    void wire(auto& archive) { archive(x); }
};
struct only_reads {
    int x;
    static void wire(wire_reader& reader, only_reads& self) { reader(self.x); }
};
struct no_default {
    explicit no_default(int value) : x(value) {}
    int x;
    friend bool operator==(no_default, no_default) = default;
};
struct foreign {
    std::string text;
    friend bool operator==(foreign const&, foreign const&) = default;
};
struct checked {
    int percent = 0;
    static void wire(auto& archive, auto& self) {
        archive(self.percent);
        if constexpr (std::remove_reference_t<decltype(archive)>::reading)
            if (self.percent > 100)
                archive.fail("a percentage", sizeof(int), archive.position() - sizeof(int));
    }
};
struct fragile {
    fragile() = default;
    explicit fragile(int) { throw 1; }
    fragile(fragile const&) noexcept(false) {}
    static void wire(auto&, auto&) {}
};
struct empty {};
struct tail_of {
    double x = 0;
    char c = 0;

private:
    char hidden = 0; // not a plain struct: a derived class may use the padding behind it
};
struct packed_behind : tail_of {
    char mine = 0;
    [[no_unique_address]] empty nothing;

    static void wire(auto& archive, auto& self) {
        archive(self.mine);
        if constexpr (std::remove_reference_t<decltype(archive)>::reading)
            archive(static_cast<tail_of&>(self));
        else
            archive(static_cast<tail_of const&>(self));
        archive(self.nothing);
    }
};

} // namespace

template <>
struct weft::wire_hook<foreign> {
    static void wire(auto& archive, auto& value) { archive(value.text); }
};

namespace {

static_assert(
    bare_type<int> && bare_type<double> && bare_type<std::byte> && bare_type<colour> && bare_type<point>);
static_assert(
    bare_type<std::complex<double>> && bare_type<std::array<point, 3>> && bare_type<std::monostate>);
static_assert(bare_type<std::chrono::nanoseconds> && bare_type<std::bitset<9>> && bare_type<no_default>);
static_assert(!bare_type<bool> && !bare_type<truth> && !bare_type<std::optional<int>> && !bare_type<shape>);
static_assert(!bare_type<std::variant<int, float>> && !bare_type<std::array<bool, 2>> && !bare_type<checked>);
static_assert(
    !bare_type<std::pair<int, int>> && !bare_type<int const> && !bare_type<int[2]> && !bare_type<int&>);

static_assert(wire_type<bool> && wire_type<truth> && wire_type<everything> && wire_type<foreign>);
static_assert(wire_type<std::optional<no_default>> && wire_type<std::vector<no_default>>);
static_assert(
    !wire_type<int*> && !wire_type<char const*> && !wire_type<std::string_view> && !wire_type<int&>);
static_assert(!wire_type<std::span<int>> && !wire_type<std::span<int, 3>> && !wire_type<int tree::*>);
static_assert(!wire_type<std::vector<int*>> && !wire_type<std::optional<std::string_view>>);
static_assert(
    !wire_type<std::pair<int, int*>> && !wire_type<std::tuple<int&>> && !wire_type<std::array<int*, 2>>);
static_assert(!wire_type<std::map<int, int*>> && !wire_type<std::variant<int, char const*>>);
static_assert(!wire_type<std::reference_wrapper<int>> && !wire_type<std::initializer_list<int>>);
static_assert(!wire_type<std::vector<int>::iterator> && !wire_type<std::map<int, int>::iterator>);
static_assert(
    !wire_type<std::unique_ptr<int>> && !wire_type<std::shared_ptr<int>> && !wire_type<std::nullptr_t>);
static_assert(!wire_type<void (*)()> && !wire_type<std::function<void()>> && !wire_type<loose>);
static_assert(
    !wire_type<forgot_static> && !wire_type<only_reads> && !wire_type<void> && !wire_type<int const>);

} // namespace

TEST(Wire, BytesAreThoseOfTheDocumentedFormat) {
    EXPECT_EQ(bytes_of(std::int32_t(0x01020304)), (ints{4, 3, 2, 1}));
    EXPECT_EQ(bytes_of(true), (ints{1}));
    EXPECT_EQ(bytes_of(truth::no), (ints{0}));
    EXPECT_EQ(bytes_of(std::string("ab")), (ints{2, 'a', 'b'}));
    EXPECT_EQ(bytes_of(std::vector<std::uint16_t>{1, 2}), (ints{2, 1, 0, 2, 0}));
    EXPECT_EQ(bytes_of(std::vector<std::string>{"", "c"}), (ints{2, 0, 1, 'c'}));
    EXPECT_EQ(bytes_of(std::optional<char>()), (ints{0}));
    EXPECT_EQ(bytes_of(std::optional('x')), (ints{1, 'x'}));
    EXPECT_EQ(bytes_of(std::variant<int, char>('x')), (ints{1, 'x'}));
    EXPECT_EQ(bytes_of(std::pair('x', true)), (ints{'x', 1}));
    EXPECT_EQ(bytes_of(std::tuple('x', 'y', false)), (ints{'x', 'y', 0}));
    EXPECT_EQ(bytes_of(std::array{true, false}), (ints{1, 0}));
    EXPECT_EQ(bytes_of(std::map<char, bool>{{'b', true}, {'a', false}}), (ints{2, 'a', 0, 'b', 1}));
    EXPECT_EQ(bytes_of(std::set<char>{'b', 'a'}), (ints{2, 'a', 'b'}));
    EXPECT_EQ(bytes_of(std::vector<bool>()), (ints{0}));
    EXPECT_EQ(bytes_of(std::vector<bool>{true, false, true}), (ints{1, 5, 5}));
    EXPECT_EQ(bytes_of(std::vector<silent>(3)), (ints{3, 0, 0, 0}));
    EXPECT_EQ(bytes_of(tree{1, {{2, {}}}}), (ints{1, 0, 0, 0, 1, 2, 0, 0, 0, 0}));
}

TEST(Wire, LengthIsLeb128) {
    auto const of = [](std::uint64_t count) {
        buffer out;
        wire_writer(out).length(count);
        return bytes_of(out);
    };
    EXPECT_EQ(of(127), (ints{127}));
    EXPECT_EQ(of(128), (ints{0x80, 1}));
    EXPECT_EQ(of(300), (ints{0xac, 2}));
    EXPECT_EQ(of(std::numeric_limits<std::uint64_t>::max()),
        (ints{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}));
}

TEST(Wire, EveryKindComesBack) {
    expect_round_trip(std::int64_t(-5));
    expect_round_trip(1.5L);
    expect_round_trip(colour::green);
    expect_round_trip(truth::yes);
    expect_round_trip(point{1.0, 2.0F, 3});
    expect_round_trip(std::complex(1.0, -2.0));
    expect_round_trip(std::monostate());
    expect_round_trip(std::tuple<>());
    expect_round_trip(std::tuple(1, std::monostate(), 2.0, std::monostate()));
    expect_round_trip(std::u16string(u"wide"));
    expect_round_trip(std::vector<no_default>{no_default(1), no_default(2)});
    expect_round_trip(std::optional(no_default(3)));
    expect_round_trip(std::map<int, no_default>{{1, no_default(4)}});
    expect_round_trip(std::unordered_set<std::string>{"a", "b", "c"});
    expect_round_trip(std::multiset{1, 1, 2});
    expect_round_trip(std::multimap<std::string, tree>{{"a", sample_tree()}, {"a", tree()}});
    expect_round_trip(std::unordered_multimap<int, int>{{1, 2}, {1, 3}});
    expect_round_trip(std::array<std::string, 2>{"x", "y"});
    expect_round_trip(std::array<int, 0>());
    expect_round_trip(std::deque{1, 2, 3});
    expect_round_trip(std::list<std::vector<std::list<int>>>{{{1}, {2, 3}}, {}});
    expect_round_trip(std::optional(std::optional<int>()));
    expect_round_trip(std::optional(true));
    expect_round_trip(std::vector<std::variant<bool, std::string>>{true, "x", false});
    expect_round_trip(foreign{"outside"});
    expect_round_trip(sample_parcel());
    expect_round_trip(sample_tree());
    expect_round_trip(std::vector<silent>(1000));
    expect_round_trip(sample());
}

TEST(Wire, EmptyComesBack) {
    expect_round_trip(std::string());
    expect_round_trip(std::vector<double>());
    expect_round_trip(std::vector<bool>());
    expect_round_trip(std::map<int, std::string>());
    expect_round_trip(std::vector<silent>());
    expect_round_trip(everything());
}

TEST(Wire, BitsOfEveryLengthComeBack) {
    for (std::size_t size = 0; size < 40; ++size) {
        std::vector<bool> bits(size);
        for (std::size_t i = 0; i < size; ++i) bits[i] = i % 3 == 0;
        expect_round_trip(bits);
        EXPECT_EQ(encoded(bits).size(), size == 0 ? 1 : 2 + (size + 7) / 8);
    }
}

TEST(Wire, LargeComesBack) {
    std::vector<std::int64_t> numbers(1 << 20);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i * i);
    expect_round_trip(numbers);
    expect_round_trip(std::string(5 << 20, 'z'));
    expect_round_trip(std::vector<std::string>(100'000, "the same text, longer than a small string"));
}

TEST(Wire, FloatingPointKeepsItsBits) {
    using limits = std::numeric_limits<double>;
    std::vector const values{limits::infinity(), -limits::infinity(), -0.0, limits::denorm_min()};
    auto const back = decode<std::vector<double>>(encoded(values).bytes());
    EXPECT_EQ(back, values);
    EXPECT_TRUE(std::signbit(back[2]));
    EXPECT_TRUE(std::isnan(decode<double>(encoded(limits::quiet_NaN()).bytes())));
}

TEST(Wire, ReadingReplacesWhatWasThere) {
    parcel target = sample_parcel();
    buffer const out = encoded(parcel());
    wire_reader reader(out.bytes());
    reader(target);
    EXPECT_EQ(target, parcel());
}

TEST(Wire, NeighboursInPaddingAreKept) {
    packed_behind value;
    value.x = 1.5;
    value.mine = 'm';
    auto const back = decode<packed_behind>(encoded(value).bytes());
    EXPECT_EQ(back.x, 1.5);
    EXPECT_EQ(back.mine, 'm');
}

TEST(Wire, ValuesFollowEachOther) {
    buffer out;
    encode(out, std::string("one"));
    encode(out, 2);
    wire_reader reader(out.bytes());
    EXPECT_EQ(decode<std::string>(reader), "one");
    EXPECT_EQ(reader.position(), 4U);
    EXPECT_EQ(reader.remaining(), sizeof(int));
    EXPECT_EQ(decode<int>(reader), 2);
    EXPECT_EQ(reader.remaining(), 0U);
}

TEST(Wire, LeftoversAreRefused) {
    buffer out = encoded(std::string("text"));
    out.append("x", 1);
    EXPECT_THROW((void)decode<std::string>(out.bytes()), wire_error);
    EXPECT_THROW((void)decode<char>(out.bytes()), wire_error);
}

TEST(Wire, ErrorNamesWhatIsMissingAndWhere) {
    std::string const truncated = text_of_failure([] { (void)decoded<std::pair<char, int>>({1, 2, 3}); });
    EXPECT_NE(truncated.find("a value of fixed size at offset 1: it needs 4 bytes, 2 of 3 are left"),
        std::string::npos)
        << truncated;
    std::string const length = text_of_failure([] { (void)decoded<std::vector<int>>({100, 2, 3}); });
    EXPECT_NE(
        length.find("a length of 100 elements at offset 0: they need at least 4 bytes each, 2 of 3 are left"),
        std::string::npos)
        << length;
    std::string const flag = text_of_failure([] { (void)decoded<std::pair<bool, bool>>({1, 2}); });
    EXPECT_NE(flag.find("a bool, 0 or 1 at offset 1"), std::string::npos) << flag;
}

TEST(Wire, InvalidBytesAreRefused) {
    EXPECT_THROW((void)decoded<bool>({2}), wire_error);
    EXPECT_THROW((void)decoded<truth>({255}), wire_error);
    EXPECT_THROW((void)decoded<std::optional<char>>({2, 0}), wire_error);
    EXPECT_THROW((void)(decoded<std::variant<char, bool>>({2, 0})), wire_error);
    EXPECT_THROW((void)(decoded<std::array<bool, 2>>({1, 7})), wire_error);
    EXPECT_THROW((void)decoded<std::vector<bool>>({1, 8, 0}), wire_error);
    EXPECT_THROW((void)decoded<std::vector<bool>>({1, 5, 9}), wire_error) << "an unused bit is set";
    EXPECT_THROW((void)decoded<std::set<char>>({2, 'a', 'a'}), wire_error) << "a key comes twice";
    EXPECT_THROW((void)(decoded<std::unordered_map<char, std::string>>({2, 'a', 0, 'a', 0})), wire_error);
    EXPECT_THROW((void)decoded<std::vector<silent>>({3, 0, 1, 0}), wire_error)
        << "filled up with others than zero";
    EXPECT_THROW((void)decoded<checked>({101, 0, 0, 0}), wire_error);
    EXPECT_EQ(decoded<checked>({100, 0, 0, 0}).percent, 100);
}

TEST(Wire, LengthsHaveOneForm) {
    EXPECT_THROW((void)decoded<std::string>({0x81, 0, 'a'}), wire_error);
    EXPECT_THROW((void)decoded<std::string>({0x80}), wire_error);
    EXPECT_THROW((void)decoded<std::string>({255, 255, 255, 255, 255, 255, 255, 255, 255, 2}), wire_error);
    EXPECT_THROW(
        (void)decoded<std::string>({255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}), wire_error);
}

TEST(Wire, HugeLengthsAllocateNothing) {
    ints const huge{255, 255, 255, 255, 255, 255, 255, 255, 255, 1};
    ints const billion{0x80, 0x94, 0xeb, 0xdc, 3};
    allocation_count::restart();
    std::size_t const before = allocation_count::peak;
    for (auto const& bytes : {huge, billion}) {
        EXPECT_THROW((void)decoded<vector<int>>(bytes), wire_error);
        EXPECT_THROW((void)decoded<string>(bytes), wire_error);
        EXPECT_THROW((void)decoded<vector<string>>(bytes), wire_error);
        EXPECT_THROW((void)decoded<vector<silent>>(bytes), wire_error);
        EXPECT_THROW((void)decoded<vector<std::monostate>>(bytes), wire_error);
        EXPECT_THROW((void)decoded<vector<std::tuple<>>>(bytes), wire_error);
        EXPECT_THROW((void)(decoded<vector<std::array<silent, 2>>>(bytes)), wire_error);
        EXPECT_THROW((void)(decoded<unordered_map<int, int>>(bytes)), wire_error);
        EXPECT_THROW((void)decoded<std::vector<bool>>(bytes), wire_error);
    }
    EXPECT_EQ(allocation_count::peak, before);
}

TEST(Wire, NestingIsBoundedBothWays) {
    auto const chain = [](int levels) {
        tree top;
        for (tree* at = &top; --levels > 0; at = &at->children.front()) at->children.emplace_back();
        return top;
    };
    expect_round_trip(chain(wire_nesting_limit));
    buffer out = encoded(7);
    EXPECT_THROW(encode(out, chain(wire_nesting_limit + 1)), usage_error);
    EXPECT_EQ(out.size(), sizeof(int)) << "what failed leaves no bytes behind";

    buffer deep;
    wire_writer writer(deep);
    for (int level = 0; level < 1'000'000; ++level) {
        writer(std::int32_t(0));
        writer.length(1);
    }
    EXPECT_THROW((void)decode<tree>(deep.bytes()), wire_error);
}

TEST(Wire, VariantWithoutValueIsRefused) {
    std::variant<int, fragile> value;
    EXPECT_THROW(value.emplace<fragile>(1), int);
    ASSERT_TRUE(value.valueless_by_exception());
    buffer out;
    EXPECT_THROW(encode(out, value), usage_error);
    EXPECT_TRUE(out.empty());
}
