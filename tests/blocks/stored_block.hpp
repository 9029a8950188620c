/// Blocks that can be encoded, and a walk over them with a known result. Private.
#pragma once

#include "block_rig.hpp"

#include <harness/mpi_test.hpp>

#include <weft/blocks/block_set.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace weft_test {

struct stored_block {
    std::int64_t id = 0;
    std::vector<double> data = {};

    static void wire(auto& archive, auto& self) { archive(self.id, self.data); }
};

/// Makes data of different lengths; some blocks have none.
inline stored_block make_stored(weft::block_id id) {
    auto const length = static_cast<std::size_t>(index_of(id) * 37 % 50);
    return {index_of(id), std::vector<double>(length, static_cast<double>(index_of(id)))};
}

/// Returns a folder that ranks can write.
inline std::string scratch_folder() {
    return std::filesystem::temp_directory_path().string();
}

/// Calls `body(setting, options)` with all blocks in memory, and with as many blocks in memory as threads.
template <class Body>
void for_memories(Body&& body) {
    for_settings([&](setting const& with) {
        for (std::int64_t const in_memory : {0, with.threads})
            body(with,
                weft::block_options{
                    .threads = with.threads, .blocks_in_memory = in_memory, .directory = scratch_folder()});
    });
}

/// Each block starts a token that makes as many steps around the ring as there are blocks; each block that it
/// reaches appends the token to its data.
inline void walk(weft::block_set<stored_block>& blocks, std::int64_t count, bool asynchronous) {
    struct token {
        std::int64_t from;
        std::int64_t steps;
    };
    auto const next = [count](std::int64_t id) { return weft::block_id{(id + 1) % count}; };
    auto const go = [&](stored_block& self, weft::block_port<token>& port) {
        for (token each : port.received()) {
            self.data.push_back(static_cast<double>(each.from));
            if (--each.steps > 0) port.send(next(self.id), each);
        }
    };
    blocks.for_each_port<token>([&](stored_block& self, weft::block_port<token>& port) {
        self.data.clear();
        port.send(next(self.id), {self.id, count});
    });
    if (asynchronous)
        blocks.iexchange<token>(go);
    else
        while (blocks.exchange<token>(go) > 0) {}
}

/// Checks that each block has seen each token.
inline void expect_walked(weft::block_set<stored_block>& blocks, std::int64_t count) {
    blocks.for_each([&](stored_block const& self, weft::block_id id) {
        EXPECT_EQ(self.id, index_of(id));
        std::vector<double> seen = self.data;
        std::sort(seen.begin(), seen.end());
        ASSERT_EQ(seen.size(), static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], static_cast<double>(i));
    });
}

} // namespace weft_test
