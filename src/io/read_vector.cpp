#include <weft/io/read_vector.hpp>

#include "io/formats/body_critic.hpp"
#include "io/text/block_source.hpp"
#include "io/text/malformed.hpp"
#include "io/text/scan.hpp"

#include <protocol/gated_sums.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>

namespace weft {

namespace {

using namespace io;

/// The numbers of whole lines, and where each stands in the text.
struct numbers {
    std::vector<double> values;
    std::vector<std::int64_t> offsets;

    /// Throws: `malformed`, with the offset in the whole text.
    void parse(text_block const& block) {
        char const* at = block.text.data();
        char const* const end = at + block.text.size();
        auto const offset = [&] { return block.offset + (at - block.text.data()); };
        for (; at != end; ++at) {
            at = skip_blanks(at);
            if (*at == '\n') continue;
            if (*at == '#' || *at == '%') {
                at = next_line(at, end) - 1;
                continue;
            }
            offsets.push_back(offset());
            if (!scan_number(at, values.emplace_back()))
                throw malformed{offset(), "expected a number, found " + found_at(at)};
            at = skip_blanks(at);
            if (*at != '\n') throw malformed{offset(), "expected the end of the line, found " + found_at(at)};
        }
    }
};

struct element {
    std::int64_t index;
    double value;
};

/// Reads one file. All ranks go through the same steps; a step that may fail ends in an agreement.
class vector_reader {
public:
    vector_reader(gate& call, std::string const& file, std::int64_t count)
        : call_(call), comm_(call.comm()), file_(file), owners_(count, comm_.size()), out_(comm_) {}

    std::vector<double> read() {
        share_header();
        std::unique_ptr<block_source> source;
        agreed(call_, [&] { source = open_source(); });
        do {
            source->begin_round();
            parse_round(*source);
        } while (max(call_, source->more() ? 1 : 0) != 0);
        std::vector<double> mine;
        agreed(call_, [&] {
            if (comm_.rank() == 0 && seen_ < owners_.total())
                throw io_error(complaint_at(file_, header_.packed, INT64_MAX,
                    "expected " + number_of(owners_.total(), "number") +
                        ", found the end of the file after " + std::to_string(seen_)));
            mine.resize(static_cast<std::size_t>(owners_.size(comm_.rank())));
        });
        std::int64_t const first = owners_.begin(comm_.rank());
        for (auto const& [from, elements] : exchange(std::move(out_)))
            for (element const& each : elements)
                mine[static_cast<std::size_t>(each.index - first)] = each.value;
        return mine;
    }

private:
    /// All ranks go by the size and the packing that rank 0 saw.
    void share_header() {
        agreed(call_, [&] {
            if (comm_.rank() != 0) return;
            file_handle const opened = file_handle::open_to_read(file_);
            header_.packed = packing_of(opened);
            header_.file_bytes = opened.size();
        });
        header_ = broadcast(comm_, header_);
    }

    std::unique_ptr<block_source> open_source() const {
        constexpr std::int64_t block_bytes = std::int64_t{1} << 20;
        if (header_.packed == packing::plain) return open_own_range(comm_, file_, header_, block_bytes);
        std::unique_ptr<line_chunks> lines;
        if (comm_.rank() == 0) lines = std::make_unique<line_chunks>(open_text(file_, header_.packed));
        return open_dealt(comm_, std::move(lines), header_, block_bytes);
    }

    /// Parses a round and sends its elements on their way. Throws, on all ranks, the error of the first line
    /// that is wrong. The gate keeps what fails in the end.
    void parse_round(block_source& source) {
        numbers found;
        std::optional<malformed> bad;
        std::exception_ptr failure;
        try {
            for (text_block block = source.next(); !block.text.empty(); block = source.next())
                found.parse(block);
        } catch (malformed const& caught) { bad = caught; } catch (...) {
            failure = std::current_exception();
        }

        prefix const share = exclusive_sum(comm_, std::ssize(found.values));
        std::int64_t const begin = seen_ + share.before;
        seen_ += share.total;
        std::int64_t const room = std::max<std::int64_t>(owners_.total() - begin, 0);
        if (std::int64_t const extra = std::ssize(found.values) - room; extra > 0 && !bad && !failure)
            bad = malformed{found.offsets[static_cast<std::size_t>(room)],
                "expected the end of the file after " + number_of(owners_.total(), "number") +
                    ", found another"};
        std::int64_t const order = bad ? bad->offset : INT64_MAX;
        std::int64_t const first_bad = min(comm_, order);
        agreed(call_, [&] {
            if (bad && order == first_bad)
                throw io_error(complaint_at(file_, header_.packed, bad->offset, bad->complaint));
            if (failure && first_bad == INT64_MAX) std::rethrow_exception(failure);
        });
        call_.guard([&] {
            for (std::size_t i = 0; i < found.values.size(); ++i) {
                std::int64_t const index = begin + static_cast<std::int64_t>(i);
                out_[owners_.owner(index)].push_back({index, found.values[i]});
            }
        });
    }

    gate& call_;
    communicator const& comm_;
    std::filesystem::path file_;
    uniform_distribution owners_;
    graph_header header_;
    std::int64_t seen_ = 0; // numbers in all rounds so far, on all ranks
    outbox<element> out_;
};

} // namespace

std::vector<double> read_vector(communicator const& comm, std::string const& file, std::int64_t count) try {
    gate call(comm, "read_vector");
    call.same("the file", file).same("the number of values", count);
    agreed(call, [&] {
        if (count < 0)
            throw usage_error("read_vector: " + std::to_string(count) + " values; expected 0 or more");
    });
    return vector_reader(call, file, count).read();
} catch (std::bad_alloc const&) {
    alone_unless_agreed("read_vector");
    throw;
}

} // namespace weft
