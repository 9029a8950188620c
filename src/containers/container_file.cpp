#include <weft/detail/containers/container_file.hpp>

#include <files/file_handle.hpp>
#include <files/output_file.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/containers/xxhash.hpp>
#include <weft/detail/core/even_shares.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>

#include <array>
#include <cstring>
#include <new>
#include <string_view>

namespace weft::detail {

namespace {

constexpr std::int64_t bytes_of_piece = std::int64_t{1} << 18; // a piece fits into the cache
constexpr std::string_view container_magic = "\x89WITEMS\n";
constexpr char const* cure_by_saving = "; copy the file again, or save the container again";

struct file_head {
    static constexpr std::uint32_t own_byte_order = 0x01020304;
    static constexpr std::uint32_t newest_version = 1;

    std::array<char, 8> magic{};
    std::uint32_t byte_order = own_byte_order;
    std::uint32_t version = newest_version;
    std::int64_t records = 0;
    std::int64_t pieces = 0;
    std::int64_t kind_bytes = 0;
    std::int64_t piece_bytes = 0; // of all pieces
    std::uint64_t sum = 0;        // of the fields above and the kind
};
struct index_entry {
    std::int64_t bytes = 0;
    std::int64_t records = 0;
    std::uint64_t sum = 0;
};

std::uint64_t sum_of(file_head const& head, std::string_view kind) noexcept {
    auto const bytes = std::as_bytes(std::span(&head, 1)).first(offsetof(file_head, sum));
    return xxh64(std::as_bytes(std::span(kind)), xxh64(bytes, 0));
}
std::uint64_t sum_of(std::span<std::byte const> piece, std::int64_t records) noexcept {
    return xxh64(piece, static_cast<std::uint64_t>(records));
}

/// Counts the bytes and records of each piece, without writing.
class counting_sink final : public saved_records::sink {
public:
    explicit counting_sink(std::vector<index_entry>& index) noexcept : index_(index) {}
    std::byte* place(std::size_t bytes) override {
        if (index_.empty() || index_.back().bytes >= bytes_of_piece) index_.emplace_back();
        index_.back().bytes += static_cast<std::int64_t>(bytes);
        ++index_.back().records;
        return nullptr;
    }

private:
    std::vector<index_entry>& index_;
};

/// Writes the pieces as `counting_sink` has divided them.
class writing_sink final : public saved_records::sink {
public:
    writing_sink(file_handle const& file, std::int64_t at, std::vector<index_entry>& index) noexcept
        : file_(file), at_(at), index_(index) {}
    std::byte* place(std::size_t bytes) override {
        if (std::ssize(piece_.bytes()) >= bytes_of_piece) finish();
        ++records_;
        return piece_.extend(bytes);
    }
    void finish() {
        if (records_ == 0) return;
        // A hook that writes more or fewer bytes the second time would overwrite the pieces of other ranks.
        if (done_ == index_.size() || index_[done_].records != records_ ||
            index_[done_].bytes != std::ssize(piece_.bytes()))
            throw usage_error("the items to be saved were changed, or a hook has written other bytes the "
                              "second time: a hook writes the same bytes for the same value");
        index_[done_++].sum = sum_of(piece_.bytes(), records_);
        file_.write(piece_.bytes(), at_);
        at_ += std::ssize(piece_.bytes());
        piece_.clear();
        records_ = 0;
    }

private:
    file_handle const& file_;
    std::int64_t at_;
    std::vector<index_entry>& index_;
    std::size_t done_ = 0;
    std::int64_t records_ = 0;
    buffer piece_;
};

[[noreturn]] void throw_damaged_container(std::string const& file, std::string const& where) {
    throw io_error(file + ": " + where + " is damaged: its check sum does not match" + cure_by_saving);
}

/// Reads the head of a file and checks it against the expected kind and the size of the file.
file_head read_head(file_handle const& in, std::string const& kind) {
    std::string const name = in.path().string();
    file_head head;
    std::size_t const got = in.read(reinterpret_cast<char*>(&head), sizeof head, 0);
    std::string_view const start(head.magic.data(), head.magic.size());
    if (got < start.size() || start != container_magic)
        throw io_error(name + ": expected a container that was saved by Weft, found " +
                       (got == 0 ? "an empty file" : "something else") +
                       "; read texts by `read_text`, tables by `read_csv`");
    if (got < sizeof head) throw io_error(name + ": the file is cut short within its head" + cure_by_saving);
    if (head.byte_order != file_head::own_byte_order)
        throw io_error(name + ": the container was saved on a machine with another order of bytes; load it "
                              "on one like that");
    if (head.version != file_head::newest_version)
        throw io_error(name + ": expected version " + std::to_string(file_head::newest_version) +
                       " of the form, found " + std::to_string(head.version) +
                       "; load it with the version of Weft that has saved it");
    constexpr std::int64_t too_many = std::int64_t{1} << 56;
    auto const is_count = [](std::int64_t count) { return count >= 0 && count < too_many; };
    if (!is_count(head.kind_bytes) || !is_count(head.pieces) || !is_count(head.piece_bytes) ||
        head.records < 0)
        throw_damaged_container(name, "the head");
    std::int64_t const bytes = in.size();
    std::int64_t const expected = static_cast<std::int64_t>(sizeof head) + head.kind_bytes +
                                  head.piece_bytes +
                                  head.pieces * static_cast<std::int64_t>(sizeof(index_entry));
    if (bytes != expected)
        throw io_error(name + ": expected " + std::to_string(expected) + " bytes, found " +
                       std::to_string(bytes) +
                       (bytes < expected ? ": the file is cut short" : ": something follows the container") +
                       cure_by_saving);
    std::string found(static_cast<std::size_t>(head.kind_bytes), '\0');
    in.read_all(std::as_writable_bytes(std::span(found)), sizeof head);
    if (head.sum != sum_of(head, found)) throw_damaged_container(name, "the head");
    if (found != kind)
        throw io_error(name + ": expected " + kind + ", found " + found +
                       "; load it into a container of that kind and of these types");
    return head;
}

std::vector<index_entry> read_index(file_handle const& in, file_head const& head) {
    std::vector<index_entry> index(static_cast<std::size_t>(head.pieces));
    in.read_all(std::as_writable_bytes(std::span(index)),
        static_cast<std::int64_t>(sizeof head) + head.kind_bytes + head.piece_bytes);
    std::int64_t bytes = 0;
    std::int64_t records = 0;
    for (index_entry const& each : index) {
        // A record has at least one byte.
        if (each.bytes < 1 || each.bytes > head.piece_bytes - bytes || each.records < 1 ||
            each.records > each.bytes)
            throw_damaged_container(in.path().string(), "the index");
        bytes += each.bytes;
        records += each.records;
    }
    if (bytes != head.piece_bytes || records != head.records)
        throw_damaged_container(in.path().string(), "the index");
    return index;
}

} // namespace

void write_container(
    gate& call, std::string const& file, std::string const& kind, saved_records& records) try {
    communicator const& comm = call.comm();
    call.same("the file", file);
    std::vector<index_entry> index;
    call.guard([&] {
        counting_sink sizes(index);
        records.walk(sizes);
    });
    output_file out(call, file);
    std::int64_t my_bytes = 0;
    std::int64_t my_records = 0;
    for (index_entry const& each : index) {
        my_bytes += each.bytes;
        my_records += each.records;
    }
    prefix const bytes = exclusive_sum(comm, my_bytes);
    prefix const pieces = exclusive_sum(comm, std::ssize(index));
    std::int64_t const all_records = sum(comm, my_records);
    agreed(comm, [&] {
        file_handle opened = out.open();
        std::int64_t const begin =
            static_cast<std::int64_t>(sizeof(file_head)) + static_cast<std::int64_t>(kind.size());
        writing_sink sink(opened, begin + bytes.before, index);
        records.walk(sink);
        sink.finish();
        opened.write(std::as_bytes(std::span(index)),
            begin + bytes.total + pieces.before * static_cast<std::int64_t>(sizeof(index_entry)));
        if (comm.rank() == 0) {
            file_head head;
            std::memcpy(head.magic.data(), container_magic.data(), head.magic.size());
            head.records = all_records;
            head.pieces = pieces.total;
            head.kind_bytes = std::ssize(kind);
            head.piece_bytes = bytes.total;
            head.sum = sum_of(head, kind);
            opened.write(std::as_bytes(std::span(&head, 1)), 0);
            opened.write(std::as_bytes(std::span(kind)), sizeof head);
        }
        opened.close();
    });
    out.finish();
} catch (std::bad_alloc const&) {
    alone_unless_agreed("save");
    throw;
}

saved_pieces::saved_pieces(gate& call, std::string const& file, std::string const& kind, check is_sound) {
    communicator const& comm = call.comm();
    call.same("the file", file);
    agreed(call, [&] {
        file_ = file;
        file_handle const in = file_handle::open_to_read(file);
        file_head const head = read_head(in, kind);
        even_shares const shares(head.piece_bytes, comm.size());
        std::int64_t offset = 0;
        for (index_entry const& each : read_index(in, head)) {
            if (shares.part_of(offset + each.bytes / 2) == comm.rank())
                mine_.push_back({static_cast<std::int64_t>(sizeof head) + head.kind_bytes + offset,
                    each.bytes, each.records, each.sum});
            offset += each.bytes;
        }
        for (std::size_t i = 0; i < mine_.size(); ++i) {
            buffer const bytes = read(i);
            if (!is_sound(bytes.bytes(), mine_[i].records))
                throw io_error(file + ": the records from byte " + std::to_string(mine_[i].offset) +
                               " on are not of " + kind + cure_by_saving);
        }
    });
}

std::int64_t saved_pieces::num_records() const noexcept {
    std::int64_t records = 0;
    for (piece const& each : mine_) records += each.records;
    return records;
}

buffer saved_pieces::read(std::size_t number) const {
    piece const& each = mine_[number];
    buffer bytes(static_cast<std::size_t>(each.bytes));
    file_handle::open_to_read(file_).read_all(bytes.bytes(), each.offset);
    if (sum_of(bytes.bytes(), each.records) != each.sum)
        throw_damaged_container(file_, "what begins at byte " + std::to_string(each.offset));
    return bytes;
}

} // namespace weft::detail
