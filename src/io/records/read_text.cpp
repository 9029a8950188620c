#include <weft/io/read_text.hpp>

#include "io/records/record_ends.hpp"
#include "io/records/text_files.hpp"
#include "io/text/file_range.hpp"
#include "io/text/line_chunks.hpp"

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/core/even_shares.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>

namespace weft {

namespace {

using namespace io;

constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

/// The trailer of a block that is dealt out; it is also the padding that texts need.
struct dealt_place {
    std::int64_t file;
    std::int64_t offset;
};
static_assert(sizeof(dealt_place) >= text_padding);

/// A fault, where it is known which file it is in.
struct placed_fault {
    std::size_t file;
    std::int64_t offset;
    std::string complaint;
};

/// Reads all files. All ranks go through the same steps; what goes wrong on one waits for the next agreement.
class text_reader {
public:
    text_reader(gate& call, std::vector<text_file> files, std::function<void(text_part const&)> const& body,
        text_options const& options)
        : call_(call),
          comm_(call.comm()),
          files_(std::move(files)),
          body_(body),
          options_(options),
          kind_(options.quoted  ? record_kind::quoted
                : options.fastq ? record_kind::read
                                : record_kind::line) {
        for (std::size_t i = 0; i < files_.size(); ++i)
            if (files_[i].packed != packing::plain) packed_.push_back(i);
    }

    void read() {
        std::vector<file_share> const mine = my_records();
        bool const dealt = std::ssize(packed_) < comm_.size();
        for (file_share const& each : mine) total_ += each.end - each.begin;
        for (std::size_t i = 0; i < packed_.size(); ++i)
            if (dealt || is_mine(i)) total_ += files_[packed_[i]].bytes;

        attempt([&] {
            for (file_share const& each : mine) read_share(each);
            for (std::size_t i = 0; !dealt && i < packed_.size(); ++i)
                if (is_mine(i)) read_packed(packed_[i]);
        });
        bool is_unpacking = dealt && comm_.rank() < std::ssize(packed_);
        for (bool more = agree(is_unpacking); more; more = agree(is_unpacking))
            is_unpacking = deal_round(is_unpacking);
    }

private:
    [[nodiscard]] bool is_mine(std::size_t packed) const noexcept {
        return static_cast<int>(packed % static_cast<std::size_t>(comm_.size())) == comm_.rank();
    }

    /// This rank's share of the plain files, which begins and ends where records do.
    std::vector<file_share> my_records() {
        std::int64_t plain = 0;
        for (text_file const& each : files_)
            if (each.packed == packing::plain) plain += each.bytes;
        weft::detail::even_shares const parts(plain, comm_.size());
        std::int64_t const first = parts.begin(comm_.rank());
        std::vector<file_share> mine;
        std::int64_t quotes = 0; // of the last file, where another rank has the rest of it
        call_.guard([&] {
            mine = plain_share(files_, first, first + parts.size(comm_.rank()));
            if (options_.quoted && !mine.empty() && is_cut(mine.back()))
                quotes = count_quotes(open(mine.back().file), mine.back().begin, mine.back().end);
        });
        call_.agree();
        // The quotes before this rank's share of its first file tell if that begins inside a field.
        std::int64_t before = 0;
        if (options_.quoted) {
            auto const of_ranks = all_gather(comm_, quotes);
            auto const of_files = all_gather(comm_, mine.empty() || !is_cut(mine.back())
                                                        ? std::int64_t{-1}
                                                        : static_cast<std::int64_t>(mine.back().file));
            for (std::size_t rank = 0; !mine.empty() && rank < static_cast<std::size_t>(comm_.rank()); ++rank)
                if (of_files[rank] == static_cast<std::int64_t>(mine.front().file)) before += of_ranks[rank];
        }
        attempt([&] {
            if (mine.empty()) return;
            bool const is_one = mine.size() == 1;
            file_share& last = mine.back();
            if (is_cut(last)) last.end = record_start(last.file, last.end, quotes + (is_one ? before : 0));
            file_share& front = mine.front();
            front.begin = std::min(record_start(front.file, front.begin, before), front.end);
        });
        return failure_ ? std::vector<file_share>() : mine;
    }
    [[nodiscard]] bool is_cut(file_share const& share) const noexcept {
        return share.end < files_[share.file].bytes;
    }
    [[nodiscard]] file_handle open(std::size_t file) const {
        return file_handle::open_to_read(files_[file].path);
    }
    /// Bytes that a writer appends meanwhile belong to nobody.
    [[nodiscard]] std::int64_t record_start(std::size_t file, std::int64_t from, std::int64_t quotes) const {
        return std::min(record_start_behind(open(file), from, kind_, quotes % 2 != 0), files_[file].bytes);
    }

    void read_share(file_share const& share) {
        auto const block = static_cast<std::size_t>(std::min(options_.block_bytes, share.end - share.begin));
        if (block == 0) return;
        line_chunks lines(open_range(open(share.file), share.begin, share.end), share.begin);
        std::int64_t const done_before = done_;
        while (give_next(lines, share.file, block))
            tell(done_before + std::min(lines.offset(), share.end) - share.begin);
    }
    void read_packed(std::size_t file) {
        line_chunks lines(open_stream(open(file), files_[file].packed));
        std::int64_t const done_before = done_;
        while (give_next(lines, file, static_cast<std::size_t>(options_.block_bytes)))
            tell(done_before + lines.consumed());
    }
    bool give_next(line_chunks& lines, std::size_t file, std::size_t bytes) {
        std::int64_t const offset = lines.offset();
        std::string_view const text = next_records(lines, bytes, kind_);
        if (!text.empty()) give({text, file, offset});
        return !text.empty();
    }
    void give(text_part const& part) {
        try {
            body_(part);
        } catch (text_fault const& wrong) {
            bool const is_inside =
                wrong.at >= part.text.data() && wrong.at <= part.text.data() + part.text.size();
            bad_ = {part.file, part.offset + (is_inside ? wrong.at - part.text.data() : 0), wrong.complaint};
            throw;
        }
    }
    void tell(std::int64_t done) {
        done_ = done;
        if (options_.progress) options_.progress(std::min(done_, total_), total_);
    }

    /// Keeps what goes wrong.
    template <class Step>
    void attempt(Step&& step) {
        if (bad_ || failure_) return;
        try {
            step();
        } catch (text_fault const&) {
        } catch (...) { failure_ = std::current_exception(); }
    }

    /// Deals a block of each file that is being unpacked to every rank. True while this rank has more.
    bool deal_round(bool is_unpacking) {
        outbox<char> out{comm_};
        std::exception_ptr stopped; // waits until the blocks before it are read
        if (is_unpacking) {
            try {
                is_unpacking = deal(out);
            } catch (...) {
                stopped = std::current_exception();
                is_unpacking = false;
            }
        }
        inbox<char> const received = exchange(std::move(out));
        attempt([&] {
            for (auto const& [source, message] : received) {
                std::size_t const bytes = message.size() - sizeof(dealt_place);
                dealt_place place{};
                std::memcpy(&place, message.data() + bytes, sizeof place);
                give({{message.data(), bytes}, static_cast<std::size_t>(place.file), place.offset});
            }
            if (unpacked_) tell(done_of_packed_ + unpacked_->consumed());
        });
        if (stopped && !failure_) failure_ = stopped;
        return is_unpacking;
    }
    bool deal(outbox<char>& out) {
        constexpr std::int64_t all_blocks = std::int64_t{256} << 20;
        constexpr std::int64_t least_block = std::int64_t{64} << 10;
        std::size_t const file = packed_[static_cast<std::size_t>(comm_.rank())];
        if (!unpacked_) {
            done_of_packed_ = done_;
            unpacked_ = std::make_unique<line_chunks>(open_stream(open(file), files_[file].packed));
        }
        auto const bytes = static_cast<std::size_t>(
            std::min(options_.block_bytes, std::max(all_blocks / comm_.size(), least_block)));
        for (int rank = 0; rank < comm_.size(); ++rank) {
            dealt_place const place{static_cast<std::int64_t>(file), unpacked_->offset()};
            std::string_view const text = next_records(*unpacked_, bytes, kind_);
            if (text.empty()) return false;
            auto message = out[rank];
            message.reserve(text.size() + sizeof place);
            message.append(text);
            message.append({reinterpret_cast<char const*>(&place), sizeof place});
        }
        return true;
    }

    /// True if a rank has more. Throws, on all ranks, the first fault, or else a failure.
    bool agree(bool more) {
        census_value mine = census_value::identity();
        mine.sum[0] = more ? 1 : 0;
        mine.sum[1] = bad_ || failure_ ? 1 : 0;
        census_value const all = call_.agree(mine);
        if (all.sum[1] == 0) return all.sum[0] != 0;
        std::int64_t const file = min(comm_, bad_ ? static_cast<std::int64_t>(bad_->file) : nowhere);
        bool const here = bad_ && static_cast<std::int64_t>(bad_->file) == file;
        std::int64_t const offset = min(comm_, here ? bad_->offset : nowhere);
        agreed(call_, [&] {
            if (here && bad_->offset == offset)
                throw io_error(place_in_file(files_[bad_->file], offset) + bad_->complaint);
            if (failure_ && file == nowhere) std::rethrow_exception(failure_);
        });
        return false;
    }

    gate& call_;
    communicator const& comm_;
    std::vector<text_file> files_;
    std::function<void(text_part const&)> const& body_;
    text_options const& options_;
    record_kind kind_;
    std::vector<std::size_t> packed_;
    std::optional<placed_fault> bad_;
    std::exception_ptr failure_;
    std::int64_t done_ = 0;
    std::int64_t total_ = 0;
    std::unique_ptr<line_chunks> unpacked_; // of the file that this rank deals out
    std::int64_t done_of_packed_ = 0;
};

} // namespace

text_totals read_text(communicator const& comm, std::vector<std::string> const& files,
    std::function<void(text_part const&)> const& body, text_options const& options) try {
    gate call(comm, "read_text");
    std::string names;
    call.guard([&] {
        for (std::string const& each : files) names.append(each) += '\n';
    });
    call.same("the files", names).same("quoted", options.quoted).same("fastq", options.fastq);
    std::vector<text_file> listed;
    agreed(call, [&] {
        if (files.empty()) throw usage_error("read_text: expected files, found none");
        if (options.quoted && options.fastq)
            throw usage_error("read_text: expected records that are quoted or of FASTQ, found both");
        if (options.block_bytes < 1)
            throw usage_error("read_text: expected block_bytes of at least 1, found " +
                              std::to_string(options.block_bytes));
        if (comm.rank() == 0) listed = list_text_files(files);
    });
    listed = broadcast(call, std::move(listed));
    text_totals totals;
    call.guard([&] {
        for (text_file const& each : listed) {
            totals.files.push_back(each.path);
            totals.bytes += each.bytes;
            totals.in_order = totals.in_order && each.packed == packing::plain;
        }
    });
    call.agree();
    text_reader(call, std::move(listed), body, options).read();
    return totals;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("read_text");
    throw;
}

} // namespace weft
