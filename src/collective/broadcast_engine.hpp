/// Bytes of one rank on all.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Sends bytes of any number, which the others need not know, down a binomial tree, and with them the lowest
/// rank that failed in what made them.
///
/// Cost: P - 1 messages in all, ceil(log2 P) deep.
class broadcast_engine final : public engine {
public:
    /// The transport must outlive the engine.
    broadcast_engine(transport& via, int tag, int root, send_mode mode = send_mode::standard);
    /// Leaves the memory of messages under way to MPI.
    ~broadcast_engine() override;

    /// On the root alone, before the first step: appends what all shall have to `bytes()`.
    void fill(int lowest_failed) noexcept { failed_ = lowest_failed; }
    [[nodiscard]] buffer& bytes() noexcept { return data_; }

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;

    /// Only after done.
    [[nodiscard]] std::span<std::byte const> received() const noexcept {
        return data_.bytes().subspan(sizeof(std::int64_t));
    }
    /// The same bytes, without memory of their own. Once.
    [[nodiscard]] buffer take() noexcept {
        std::size_t const bytes = received().size();
        if (bytes > 0) std::memmove(data_.data(), received().data(), bytes);
        data_.resize(bytes);
        return std::move(data_);
    }
    [[nodiscard]] int lowest_failed() const noexcept { return failed_; }
    [[nodiscard]] int messages() const noexcept { return static_cast<int>(sent_.size()); }

private:
    [[nodiscard]] int rank_at(int place) const noexcept { return (place + root_) % via_.size(); }
    void forward();

    transport& via_;
    int tag_;
    int root_;
    send_mode mode_;
    int place_; // counted from the root
    buffer data_;
    int failed_ = -1;
    bool here_ = false;
    bool receiving_ = false;
    request receive_ = {};
    std::vector<request> sent_;
};

} // namespace weft
