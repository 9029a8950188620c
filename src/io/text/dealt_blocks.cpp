#include "block_source.hpp"

#include <weft/exchange/exchange.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <span>
#include <utility>

namespace weft::io {

namespace {

/// The trailer of the text of a block; it is also the padding that parsers need.
struct trailer {
    std::int64_t offset;
    std::int64_t bytes_done;
};
static_assert(sizeof(trailer) >= text_padding);

class dealt_blocks final : public block_source {
public:
    dealt_blocks(communicator const& comm, std::unique_ptr<line_chunks> lines, std::int64_t file_bytes,
        std::int64_t block_bytes)
        : comm_(comm), lines_(std::move(lines)), file_bytes_(file_bytes), block_bytes_(block_bytes) {}

    void begin_round() override {
        outbox<char> out{comm_};
        if (lines_) deal(out);
        received_ = exchange(std::move(out));
        fresh_ = !received_.empty();
    }

    text_block next() override {
        if (!std::exchange(fresh_, false)) {
            if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
            return {};
        }
        std::span<char const> const message = received_[0].items;
        std::size_t const text_bytes = message.size() - sizeof(trailer);
        trailer behind;
        std::memcpy(&behind, message.data() + text_bytes, sizeof behind);
        bytes_done_ = behind.bytes_done;
        return {{message.data(), text_bytes}, behind.offset};
    }

    bool more() const noexcept override { return lines_ != nullptr; }
    std::int64_t bytes_done() const noexcept override { return bytes_done_; }
    std::int64_t bytes_total() const noexcept override { return file_bytes_; }

private:
    /// A block for every rank, as long as there are lines. An error waits in `failure_` until this rank has
    /// parsed its own block of the round, so that a bad line before it is found first.
    void deal(outbox<char>& out) {
        try {
            for (int rank = 0; rank < comm_.size(); ++rank) {
                trailer behind{lines_->offset(), 0};
                std::string_view const text = lines_->next_lines(static_cast<std::size_t>(block_bytes_));
                if (text.empty()) {
                    lines_.reset();
                    return;
                }
                behind.bytes_done = lines_->consumed();
                auto message = out[rank];
                message.reserve(text.size() + sizeof behind);
                message.append(text);
                message.append({reinterpret_cast<char const*>(&behind), sizeof behind});
            }
        } catch (...) {
            failure_ = std::current_exception();
            lines_.reset();
        }
    }

    communicator comm_;
    std::unique_ptr<line_chunks> lines_; // on rank 0, until the end
    std::int64_t file_bytes_;
    std::int64_t block_bytes_;
    inbox<char> received_;
    bool fresh_ = false;
    std::exception_ptr failure_;
    std::int64_t bytes_done_ = 0;
};

} // namespace

std::unique_ptr<block_source> open_dealt(communicator const& comm, std::unique_ptr<line_chunks> lines,
    graph_header const& header, std::int64_t block_bytes) {
    // Rank 0 holds a block for every rank at a time.
    constexpr std::int64_t all_blocks = std::int64_t{256} << 20;
    constexpr std::int64_t least_block = std::int64_t{64} << 10;
    std::int64_t const bytes = std::min(block_bytes, std::max(all_blocks / comm.size(), least_block));
    return std::make_unique<dealt_blocks>(comm, std::move(lines), header.file_bytes, bytes);
}

} // namespace weft::io
