#include "block_source.hpp"

#include "file_range.hpp"

#include <weft/frames/uniform_distribution.hpp>

#include <algorithm>

namespace weft::io {

namespace {

class own_range final : public block_source {
public:
    own_range(file_handle file, std::int64_t begin, std::int64_t end, std::int64_t block_bytes)
        : begin_(begin),
          end_(end),
          block_bytes_(static_cast<std::size_t>(std::min(block_bytes, end - begin))),
          lines_(open_range(std::move(file), begin, end), begin) {}

    void begin_round() override {}

    text_block next() override {
        std::int64_t const offset = lines_.offset();
        return {lines_.next_lines(block_bytes_), offset};
    }

    bool more() const noexcept override { return false; }

    // The newline that is supplied to a last line without one is not in the file.
    std::int64_t bytes_done() const noexcept override {
        return std::min(lines_.offset() - begin_, bytes_total());
    }
    std::int64_t bytes_total() const noexcept override { return end_ - begin_; }

private:
    std::int64_t begin_;
    std::int64_t end_;
    std::size_t block_bytes_;
    line_chunks lines_;
};

} // namespace

std::unique_ptr<block_source> open_own_range(communicator const& comm, std::filesystem::path const& file,
    graph_header const& header, std::int64_t block_bytes) {
    file_handle opened = file_handle::open_to_read(file);
    uniform_distribution const shares(header.file_bytes - header.body, comm.size());
    // All ranks go by the size that rank 0 saw: what a writer appends meanwhile belongs to nobody.
    auto const line_start = [&](int rank) {
        std::int64_t const position = header.body + shares.begin(rank);
        return std::min(line_start_from(opened, header.body, position), header.file_bytes);
    };
    std::int64_t const begin = line_start(comm.rank());
    std::int64_t const end = line_start(comm.rank() + 1);
    return std::make_unique<own_range>(std::move(opened), begin, end, block_bytes);
}

} // namespace weft::io
