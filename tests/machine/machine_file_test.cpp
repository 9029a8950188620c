#include <machine/machine_file.hpp>

#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

using weft::machine_model;
using weft::parse_machine;
using weft_test::world;

namespace {

weft::phase_costs costs_of(double seconds) {
    weft::phase_costs costs;
    for (double const bytes : weft::measured_bytes) {
        costs.first.push_back(seconds * bytes);
        costs.more.push_back(seconds * bytes / 3);
    }
    return costs;
}

machine_model full_model() {
    machine_model machine = weft::built_in_machine();
    for (int const ranks : {2, 4, 6})
        machine.inside.measured.push_back({ranks, ranks * 1e-6, ranks * 2e-6, ranks * 3e-6, costs_of(1e-9),
            costs_of(2e-9), costs_of(1e-12)});
    machine.between.measured.push_back({3, 1e-6, 2e-6, 3e-6, costs_of(1e-8), costs_of(2e-8), costs_of(1e-8)});
    machine.mixed = machine.inside.measured;
    machine.handover_per_byte = 2e-10;
    machine.measured_on = "6 ranks on 2 nodes, MPI 3.1";
    machine.simulation = {3, 12345, 2e-6, 3e-9, 4e-6, 5e-6};
    return machine;
}

std::string replaced(std::string text, std::string const& what, std::string const& by) {
    std::size_t const at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

/// Removes what versions before 4 do not have.
std::string without_handover(std::string text) {
    std::size_t const line = text.find("handover_per_byte");
    return text.erase(line, text.find('\n', line) + 1 - line);
}

std::string complaint_about(std::string const& text) {
    try {
        (void)parse_machine(text, "m.toml");
    } catch (weft::io_error const& caught) { return caught.what(); }
    return "nothing was thrown";
}

int line_of(std::string const& text, std::string const& what) {
    return static_cast<int>(
               std::count(text.begin(), text.begin() + static_cast<long>(text.find(what)), '\n')) +
           1;
}

/// A file that rank 0 writes, named alike on all ranks; gone at the end.
class shared_file {
public:
    explicit shared_file(std::string const& text) {
        auto const mark = weft::max(world(), world().rank() == 0 ? ::getpid() : 0);
        path = std::filesystem::temp_directory_path() / ("weft_machine." + std::to_string(mark));
        if (world().rank() == 0) std::ofstream(path) << text;
    }
    ~shared_file() {
        if (world().rank() == 0) std::filesystem::remove(path);
    }
    shared_file(shared_file const&) = delete;
    shared_file& operator=(shared_file const&) = delete;

    std::filesystem::path path;
};

} // namespace

TEST(machine_file, a_model_comes_back_from_its_text) {
    machine_model const model = full_model();
    std::string const text = to_text(model);
    machine_model const again = parse_machine(text, "m.toml");
    EXPECT_EQ(to_text(again), text);
    EXPECT_NEAR(again.between.parameters.latency, model.between.parameters.latency, 1e-10);
    ASSERT_EQ(again.mixed.size(), 3u);
    EXPECT_EQ(again.mixed[2].ranks, 6);
    EXPECT_NEAR(again.mixed[2].synchronous.more[6], model.mixed[2].synchronous.more[6], 1e-11);
    EXPECT_NEAR(again.handover_per_byte, 2e-10, 1e-15);
    EXPECT_EQ(again.measured_on, model.measured_on);
    EXPECT_EQ(again.simulation.eager_bytes, 12345);
    EXPECT_NEAR(again.simulation.exchange_overhead, 5e-6, 1e-12);
    EXPECT_EQ(again.origin, "m.toml, measured on 6 ranks on 2 nodes, MPI 3.1");
}

TEST(machine_file, a_network_that_is_missing_is_as_inside) {
    machine_model model = full_model();
    model.between = model.inside;
    std::string const text = to_text(model);
    EXPECT_EQ(text.find("[between"), std::string::npos);
    machine_model const again = parse_machine(text, "m.toml");
    EXPECT_EQ(again.between, again.inside);
    EXPECT_EQ(to_text(again), text);
}

TEST(machine_file, version_1_has_fewer_phases_and_other_names) {
    std::string const text = without_handover(to_text(full_model()));
    std::string old;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
        end = text.find('\n', at) + 1;
        std::string line = text.substr(at, end - at);
        if (std::size_t const list = line.find("= ["); list != std::string::npos) {
            std::size_t third = list;
            for (int i = 0; i < 3; ++i) third = line.find(',', third + 1);
            line.erase(third, line.find(',', third + 1) - third);
        }
        if (std::size_t const name = line.find("all_reduce"); name != std::string::npos)
            line.replace(name, 10, "census");
        old += line;
    }
    machine_model const again = parse_machine(replaced(old, "version = 4", "version = 1"), "m.toml");
    EXPECT_EQ(again.inside.measured[0].all_reduce, full_model().inside.measured[0].all_reduce);
    EXPECT_EQ(again.simulation.hardware_all_reduce, full_model().simulation.hardware_all_reduce);
    auto const& first = again.inside.measured[0].known.first; // a nanosecond a byte
    ASSERT_EQ(first.size(), std::size(weft::measured_bytes));
    EXPECT_NEAR(first[3], 2048e-9, 1e-12);
    EXPECT_NEAR(first[4], 4096e-9, 1e-12);
}

TEST(machine_file, version_3_has_no_handover) {
    std::string const text = replaced(without_handover(to_text(full_model())), "version = 4", "version = 3");
    EXPECT_EQ(parse_machine(text, "m.toml").handover_per_byte, 0);
    EXPECT_EQ(parse_machine(text, "m.toml").mixed, parse_machine(to_text(full_model()), "m.toml").mixed);
}

TEST(machine_file, spaces_comments_and_windows_lines_do_not_matter) {
    std::string text = to_text(full_model());
    text = replaced(text, "version = 4", "\t version=4 # the fourth");
    text = replaced(text, "MPI 3.1\"", "MPI # 3.1\"\r");
    EXPECT_EQ(parse_machine(text, "m.toml").measured_on, "6 ranks on 2 nodes, MPI # 3.1");
}

TEST(machine_file, complaints_name_the_line_what_was_expected_and_the_cure) {
    std::string const good = to_text(full_model());
    struct mistake {
        std::string what, by, expected;
    };
    std::vector<mistake> const mistakes{
        {"version = 4", "version = 5", "expected version 1, 2, 3 or 4, found"},
        {"latency = 0.3", "latency = fast", "expected a number, at least 0, found \"fast\""},
        {"latency = 0.3", "latency = -1", "expected a number, at least 0, found \"-1\""},
        {"latency = 0.3", "latency = nan", "expected a number"},
        {"latency = 0.3", "latency", "expected key = value, found \"latency\""},
        {"latency = 0.3", "latency = 0.3\nlatency = 1", "expected each key once"},
        {"latency = 0.3", "latencies = 1\nlatency = 1",
            "expected a key that Weft knows, found \"latencies\""},
        {"measured_on = \"", "measured_on = ", "expected a text in double quotes"},
        {"[inside.2]", "[inside.1]", "expected a number of ranks, at least 2, found \"1\""},
        {"[inside.4]", "[inside.2]", "expected each table once"},
        {"[inside.4]", "[inside.8]", "expected ascending numbers of ranks"},
        {"[mixed.2]", "[nodes]", "expected a table that Weft knows, found \"nodes\""},
        {"[inside]", "[inside", "expected a table such as [inside]"},
        {"known_first = [", "known_first = [1, ", "expected a list of 8 numbers in brackets, found \"9\""},
        {"known_first = [", "known_first = 1 #", "expected a list of 8 numbers in brackets, found \"1\""},
        {"probed_more = [", "probed_more = [,", "expected a number"},
        {"ranks_per_node = 3", "ranks_per_node = 1.5", "expected a whole number, found \"1.5"},
        {"ranks_per_node = 3", "ranks_per_node = 3e20", "expected a whole number"}};
    for (mistake const& each : mistakes) {
        std::string const bad = replaced(good, each.what, each.by);
        std::string const text = complaint_about(bad);
        EXPECT_NE(text.find(each.expected), std::string::npos) << text;
        EXPECT_NE(text.find("`weft -n N tune`"), std::string::npos) << text;
        std::size_t const line = text.find(':') + 1;
        int const said = std::stoi(text.substr(line));
        int const meant = line_of(good, each.what);
        EXPECT_TRUE(said == meant || said == meant + 1 || (each.what == "[inside.4]" && said > meant))
            << text;
    }
}

TEST(machine_file, complaints_name_what_is_missing) {
    std::string const good = to_text(full_model());
    EXPECT_EQ(complaint_about(""),
        "m.toml:1: expected the key version, found \"no such key\"; correct it, or "
        "measure anew with `weft -n N tune`");
    EXPECT_TRUE(complaint_about(replaced(good, "\ngap = ", "\n# "))
                    .starts_with("m.toml:" + std::to_string(line_of(good, "[inside]")) +
                                 ": expected the key gap in [inside], found"));
    EXPECT_NE(
        complaint_about("version = 2\nmeasured_on = \"x\"\ncopy_per_byte = 0\n").find("the table [inside]"),
        std::string::npos);
    machine_model stuck = full_model();
    stuck.inside.parameters.latency = stuck.inside.parameters.overhead = 0;
    EXPECT_NE(complaint_about(to_text(stuck)).find("above 0"), std::string::npos);
}

TEST(machine_file, its_usual_place_is_of_the_host_and_the_mpi) {
    std::string const path = weft::machine_file_path();
    if (path.empty()) GTEST_SKIP() << "no home";
    EXPECT_NE(path.find("/weft/machine-"), std::string::npos) << path;
    EXPECT_TRUE(path.ends_with("-open-mpi.toml") || path.ends_with("-mpich.toml")) << path;
}

TEST(machine_file, all_ranks_get_the_model_that_rank_0_reads) {
    shared_file const file(to_text(full_model()));
    weft::communicator const comm = world().with({.machine = file.path.string()});
    EXPECT_EQ(comm.machine().measured_on, full_model().measured_on);
    EXPECT_EQ(&comm.split(0).machine(), &comm.machine());
    EXPECT_EQ(&comm.with(comm.settings()).machine(), &comm.machine());
}

TEST(machine_file, without_a_file_the_model_is_built_in) {
    weft::communicator const comm = world().with({.machine = "none"});
    EXPECT_TRUE(comm.machine().inside.measured.empty());
    EXPECT_NE(comm.machine().origin.find("built in"), std::string::npos);
}

TEST(machine_file, a_named_file_that_cannot_be_used_is_an_error_on_all_ranks) {
    shared_file const bad("version = 1\nspeed = 7\n");
    EXPECT_THROW((void)world().with({.machine = bad.path.string()}), weft::io_error);
    try {
        (void)world().with({.machine = "no/such/file.toml"});
        ADD_FAILURE() << "nothing was thrown";
    } catch (weft::io_error const& caught) {
        EXPECT_NE(std::string(caught.what()).find("no/such/file.toml: No such file"), std::string::npos)
            << caught.what();
    }
    EXPECT_EQ(weft::sum(world(), 1), world().size()) << "the communicator works on";
}
