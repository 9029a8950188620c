#include <blocks/packed_runs.hpp>

#include <harness/mpi_test.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace weft;
using namespace weft::detail;

namespace {

constexpr int ranks = 3;
constexpr std::int64_t blocks = 8;

/// The blocks of three ranks in one place, each linked to the two beside it.
std::vector<local_blocks> blocks_of_all(assignment const& where) {
    std::vector<local_blocks> all;
    for (int rank = 0; rank < ranks; ++rank) {
        std::vector<weft::link> links;
        for (std::int64_t place = 0; place < where.blocks_of(rank); ++place) {
            std::int64_t const id = index_of(where.block_at(rank, place));
            links.emplace_back(
                std::vector{block_id{(id + 1) % blocks}, block_id{(id + blocks - 1) % blocks}});
        }
        all.emplace_back(where, rank, std::move(links));
    }
    return all;
}

std::vector<assignment> assignments() {
    return {assignment::contiguous(blocks, ranks), assignment::round_robin(blocks, ranks),
        assignment::by_table({2, 2, 0, 2, 0, 0, 2, 2}, ranks)};
}

using run_text = std::tuple<std::int64_t, item_kind, std::string>; // sender, type, items

std::vector<run_text> texts_in(run_list const& runs) {
    std::vector<run_text> all;
    for (block_run const& run : runs.runs()) {
        all.emplace_back(index_of(run.peer), run.kind,
            std::string(reinterpret_cast<char const*>(run.items.data()), run.items.size()));
    }
    return all;
}

/// One round: all messages packed, in a copy that starts at a multiple of 16 as received ones do, and
/// unpacked.
void send_all(std::vector<local_blocks>& local, std::vector<packed_runs>& packers) {
    std::vector<message_list> mail(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        auto const r = static_cast<std::size_t>(rank);
        packers[r].pack(local[r]);
        for (message& each : packers[r].take_messages(local[r]))
            mail[static_cast<std::size_t>(each.peer)].push_back({rank, std::move(each.data)});
    }
    for (std::size_t rank = 0; rank < mail.size(); ++rank)
        for (message& each : mail[rank]) packed_runs::unpack(local[rank], std::move(each));
}

TEST(packed_runs, what_blocks_send_arrives_once_in_order) {
    for (assignment const& where : assignments()) {
        std::mt19937 random(7);
        std::vector<local_blocks> local = blocks_of_all(where);
        std::vector<packed_runs> packers(ranks);
        for (int round = 0; round < 5; ++round) {
            std::vector<std::vector<run_text>> wanted(blocks);
            for (local_blocks& each : local)
                for (block_queues& queues : each.all())
                    for (int i = 0; i < 40; ++i) {
                        std::int64_t const to = static_cast<std::int64_t>(random() % blocks);
                        std::size_t const sizes[] = {1, 3, 8, 9, 100, 4095, 4096, 9001};
                        std::string const text(sizes[random() % 8], static_cast<char>('a' + random() % 26));
                        item_kind const kind = 1 + random() % 2;
                        queues.out.add(block_id{to}, kind, std::as_bytes(std::span(text)));
                        wanted[static_cast<std::size_t>(to)].emplace_back(index_of(queues.id), kind, text);
                    }
            send_all(local, packers);
            for (local_blocks& each : local)
                for (block_queues& queues : each.all()) {
                    EXPECT_TRUE(queues.out.empty());
                    std::vector<run_text> found = texts_in(queues.pending);
                    std::vector<run_text>& expected = wanted[static_cast<std::size_t>(index_of(queues.id))];
                    auto const by_sender = [](run_text const& a, run_text const& b) {
                        return std::get<0>(a) < std::get<0>(b);
                    };
                    std::stable_sort(found.begin(), found.end(), by_sender);
                    std::stable_sort(expected.begin(), expected.end(), by_sender);
                    EXPECT_EQ(found, expected);
                    queues.pending.clear();
                }
        }
    }
}

/// Sends random messages of the same numbers, whatever the blocks' way; returns how many.
std::int64_t send_random(std::vector<local_blocks>& local, std::mt19937 random) {
    std::int64_t messages = 0;
    std::uint64_t next = 0;
    for (local_blocks& each : local)
        for (block_queues& queues : each.all()) {
            block_port<std::uint64_t> port(queues);
            std::int64_t last = -1; // a message to it can go on
            for (int i = 0; i < 30; ++i) {
                // Its neighbours in order, any, and the same again.
                auto to = static_cast<std::int64_t>(random() % blocks);
                if (i < 2) to = index_of(queues.neighbors[static_cast<std::size_t>(i)]);
                if (i > 2 && last >= 0 && random() % 3 == 0) to = last;
                std::size_t const counts[] = {1, 1, 2, 3, 500, 511, 512, 700};
                std::vector<std::uint64_t> items(counts[random() % 8]);
                for (std::uint64_t& item : items) item = ++next;
                bool const gives = random() % 8 == 0;
                bool const whole = gives || items.size() * sizeof(std::uint64_t) >= run_list::blob_bytes;
                if (whole || to != last) ++messages;
                last = whole ? -1 : to;
                if (gives)
                    port.give(block_id{to}, std::move(items));
                else if (items.size() == 1)
                    port.send(block_id{to}, items.front());
                else
                    port.send(block_id{to}, items);
            }
        }
    return messages;
}

TEST(packed_runs, what_goes_directly_is_what_goes_by_lists) {
    for (assignment const& where : assignments())
        for (unsigned seed = 0; seed < 20; ++seed) {
            std::vector<std::map<std::pair<std::int64_t, std::int64_t>, std::string>> found(2);
            for (bool const direct : {false, true}) {
                std::vector<local_blocks> local = blocks_of_all(where);
                std::vector<packed_runs> packers(ranks);
                std::vector<direct_delivery> ways(ranks);
                for (std::size_t rank = 0; direct && rank < local.size(); ++rank) {
                    ways[rank] = {local[rank].all().data(), packers[rank].messages_to_partners(local[rank])};
                    for (block_queues& queues : local[rank].all()) queues.direct = &ways[rank];
                }
                std::int64_t const messages = send_random(local, std::mt19937(seed));
                send_all(local, packers);
                std::int64_t sent = 0;
                for (local_blocks& each : local)
                    for (block_queues& queues : each.all()) {
                        sent += queues.sent;
                        for (auto const& [sender, kind, text] : texts_in(queues.pending))
                            found[direct ? 1 : 0][{index_of(queues.id), sender}] += text;
                    }
                EXPECT_EQ(sent, messages);
            }
            ASSERT_EQ(found[0], found[1]) << "seed " << seed;
        }
}

TEST(packed_runs, a_small_run_takes_four_bytes_more_than_its_items) {
    std::vector<local_blocks> local = blocks_of_all(assignment::contiguous(blocks, ranks));
    packed_runs packer;
    std::uint64_t const item = 5;
    // Blocks 0, 1 and 2 are of rank 0; blocks 3 and 7, its neighbours, of ranks 1 and 2.
    for (int i = 0; i < 3; ++i) local[0].at(2).out.add(block_id{3}, 1, std::as_bytes(std::span(&item, 1)));
    local[0].at(0).out.add(block_id{7}, 1, std::as_bytes(std::span(&item, 1)));
    packer.pack(local[0]);
    std::vector<buffer> const messages = packer.take_by_partner();
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0].size(), 12U + 3 * 12);
    EXPECT_EQ(messages[1].size(), 12U + 12);
    EXPECT_TRUE(packer.take_messages(local[0]).empty());
}

TEST(packed_runs, runs_to_strangers_are_told_and_go_nowhere) {
    std::vector<local_blocks> local = blocks_of_all(assignment::contiguous(blocks, ranks));
    packed_runs packer;
    std::byte const item{1};
    for (std::int64_t const to : {1, 5, 0}) local[0].at(1).out.add(block_id{to}, 1, std::span(&item, 1));
    std::vector<packed_runs::stranger> strangers;
    packer.pack(local[0], &strangers);
    ASSERT_EQ(strangers.size(), 2U); // to itself and to 5: not linked
    EXPECT_EQ(strangers[0].place, 1U);
    EXPECT_EQ(strangers[0].peer, block_id{1});
    EXPECT_EQ(strangers[1].peer, block_id{5});
    EXPECT_EQ(texts_in(local[0].at(0).pending).size(), 1U);
    EXPECT_TRUE(packer.take_messages(local[0]).empty());
}

TEST(packed_runs, a_message_that_is_broken_is_an_error_wherever) {
    std::vector<local_blocks> local = blocks_of_all(assignment::contiguous(blocks, ranks));
    packed_runs packer;
    for (std::size_t const size : {std::size_t{8}, std::size_t{5}, std::size_t{5000}}) {
        std::string const text(size, 'x');
        local[0].at(2).out.add(block_id{3}, 1, std::as_bytes(std::span(text)));
    }
    packer.pack(local[0]);
    message_list const made = packer.take_messages(local[0]);
    ASSERT_EQ(made.size(), 1U);
    auto const unpack = [&](std::size_t bytes, std::size_t at, std::uint32_t word, int from = 0) {
        message copy{from, {}};
        copy.data.append(made[0].data.data(), bytes);
        if (at < bytes) std::memcpy(copy.data.data() + at, &word, sizeof word);
        packed_runs::unpack(local[1], std::move(copy));
    };
    std::size_t const all = made[0].data.size();
    EXPECT_NO_THROW(unpack(all, SIZE_MAX, 0));
    for (std::size_t const bytes : {all - 1, all - 5000, std::size_t{40}, std::size_t{30}, std::size_t{20},
             std::size_t{13}, std::size_t{11}, std::size_t{3}})
        EXPECT_THROW(unpack(bytes, SIZE_MAX, 0), wire_error) << bytes;
    EXPECT_THROW(unpack(all, 8, 3), wire_error);             // a sender that rank 0 does not have
    EXPECT_THROW(unpack(all, 12, 3U << 12 | 8), wire_error); // a receiver that rank 1 does not have
    EXPECT_THROW(unpack(all, 0, 0U << 12 | 8), wire_error);  // a run before there is a sender
    EXPECT_THROW(unpack(all, 44, UINT32_MAX), wire_error);   // a long run of almost 2^64 bytes
}

} // namespace
