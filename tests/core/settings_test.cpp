#include <harness/protocols.hpp>

#include <weft/core/settings.hpp>

#include <weft/core/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

using weft::settings;

namespace {

/// An environment variable for the length of a scope.
class scoped_variable {
public:
    scoped_variable(std::string name, std::optional<std::string> value) : name_(std::move(name)) {
        if (char const* const found = std::getenv(name_.c_str())) before_ = found;
        set(value);
    }
    ~scoped_variable() { set(before_); }
    scoped_variable(scoped_variable const&) = delete;
    scoped_variable& operator=(scoped_variable const&) = delete;

private:
    void set(std::optional<std::string> const& value) const {
        if (value)
            setenv(name_.c_str(), value->c_str(), 1);
        else
            unsetenv(name_.c_str());
    }

    std::string name_;
    std::optional<std::string> before_;
};

weft::knob const& knob_named(std::string_view name) {
    auto const found = std::ranges::find(weft::knobs(), name, &weft::knob::name);
    EXPECT_NE(found, weft::knobs().end()) << name;
    return *found;
}

std::string refusal(std::string const& lines) {
    try {
        (void)weft::parse_settings(lines);
    } catch (weft::usage_error const& caught) { return caught.what(); }
    return "nothing was thrown";
}

bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

struct sample {
    std::string name;
    std::vector<std::string> good;
    std::vector<std::string> bad;
    std::string expected; ///< what a refusal says it takes
};

std::vector<sample> const samples{
    {"WEFT_ADVERSARY", {"7", "7:1000", "all"}, {}, ""},
    {"WEFT_ALL_REDUCE", {"dissemination", "collective"}, {"Collective", "x", "1"},
        "dissemination or collective"},
    {"WEFT_EXCHANGE", weft_test::names_of_protocols(), {"NBX", "nbx,pex", "auto"},
        "nbx or pex or pcx or rsx or store_and_forward"},
    {"WEFT_HEADER_ABOVE", {"0", "32768", "2147483648"}, {"-1", "2147483649", "1k"}, "0..2147483648"},
    {"WEFT_IN_FLIGHT_BYTES", {"1", "1000000", "1099511627776"}, {"0", "-5", "1099511627777", "1M"},
        "1..1099511627776"},
    {"WEFT_MACHINE", {"none", "machine.toml"}, {}, ""},
    {"WEFT_MAILBOX_BYTES", {"65536", "16777216", "1099511627776"}, {"65535", "-1", "1099511627777", "16M"},
        "65536..1099511627776"},
    {"WEFT_PROBE", {"matched", "plain"}, {"improbe", " plain"}, "matched or plain"},
    {"WEFT_RANKS_PER_NODE", {"4", "3,2", "cyclic:3,2", "1"}, {"0", "3,", "-1", "cyclic:", "a", "3;2", ",3"},
        "positive node sizes"},
    {"WEFT_ROUTE", {"direct", "node_local", "node_remote", "nlnr", "automatic"}, {"NLNR", "none", "node"},
        "direct or node_local or node_remote or nlnr or automatic"},
    {"WEFT_SHARED_MEMORY", {"on", "off"}, {"1", "yes", "ON"}, "on or off"},
    {"WEFT_SIMULATE", {"4", "1000,jaguar,compute=1"}, {}, ""},
    {"WEFT_SPIN", {"0", "64", "1000000000"}, {"-1", "1000000001", "1e3", "0x10"}, "0..1000000000"},
    {"WEFT_STALL_SECONDS", {"0", "2.5", "60"}, {"-1", "x", "60s", "1e10", "nan"}, "0..1000000000"},
    {"WEFT_TAG_WINDOW", {"2", "7", "4096"}, {"1", "0", "-2", "4097", "two", "4 ", "99999999999"}, "2..4096"},
    {"WEFT_TOOL", {"libtool.so", "a.so,/b/c.so"}, {}, ""},
    {"WEFT_WATCHING", {"off", "on"}, {"1", "no", "OFF"}, "on or off"},
};

} // namespace

TEST(settings, the_table_is_ordered_and_every_row_is_complete) {
    EXPECT_TRUE(std::ranges::is_sorted(weft::knobs(), {}, &weft::knob::name));
    for (weft::knob const& row : weft::knobs()) {
        EXPECT_TRUE(row.name.starts_with("WEFT_")) << row.name;
        EXPECT_FALSE(row.type.empty()) << row.name;
        EXPECT_TRUE(row.explanation.ends_with(".")) << row.name;
    }
}

TEST(settings, the_samples_of_this_test_cover_the_table) {
    ASSERT_EQ(samples.size(), weft::knobs().size()) << "give a new knob samples of good and bad values";
    for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].name, weft::knobs()[i].name);
}

TEST(settings, every_good_value_is_shown_as_it_was_given) {
    for (sample const& each : samples)
        for (std::string const& value : each.good) {
            settings const parsed = weft::parse_settings(each.name + "=" + value);
            EXPECT_EQ(knob_named(each.name).show(parsed), value) << each.name;
        }
}

TEST(settings, what_is_shown_of_the_defaults_parses_to_the_defaults) {
    std::string lines;
    for (weft::knob const& row : weft::knobs())
        lines += std::string(row.name) + "=" + row.show(settings{}) + "\n";
    settings const parsed = weft::parse_settings(lines);
    for (weft::knob const& row : weft::knobs()) EXPECT_EQ(row.show(parsed), row.show(settings{})) << row.name;
}

TEST(settings, a_bad_value_is_refused_with_knob_value_and_what_it_takes) {
    for (sample const& each : samples)
        for (std::string const& value : each.bad) {
            std::string const text = refusal(each.name + "=" + value);
            EXPECT_TRUE(contains(text, each.name)) << text;
            EXPECT_TRUE(contains(text, value)) << text;
            EXPECT_TRUE(contains(text, each.expected)) << text;
        }
}

TEST(settings, the_type_of_a_knob_says_what_its_values_look_like) {
    EXPECT_EQ(knob_named("WEFT_EXCHANGE").type,
        "nbx|pex|pcx|rsx|store_and_forward|nbx_two_level|pcx_two_level|automatic");
    EXPECT_EQ(knob_named("WEFT_TAG_WINDOW").type, "integer 2..4096");
}

TEST(settings, parsing_takes_lines_and_later_ones_win) {
    settings const parsed = weft::parse_settings("WEFT_SPIN=3\nWEFT_EXCHANGE=pex\nWEFT_SPIN=5");
    EXPECT_EQ(parsed.spin_polls, 5);
    EXPECT_EQ(parsed.exchange, weft::protocol::pex);
    EXPECT_EQ(parsed.probe, weft::probe_method::matched);
}

TEST(settings, an_empty_value_leaves_the_default) {
    settings const parsed = weft::parse_settings("WEFT_SPIN=\nWEFT_RANKS_PER_NODE=\n");
    EXPECT_EQ(parsed.spin_polls, settings{}.spin_polls);
    EXPECT_EQ(parsed.ranks_per_node, "");
    EXPECT_EQ(weft::parse_settings("").tag_window, settings{}.tag_window);
}

TEST(settings, lines_that_no_knob_reads_are_refused) {
    EXPECT_TRUE(contains(refusal("WEFT_NOTHING=1"), "WEFT_NOTHING=1"));
    EXPECT_TRUE(contains(refusal("WEFT_SPIN"), "WEFT_SPIN"));
    EXPECT_TRUE(contains(refusal("WEFT_SPIN=1\n\nWEFT_PROBE=plain"), "\"\""));
}

TEST(settings, names_of_values_are_what_their_knobs_take) {
    EXPECT_EQ(weft::name_of(weft::protocol::nbx), "nbx");
    EXPECT_EQ(weft::name_of(weft::protocol::pex), "pex");
    EXPECT_EQ(weft::name_of(weft::all_reduce_method::dissemination), "dissemination");
    EXPECT_EQ(weft::name_of(weft::all_reduce_method::collective), "collective");
    EXPECT_EQ(weft::name_of(weft::probe_method::matched), "matched");
    EXPECT_EQ(weft::name_of(weft::probe_method::plain), "plain");
}

TEST(settings, the_environment_is_read_as_lines) {
    scoped_variable const spin("WEFT_SPIN", "17");
    scoped_variable const census("WEFT_ALL_REDUCE", "collective");
    std::string const lines = weft::read_knobs().lines;
    EXPECT_TRUE(contains("\n" + lines, "\nWEFT_SPIN=17\n")) << lines;
    EXPECT_EQ(weft::parse_settings(lines).spin_polls, 17);
    EXPECT_EQ(weft::parse_settings(lines).all_reduce, weft::all_reduce_method::collective);
}

TEST(settings, reading_does_not_judge_values) {
    scoped_variable const spin("WEFT_SPIN", "many");
    EXPECT_TRUE(contains(weft::read_knobs().lines, "WEFT_SPIN=many"));
}

TEST(settings, an_unknown_variable_warns_with_the_nearest_name) {
    scoped_variable const misspelt("WEFT_EXCHAGNE", "nbx");
    scoped_variable const other("WEFT_TAGWINDOW", "2");
    auto [lines, warnings] = weft::read_knobs();
    ASSERT_EQ(warnings.size(), 2u);
    std::ranges::sort(warnings);
    EXPECT_TRUE(contains(warnings[1], "WEFT_TAGWINDOW")) << warnings[1];
    EXPECT_TRUE(contains(warnings[1], "did you mean WEFT_TAG_WINDOW")) << warnings[1];
    EXPECT_TRUE(contains(warnings[0], "WEFT_EXCHAGNE")) << warnings[0];
    EXPECT_TRUE(contains(warnings[0], "did you mean WEFT_EXCHANGE")) << warnings[0];
    EXPECT_FALSE(contains(lines, "WEFT_EXCHAGNE"));
}

TEST(settings, variables_of_the_tests_and_of_others_do_not_warn) {
    scoped_variable const tests("WEFT_TEST_ANYTHING", "1");
    scoped_variable const others("WEFTLESS", "1");
    std::vector<std::string> const warnings = weft::read_knobs().warnings;
    EXPECT_TRUE(warnings.empty()) << warnings.front();
}
