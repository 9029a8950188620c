/// Blocks that were written come back, on any number of ranks, or an error says why not.
#include <weft/detail/blocks/saved_blocks.hpp>

#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"
#include "stored_block.hpp"

#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

using weft::block_id;
using weft::block_options;
using weft::block_port;
using weft::block_set;
using weft::communicator;
using weft::index_of;
using weft_test::cut_into;
using weft_test::for_memories;
using weft_test::setting;
using weft_test::stored_block;

namespace {

/// A path of this job, and its end.
class saved_path {
public:
    saved_path()
        : path_(weft_test::scratch_folder() + "/weft-saved-" +
                std::to_string(
                    weft::max(weft_test::world(), weft_test::rank() == 0 ? std::int64_t{::getpid()} : 0))) {}
    saved_path(saved_path const&) = delete;
    saved_path& operator=(saved_path const&) = delete;
    ~saved_path() {
        if (weft_test::rank() == 0) std::filesystem::remove(path_);
    }
    [[nodiscard]] std::string const& text() const { return path_; }

private:
    std::string path_;
};

void say_to_next(block_set<stored_block>& blocks, std::int64_t what) {
    blocks.for_each_port<std::int64_t>([&](stored_block& self, block_port<std::int64_t>& port) {
        port.send(block_id{(self.id + 1) % blocks.where().blocks()}, 10 * self.id + what);
    });
}

void expect_said_and_whole(block_set<stored_block>& blocks, cut_into const& cut) {
    std::int64_t const count = blocks.where().blocks();
    blocks.exchange();
    blocks.for_each_port<std::int64_t>([&](stored_block& self, block_port<std::int64_t>& port) {
        EXPECT_EQ(self.id, index_of(port.id()));
        EXPECT_EQ(self.data, weft_test::make_stored(port.id()).data);
        EXPECT_EQ(port.link(), weft::link(cut.link_of(port.id())));
        std::int64_t const from = (self.id + count - 1) % count;
        std::vector<std::int64_t> got;
        for (std::int64_t const each : port.received()) got.push_back(each);
        EXPECT_EQ(got, (std::vector<std::int64_t>{10 * from, 10 * from + 1}));
    });
    blocks.exchange();
}

/// Blocks on `comm` with one message each not taken and one not sent.
void save_said(communicator const& comm, cut_into const& cut, std::string const& path) {
    block_set<stored_block> blocks(comm, cut, weft_test::make_stored);
    say_to_next(blocks, 0);
    blocks.exchange();
    say_to_next(blocks, 1);
    blocks.save(path);
}

std::string complaint_of_load(std::string const& path) {
    try {
        block_set<stored_block> const blocks = block_set<stored_block>::load(weft_test::world(), path);
    } catch (weft::io_error const& thrown) { return thrown.what(); }
    return "nothing";
}

/// Changes a byte of a file, or cuts it off there.
void damage(std::string const& path, std::int64_t at, bool cut_off) {
    (void)weft::max(weft_test::world(), 0); // nobody reads it any more
    if (weft_test::rank() == 0) {
        if (cut_off) {
            std::filesystem::resize_file(path, static_cast<std::uintmax_t>(at));
        } else {
            std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
            file.seekg(at);
            char const now = static_cast<char>(file.get() ^ 0x20);
            file.seekp(at);
            file.put(now);
        }
    }
    (void)weft::max(weft_test::world(), 0);
}

} // namespace

TEST(saved_blocks, nothing_is_lost_in_a_file) {
    saved_path const path;
    for_memories([&](setting const& with, block_options const& options) {
        cut_into const cut = cut_into::random_graph(with.blocks, 2 * with.blocks, 3);
        {
            block_set<stored_block> blocks(
                weft_test::world(), cut, with.where(), weft_test::make_stored, options);
            say_to_next(blocks, 0);
            blocks.exchange();
            say_to_next(blocks, 1);
            blocks.save(path.text());
            expect_said_and_whole(blocks, cut); // saving changes nothing
        }
        block_set<stored_block> blocks =
            block_set<stored_block>::load(weft_test::world(), path.text(), options);
        EXPECT_EQ(blocks.where(), weft::assignment::contiguous(with.blocks, weft_test::size()));
        expect_said_and_whole(blocks, cut);
        weft_test::walk(blocks, with.blocks, true);
        weft_test::expect_walked(blocks, with.blocks);
    });
}

// Field-notes section 3, case 10.
TEST(saved_blocks, what_some_ranks_have_written_others_read) {
    saved_path const path;
    cut_into const cut = cut_into::ring(13);
    int const few = (weft_test::size() + 1) / 2;
    communicator const part = weft_test::world().split(weft_test::rank() < few ? 0 : 1);
    save_said(weft_test::world(), cut, path.text());
    if (weft_test::rank() < few) {
        block_set<stored_block> blocks = block_set<stored_block>::load(part, path.text());
        expect_said_and_whole(blocks, cut);
    }
    (void)weft::max(weft_test::world(), 0); // all have read it
    if (weft_test::rank() < few) save_said(part, cut, path.text());
    (void)weft::max(weft_test::world(), 0); // it is written
    block_set<stored_block> blocks = block_set<stored_block>::load(weft_test::world(), path.text());
    expect_said_and_whole(blocks, cut);
}

TEST(saved_blocks, no_blocks_are_a_file_too) {
    saved_path const path;
    block_set<stored_block> none(weft_test::world(), cut_into::chain(0), weft_test::make_stored);
    none.save(path.text());
    EXPECT_EQ(block_set<stored_block>::load(weft_test::world(), path.text()).where().blocks(), 0);
}

TEST(saved_blocks, files_that_cannot_be_read_say_why_on_all_ranks) {
    saved_path const path;
    auto const expect_complaint = [&](std::string const& cause) {
        std::string const said = complaint_of_load(path.text());
        EXPECT_EQ(said.rfind(path.text(), 0), 0U) << said;
        EXPECT_NE(said.find(cause), std::string::npos) << said;
    };
    expect_complaint("No such file or directory");
    cut_into const cut = cut_into::ring(6);
    std::int64_t const table = 64;
    std::int64_t const records = table + 6 * 24;
    struct change {
        std::int64_t at;
        bool cut_off;
        char const* cause;
    };
    for (change const& each : {change{2, false, "no file of blocks"}, change{8, false, "of version"},
             change{12, false, "byte order"}, change{16, false, "its head is damaged"},
             change{table + 24, false, "its table is damaged"}, change{records + 20, false, "checksum"},
             change{records + 100, true, "bytes, but has"}, change{10, true, "it ends at byte 10"}}) {
        save_said(weft_test::world(), cut, path.text());
        damage(path.text(), each.at, each.cut_off);
        expect_complaint(each.cause);
    }
    // Each byte of a block is covered.
    save_said(weft_test::world(), cut, path.text());
    std::int64_t const end =
        weft::max(weft_test::world(), static_cast<std::int64_t>(std::filesystem::file_size(path.text())));
    for (std::int64_t at = records; at < end; at += 97) {
        damage(path.text(), at, false);
        expect_complaint("checksum does not fit");
        damage(path.text(), at, false);
    }
    block_set<stored_block> blocks = block_set<stored_block>::load(weft_test::world(), path.text());
    expect_said_and_whole(blocks, cut);
}

TEST(saved_blocks, files_that_cannot_be_written_leave_what_was_there) {
    saved_path const path;
    cut_into const cut = cut_into::ring(6);
    save_said(weft_test::world(), cut, path.text());
    block_set<stored_block> blocks(weft_test::world(), cut, weft_test::make_stored);
    EXPECT_THROW(blocks.save("/no/such/place/blocks"), weft::io_error);
    EXPECT_THROW(
        blocks.save(weft_test::scratch_folder()), weft::io_error); // a folder; no file left beside it
    block_set<stored_block> again = block_set<stored_block>::load(weft_test::world(), path.text());
    expect_said_and_whole(again, cut);
}
