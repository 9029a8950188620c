#include <weft/core/settings.hpp>

#include <core/process_knobs.hpp>
#include <core/protocol_rows.hpp>

#include <weft/core/error.hpp>
#include <weft/core/topology.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <utility>
#include <vector>

extern "C" char** environ;

namespace weft {

namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view expected) {
    throw usage_error(std::string(name) + "=" + std::string(value) + ": expected " + std::string(expected));
}

template <class Integer>
Integer parse_integer(std::string_view name, std::string_view value, Integer least, Integer most) {
    Integer number = 0;
    auto const [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failure != std::errc{} || end != value.data() + value.size() || number < least || number > most)
        refuse(name, value, "an integer in " + std::to_string(least) + ".." + std::to_string(most));
    return number;
}

double parse_seconds(std::string_view name, std::string_view value) {
    double number = 0;
    auto const [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    constexpr double most = 1e9;
    if (failure != std::errc{} || end != value.data() + value.size() || !(number >= 0 && number <= most))
        refuse(name, value, "a number of seconds in 0..1000000000");
    return number;
}

template <class Enum>
Enum parse_name(std::string_view name, std::string_view value, std::span<Enum const> choices) {
    std::string expected;
    for (Enum const choice : choices) {
        if (name_of(choice) == value) return choice;
        expected += (expected.empty() ? "" : " or ") + std::string(name_of(choice));
    }
    refuse(name, value, expected);
}

template <class Enum>
Enum parse_name(std::string_view name, std::string_view value, std::initializer_list<Enum> choices) {
    return parse_name(name, value, std::span<Enum const>(choices.begin(), choices.size()));
}

constexpr std::size_t protocols = std::size(protocol_rows);

constexpr auto protocol_choices = [] {
    std::array<protocol, protocols + 1> all{};
    for (std::size_t i = 0; i <= protocols; ++i) all[i] = static_cast<protocol>(i);
    return all;
}();

constexpr std::string_view automatic_word = "automatic";
constexpr std::size_t length_of_protocol_words = [] {
    std::size_t length = automatic_word.size();
    for (protocol_facts const& each : protocol_rows) length += each.name.size() + 1;
    return length;
}();

/// "nbx|pex|...|automatic".
constexpr auto protocol_words = [] {
    std::array<char, length_of_protocol_words> text{};
    auto at = text.begin();
    for (protocol_facts const& each : protocol_rows) {
        at = std::ranges::copy(each.name, at).out;
        *at++ = '|';
    }
    std::ranges::copy(automatic_word, at);
    return text;
}();

constexpr std::array table{
    knob{"WEFT_ADVERSARY", "SEED[:RUNS] or all or replay:LIST",
        "Programs that call `weft::run` run many times on simulated ranks, with messages that are late or "
        "overtake each other, slow ranks and full buffers. There are 4 ranks unless WEFT_SIMULATE gives a "
        "number. Empty: off.",
        [](settings& s, std::string_view value) { s.schedules = value; },
        [](settings const& s) { return s.schedules; }},
    knob{"WEFT_ALL_REDUCE", "dissemination|collective",
        "Method of the small all-reduces with which most calls of Weft end: by Weft's own messages "
        "(dissemination), or by MPI's all-reduce (collective), which allows only one open operation at a "
        "time.",
        [](settings& s, std::string_view value) {
            s.all_reduce = parse_name(
                "WEFT_ALL_REDUCE", value, {all_reduce_method::dissemination, all_reduce_method::collective});
        },
        [](settings const& s) { return std::string(name_of(s.all_reduce)); }},
    knob{"WEFT_EXCHANGE", std::string_view(protocol_words.data(), protocol_words.size()),
        "Protocol of sparse exchanges for which the program names no protocol. nbx: synchronous sends, then "
        "an all-reduce; pex: first an all-to-all of message sizes; pcx: first a reduce-scatter that counts "
        "the messages for each rank; rsx: first remote additions (RMA) that count the messages for each "
        "rank; store_and_forward: messages pass through other ranks; nbx_two_level, pcx_two_level: nbx or "
        "pcx between nodes, with one message for each pair of nodes; automatic: Weft chooses.",
        [](settings& s, std::string_view value) {
            s.exchange = parse_name("WEFT_EXCHANGE", value, std::span<protocol const>(protocol_choices));
        },
        [](settings const& s) { return std::string(name_of(s.exchange)); }},
    knob{"WEFT_HEADER_ABOVE", "integer 0..2147483648",
        "The protocol nbx sends a header before a message of more than this number of bytes, so that the "
        "receiver can first provide memory.",
        [](settings& s, std::string_view value) {
            s.header_above =
                parse_integer<std::int64_t>("WEFT_HEADER_ABOVE", value, 0, std::int64_t{1} << 31);
        },
        [](settings const& s) { return std::to_string(s.header_above); }},
    knob{"WEFT_IN_FLIGHT_BYTES", "integer 1..1099511627776",
        "While more than this number of the bytes that a rank has sent are in flight, the rank sends no "
        "further message of an exchange.",
        [](settings& s, std::string_view value) {
            s.in_flight_bytes =
                parse_integer<std::int64_t>("WEFT_IN_FLIGHT_BYTES", value, 1, std::int64_t{1} << 40);
        },
        [](settings const& s) { return std::to_string(s.in_flight_bytes); }},
    knob{"WEFT_MACHINE", "FILE or none",
        "File of the machine model; none means the built-in model. If the value is empty, Weft uses the "
        "model that `weft tune` has written, or the built-in model if no such file exists.",
        [](settings& s, std::string_view value) { s.machine = value; },
        [](settings const& s) { return s.machine; }},
    knob{"WEFT_MAILBOX_BYTES", "integer 65536..1099511627776",
        "Limit for the bytes of all buffers of a mailbox on a rank.",
        [](settings& s, std::string_view value) {
            s.mailbox_bytes = parse_integer<std::int64_t>(
                "WEFT_MAILBOX_BYTES", value, std::int64_t{1} << 16, std::int64_t{1} << 40);
        },
        [](settings const& s) { return std::to_string(s.mailbox_bytes); }},
    knob{"WEFT_PROBE", "matched|plain",
        "MPI call that finds messages of unknown size: MPI_Improbe (matched), or MPI_Iprobe (plain) for MPI "
        "libraries whose MPI_Improbe is broken.",
        [](settings& s, std::string_view value) {
            s.probe = parse_name("WEFT_PROBE", value, {probe_method::matched, probe_method::plain});
        },
        [](settings const& s) { return std::string(name_of(s.probe)); }},
    knob{"WEFT_RANKS_PER_NODE", "N[,N...] or cyclic:N[,N...]",
        "Treat the ranks as if they were on nodes with these numbers of ranks; the list is repeated as often "
        "as needed. If the value is empty, ranks are on their real nodes.",
        [](settings& s, std::string_view value) {
            (void)pretend_nodes(value, 1); // refuses invalid values
            s.ranks_per_node = value;
        },
        [](settings const& s) { return s.ranks_per_node; }},
    knob{"WEFT_ROUTE", "direct|node_local|node_remote|nlnr|automatic",
        "Route of messages between nodes, for mailboxes for which the program names no route. direct: "
        "straight to the receiver; node_local: through a rank of the sender's node; node_remote: through a "
        "rank of the receiver's node; nlnr: through both; automatic: Weft chooses.",
        [](settings& s, std::string_view value) {
            s.mailbox_route = parse_name("WEFT_ROUTE", value,
                {route::direct, route::node_local, route::node_remote, route::nlnr, route::automatic});
        },
        [](settings const& s) { return std::string(name_of(s.mailbox_route)); }},
    knob{"WEFT_SHARED_MEMORY", "on|off",
        "Messages of mailboxes inside a node are sent through shared memory (on) or through MPI (off).",
        [](settings& s, std::string_view value) {
            if (value != "on" && value != "off") refuse("WEFT_SHARED_MEMORY", value, "on or off");
            s.shared_memory = value == "on";
        },
        [](settings const& s) { return std::string(s.shared_memory ? "on" : "off"); }},
    knob{"WEFT_SIMULATE", "RANKS[,MACHINE][,NAME=VALUE...]",
        "Programs that call `weft::run` use RANKS simulated ranks in one process. MACHINE is the name of a "
        "simulated machine, such as jaguar, or a file that `weft tune` wrote. compute=FACTOR: the processor "
        "time that a rank uses, multiplied by FACTOR, is added to its simulated clock. stack=BYTES: size of "
        "the stack of a rank. table=FILE: write a row for each rank into this CSV file. "
        "timeline=FILE,lanes=N: write a timeline of N ranks. If the value of WEFT_SIMULATE is empty, "
        "programs run on the ranks of MPI.",
        [](settings& s, std::string_view value) { s.simulate = value; },
        [](settings const& s) { return s.simulate; }},
    knob{"WEFT_SPIN", "integer 0..1000000000",
        "Number of polls without success after which a waiting rank begins to yield its core.",
        [](settings& s, std::string_view value) {
            s.spin_polls = parse_integer("WEFT_SPIN", value, 0, 1'000'000'000);
        },
        [](settings const& s) { return std::to_string(s.spin_polls); }},
    knob{"WEFT_STALL_SECONDS", "number 0..1000000000",
        "Seconds without progress after which an operation reports that it waits; 0: never. The report goes "
        "to standard error, unless the program installs a listener. The command `weft` installs a listener; "
        "by default the command reports after 60 seconds.",
        [](settings& s, std::string_view value) {
            s.stall_seconds = parse_seconds("WEFT_STALL_SECONDS", value);
        },
        [](settings const& s) {
            std::array<char, 32> text;
            return std::string(
                text.data(), std::to_chars(text.data(), text.data() + text.size(), s.stall_seconds).ptr);
        }},
    knob{"WEFT_TAG_WINDOW", "integer 2..4096",
        "Number of MPI tags that the exchanges of a communicator use in turn; at most half of them may be in "
        "use at the same time.",
        [](settings& s, std::string_view value) {
            s.tag_window = parse_integer("WEFT_TAG_WINDOW", value, 2, 4096);
        },
        [](settings const& s) { return std::to_string(s.tag_window); }},
    knob{"WEFT_TOOL", "FILE[,FILE...]",
        "Shared libraries whose functions `weft_operation_began` and `weft_operation_ended` are called at "
        "the beginning and the end of each operation: adapters of profilers, or tools of your own. Empty: "
        "none.",
        [](settings& /*s*/, std::string_view value) { set_tools_of_process(std::string(value)); },
        [](settings const& /*s*/) { return tools_of_process(); }},
    knob{"WEFT_WATCHING", "on|off",
        "on: ranks write their state into shared memory, which `weft top` reads, and a rank that gets "
        "SIGUSR1 prints the states of all ranks of its node (a roll call); off: ranks do neither.",
        [](settings& /*s*/, std::string_view value) {
            if (value != "on" && value != "off") refuse("WEFT_WATCHING", value, "on or off");
            watching_in_process().store(value == "on", std::memory_order_relaxed);
        },
        [](settings const& /*s*/) { return std::string(watching_in_process().load() ? "on" : "off"); }},
};

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            std::size_t const replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
        }
    }
    return row.back();
}

knob const* find_knob(std::string_view name) noexcept {
    auto const found = std::ranges::find(table, name, &knob::name);
    return found == table.end() ? nullptr : &*found;
}

} // namespace

std::string_view name_of(protocol value) noexcept {
    return facts_of(value).name;
}

std::string_view name_of(all_reduce_method value) noexcept {
    return value == all_reduce_method::dissemination ? "dissemination" : "collective";
}

std::string_view name_of(probe_method value) noexcept {
    return value == probe_method::matched ? "matched" : "plain";
}

std::string_view name_of(route value) noexcept {
    constexpr std::string_view names[] = {"direct", "node_local", "node_remote", "nlnr", "automatic"};
    return names[std::min(static_cast<std::size_t>(value), std::size(names) - 1)];
}

std::span<knob const> knobs() noexcept {
    return table;
}

environment_knobs read_knobs() {
    environment_knobs found;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        std::string_view const variable = *entry;
        if (!variable.starts_with("WEFT_") || variable.starts_with("WEFT_TEST_")) continue;
        std::string_view const name = variable.substr(0, variable.find('='));
        if (find_knob(name) != nullptr) {
            found.lines.append(variable).append("\n");
            continue;
        }
        auto const nearest = std::ranges::min_element(
            table, {}, [&](knob const& row) { return edit_distance(row.name, name); });
        found.warnings.push_back("environment variable " + std::string(name) +
                                 " is not a knob of Weft; did you mean " + std::string(nearest->name) +
                                 "? (`weft info` lists them)");
    }
    return found;
}

void check(settings const& values) {
    settings retaken;
    for (knob const& row : table)
        if (std::string const text = row.show(values); !text.empty()) row.assign(retaken, text);
}

settings parse_settings(std::string_view lines) {
    settings result;
    while (!lines.empty()) {
        std::string_view const line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        std::size_t const equals = line.find('=');
        knob const* const row = find_knob(line.substr(0, equals));
        if (row == nullptr || equals == std::string_view::npos)
            throw usage_error("no knob of Weft reads \"" + std::string(line) + "\"");
        if (equals + 1 < line.size()) row->assign(result, line.substr(equals + 1));
    }
    return result;
}

} // namespace weft
