#include "mutate.hpp"

#include <weft/wire/cereal.hpp>

#include <cereal/types/array.hpp>
#include <cereal/types/bitset.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>

#include <limits>

using namespace weft;
using namespace weft::testing;

namespace {

enum class season : std::uint16_t { summer, winter };

struct nothing {
    template <class Archive>
    void serialize(Archive&) {}
};

struct scene {
    std::string name;
    vector<double> heights;
    std::vector<bool> marks;
    std::map<string, vector<std::pair<std::int32_t, float>>> layers;
    std::optional<season> when;
    std::variant<std::int32_t, std::string> label;
    std::array<bool, 2> flags{};
    std::bitset<70> mask;
    vector<nothing> nothings;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(name, CEREAL_NVP(heights), marks, layers, when, label, flags, mask, nothings);
    }
    friend bool operator==(scene const& a, scene const& b) {
        return a.name == b.name && a.heights == b.heights && a.marks == b.marks && a.layers == b.layers &&
               a.when == b.when && a.label == b.label && a.flags == b.flags && a.mask == b.mask &&
               a.nothings.size() == b.nothings.size();
    }
};

scene sample_scene() {
    return {"hill", {1.5, -0.0, std::numeric_limits<double>::infinity()}, {true, false, true},
        {{"a", {{1, 2.0F}}}, {"b", {}}}, season::winter, "text", {true, false}, {5}, vector<nothing>(3)};
}

/// Owns its children by pointer, shares one value, and has its load apart from its save.
struct branch {
    std::int32_t label = 0;
    std::unique_ptr<branch> below;
    std::shared_ptr<std::string> first;
    std::shared_ptr<std::string> second;

    template <class Archive>
    void load(Archive& archive, std::uint32_t const /*version*/) {
        archive(label, below, first, second);
    }
    template <class Archive>
    void save(Archive& archive, std::uint32_t const /*version*/) const {
        archive(label, below, first, second);
    }
};

struct animal {
    virtual ~animal() = default;
    [[nodiscard]] virtual int legs() const = 0;
};
struct bird : animal {
    int feathers = 0;
    [[nodiscard]] int legs() const override { return 2; }
    template <class Archive>
    void serialize(Archive& archive) {
        archive(feathers);
    }
};
struct unregistered : bird {};

struct herd {
    std::vector<std::shared_ptr<animal>> members;
    template <class Archive>
    void serialize(Archive& archive) {
        archive(members);
    }
};

} // namespace

CEREAL_REGISTER_TYPE(bird)
CEREAL_REGISTER_POLYMORPHIC_RELATION(animal, bird)

template <>
inline constexpr bool weft::use_cereal<scene> = true;
template <>
inline constexpr bool weft::use_cereal<branch> = true;
template <>
inline constexpr bool weft::use_cereal<herd> = true;
template <>
inline constexpr bool weft::use_cereal<nothing> = true;

namespace {

static_assert(wire_type<scene> && wire_type<std::vector<scene>> && !bare_type<scene>);
static_assert(wire_type<nothing> && !bare_type<nothing>);

} // namespace

TEST(WireCereal, ValuesComeBack) {
    expect_round_trip(scene());
    expect_round_trip(sample_scene());
    expect_round_trip(std::vector<scene>{sample_scene(), scene(), sample_scene()});
    expect_round_trip(std::pair(sample_scene(), std::string("behind")));
    EXPECT_EQ(decode<std::vector<nothing>>(encoded(std::vector<nothing>(7)).bytes()).size(), 7U);
}

TEST(WireCereal, ListsOfEmptyValuesComeBack) {
    scene many;
    many.nothings.resize(100'000);
    expect_round_trip(many);
}

TEST(WireCereal, PointersComeBackAndStayShared) {
    branch top;
    top.label = 1;
    top.first = top.second = std::make_shared<std::string>("shared");
    top.below = std::make_unique<branch>();
    top.below->label = 2;
    auto const back = decode<branch>(encoded(top).bytes());
    EXPECT_EQ(*back.first, "shared");
    EXPECT_EQ(back.first, back.second);
    EXPECT_EQ(back.below->label, 2);
    EXPECT_EQ(back.below->below, nullptr);
}

TEST(WireCereal, PolymorphicPointersComeBack) {
    herd sent;
    auto const duck = std::make_shared<bird>();
    duck->feathers = 9;
    sent.members = {duck, nullptr, duck};
    auto const back = decode<herd>(encoded(sent).bytes());
    ASSERT_EQ(back.members.size(), 3U);
    EXPECT_EQ(back.members[0]->legs(), 2);
    EXPECT_EQ(dynamic_cast<bird&>(*back.members[0]).feathers, 9);
    EXPECT_EQ(back.members[1], nullptr);
    EXPECT_EQ(back.members[2], back.members[0]);
}

TEST(WireCereal, WhatCerealRefusesIsAUsageError) {
    herd sent;
    sent.members = {std::make_shared<unregistered>()};
    buffer out;
    EXPECT_THROW(encode(out, sent), usage_error);
    EXPECT_TRUE(out.empty());
}

TEST(WireCereal, EveryPrefixIsRefused) {
    expect_prefixes_refused(sample_scene());
    branch top;
    top.first = std::make_shared<std::string>("text");
    top.below = std::make_unique<branch>();
    expect_prefixes_refused(top);
}

TEST(WireCereal, HugeLengthsAllocateNothing) {
    buffer out;
    wire_writer writer(out);
    writer.length(0); // the name
    writer.length(std::uint64_t(1) << 60);
    allocation_count::restart();
    std::size_t const before = allocation_count::peak;
    EXPECT_THROW((void)decode<scene>(out.bytes()), wire_error);
    EXPECT_EQ(allocation_count::peak, before);
}

TEST(WireCereal, NestingIsBoundedBothWays) {
    auto const chain = [](int levels) {
        branch top;
        for (branch* at = &top; --levels > 0; at = at->below.get()) at->below = std::make_unique<branch>();
        return top;
    };
    EXPECT_NO_THROW((void)decode<branch>(encoded(chain(cereal_nesting_limit / 8)).bytes()));
    EXPECT_THROW((void)encoded(chain(cereal_nesting_limit)), usage_error);

    buffer deep;
    wire_writer writer(deep);
    writer(std::uint32_t(0)); // the version of the class, once
    for (int level = 0; level < 100'000; ++level) writer(std::int32_t(0), std::uint8_t(1));
    EXPECT_THROW((void)decode<branch>(deep.bytes()), wire_error);
}

TEST(WireCereal, CorruptionIsHandled) {
    expect_corruption_handled(sample_scene(), 200'000, 20'000);
    expect_corruption_handled(std::vector<scene>{sample_scene(), scene()}, 300'000, 5000);
}

TEST(WireCereal, CorruptPointersAreHandled) {
    branch top;
    top.first = top.second = std::make_shared<std::string>("shared");
    top.below = std::make_unique<branch>();
    expect_corruption_handled(top, 400'000, 10'000);
    herd sent;
    sent.members = {std::make_shared<bird>(), nullptr, std::make_shared<bird>()};
    expect_corruption_handled(sent, 500'000, 10'000);
}
