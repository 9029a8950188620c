#include <machine/stored_choices.hpp>

#include <weft/core/communicator.hpp>

#include <harness/mpi_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

using weft::choice_key;
using weft::protocol;
using weft::stored_choices;
using weft_test::world;

namespace {

constexpr choice_key small_load{4, 2, 3, 5, 17};
constexpr choice_key large_load{4, 2, 3, 5, 60};

/// A place for a file of this rank, where none is yet.
class scratch_file {
public:
    scratch_file()
        : path_((std::filesystem::temp_directory_path() / ("weft_stored." + std::to_string(::getpid())))
                    .string()) {
        std::filesystem::remove(path_);
    }
    ~scratch_file() { std::filesystem::remove(path_); }
    scratch_file(scratch_file const&) = delete;
    scratch_file& operator=(scratch_file const&) = delete;

    [[nodiscard]] std::string const& path() const { return path_; }
    [[nodiscard]] std::string text() const {
        std::ifstream from(path_);
        return {std::istreambuf_iterator<char>(from), {}};
    }

private:
    std::string path_;
};

} // namespace

TEST(stored_choices, what_is_stored_comes_back) {
    scratch_file const file;
    stored_choices const empty(file.path(), "");
    empty.store(small_load, protocol::pex);
    empty.store(large_load, protocol::nbx_two_level);
    EXPECT_EQ(empty.size(), 0u) << "other ranks know nothing of it";
    EXPECT_TRUE(file.text().starts_with("# ")) << file.text();
    EXPECT_EQ(file.text().find("# Protocols", 1), std::string::npos) << "one heading is enough";

    stored_choices const again(file.path(), file.text());
    EXPECT_EQ(again.size(), 2u);
    EXPECT_EQ(again.find(small_load), protocol::pex);
    EXPECT_EQ(again.find(large_load), protocol::nbx_two_level);
    EXPECT_EQ(again.find({3, 2, 3, 5, 17}), std::nullopt);
    EXPECT_EQ(again.text(), file.text());
    EXPECT_EQ(stored_choices("", again.text()).text(), again.text());
}

TEST(stored_choices, every_protocol_has_its_name) {
    for (int i = 0; i < static_cast<int>(protocol::automatic); ++i) {
        scratch_file const file;
        stored_choices(file.path(), "").store(small_load, static_cast<protocol>(i));
        EXPECT_EQ(stored_choices("", file.text()).find(small_load), static_cast<protocol>(i));
    }
}

TEST(stored_choices, of_one_load_the_last_line_holds) {
    stored_choices const found("", "4 2 3 5 17 pex\n4 2 3 5 60 nbx\n4 2 3 5 17 pcx\n");
    EXPECT_EQ(found.size(), 2u);
    EXPECT_EQ(found.find(small_load), protocol::pcx);
}

TEST(stored_choices, damaged_lines_are_skipped) {
    for (std::string const& damaged :
        std::vector<std::string>{"4 2 3 5 17 pe", "4 2 3 5 17 pexx", "4 2 3 5 17 ", "4 2 3 5 17", "4 2 3 5",
            "4 2 3 5 pex", "4 2 3 5 17 6 pex", "4 2 3 5 seventeen pex", "4 2 3 5 17 automatic",
            "4 2 3 5 17 pex # old", "4 2 3 5 17.5 pex", "4  2 3 5 17 pex", "4 2 3 5 99999999999 pex",
            "# 4 2 3 5 17 pex", "", " ", "\r", "4 2 3 5 174 2 3 5 17 pex", std::string("\0", 1)}) {
        stored_choices const found("", "4 2 3 5 60 nbx\n" + damaged + "\n4 2 3 5 17 pcx\n");
        EXPECT_EQ(found.size(), 2u) << damaged;
        EXPECT_EQ(found.find(small_load), protocol::pcx) << damaged;
        EXPECT_EQ(found.find(large_load), protocol::nbx) << damaged;
        EXPECT_EQ(stored_choices("", damaged + "\n").size(), 0u) << damaged;
    }
    EXPECT_EQ(stored_choices("", "4 2 3 5 17 nbx").size(), 0u) << "a line that is being written";
}

TEST(stored_choices, a_file_that_cannot_be_written_is_left_alone) {
    stored_choices("", "").store(small_load, protocol::pex);
    stored_choices("no/such/folder/machine.toml.choices", "").store(small_load, protocol::pex);
    EXPECT_FALSE(std::filesystem::exists("no"));
}

TEST(stored_choices, they_lie_beside_the_model_and_without_one_there_are_none) {
    EXPECT_EQ(weft::choices_file_path("a/machine.toml"), "a/machine.toml.choices");
    weft::communicator const comm = world().with({.machine = "none"});
    EXPECT_EQ(weft::choices_of(comm).size(), 0u);
}
