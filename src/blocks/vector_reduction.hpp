/// Vectors of integers combined over all ranks.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/protocol/engine.hpp>
#include <weft/transport/transport.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

enum class reduction : std::uint8_t { sum, max };

/// Word i becomes the combination of the words i of all ranks: up a binomial tree to rank 0, and down again.
class vector_reduction final : public engine {
public:
    /// The words and the transport must outlive the engine; all ranks have as many words, at least one.
    vector_reduction(transport& via, int tag, std::span<std::int64_t> words, reduction how);

    [[nodiscard]] progress step() override;
    /// Messages that this rank has sent.
    [[nodiscard]] int messages() const noexcept { return static_cast<int>(sent_.size()); }

private:
    enum class phase : std::uint8_t { up, down, sending };

    [[nodiscard]] bool climb();
    void combine();
    void send_to(int destination);

    transport& via_;
    int tag_;
    std::span<std::int64_t> words_;
    reduction how_;
    phase phase_ = phase::up;
    int distance_ = 1; // to the child whose words come next; in the end to the parent
    request receive_ = {};
    bool receiving_ = false;
    std::vector<std::int64_t> incoming_;
    std::vector<request> sent_;
};

/// Collective: yes. Blocks: until the words are combined. Cost: 2 (P - 1) messages in all, 2 ceil(log2 P)
/// deep. Throws: `mpi_error`.
void reduce_words(communicator const& comm, std::span<std::int64_t> words, reduction how);

} // namespace weft
