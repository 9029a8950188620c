#include <weft/detail/blocks/saved_blocks.hpp>

#include "block_record.hpp"

#include <files/file_handle.hpp>
#include <files/output_file.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstring>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace weft::detail {

namespace {

constexpr char file_magic[8] = {'w', 'e', 'f', 't', 'b', 'l', 'k', 's'};
constexpr std::uint32_t file_version = 2;
constexpr std::uint32_t file_byte_order = 0x01020304;

struct saved_head {
    char magic[8];
    std::uint32_t version;
    std::uint32_t byte_order;
    std::int64_t blocks;
    std::uint64_t file_bytes;
    std::int64_t table_sum; // sum of `sum_of` over all entries
    std::uint64_t spare[2];
    std::uint64_t checksum; // of the fields above
};
static_assert(sizeof(saved_head) == 64);

struct saved_entry {
    std::uint64_t at;
    std::uint64_t bytes;
    std::uint64_t checksum;
};

/// Detects any change within 8 consecutive bytes; misses other changes with a probability of 2^-64.
std::uint64_t checksum_of(std::span<std::byte const> bytes, std::uint64_t sum = detail::golden) {
    auto const mix = [&](std::uint64_t word) {
        sum = (sum ^ word) * 0xff51afd7ed558ccdU;
        sum ^= sum >> 32;
    };
    for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data(), sizeof word);
        mix(word);
    }
    std::uint64_t last = 0;
    if (!bytes.empty()) std::memcpy(&last, bytes.data(), bytes.size());
    mix(last ^ (std::uint64_t{bytes.size()} << 56));
    return sum;
}

/// Returns a checksum of 32 bits, so that the sum over all blocks fits into 64 bits.
std::int64_t sum_of(saved_entry const& entry, block_id block) {
    return static_cast<std::int64_t>(
        checksum_of(std::as_bytes(std::span(&entry, 1)), static_cast<std::uint64_t>(index_of(block)) + 1) >>
        32);
}

std::int64_t offset_of(std::uint64_t place) noexcept {
    return static_cast<std::int64_t>(place);
}

std::uint64_t place_of_entry(block_id block) noexcept {
    return sizeof(saved_head) + static_cast<std::uint64_t>(index_of(block)) * sizeof(saved_entry);
}

std::uint64_t first_record(std::int64_t blocks) noexcept {
    return (place_of_entry(block_id{blocks}) + run_list::alignment - 1) / run_list::alignment *
           run_list::alignment;
}

std::uint64_t head_checksum(saved_head const& head) {
    return checksum_of(std::as_bytes(std::span(&head, 1)).first(offsetof(saved_head, checksum)));
}

/// Returns the end of the sequence of consecutive blocks that begins at `place`.
std::size_t end_of_row(local_blocks& local, std::size_t place) {
    std::size_t end = place + 1;
    while (end < local.size() && index_of(local.at(end).id) == index_of(local.at(end - 1).id) + 1) ++end;
    return end;
}

/// One rank's part in writing a file.
class save_part {
public:
    save_part(local_blocks& local, block_storage& storage) : local_(local), storage_(storage) {}

    /// Returns the bytes of the records.
    std::uint64_t measure() {
        std::uint64_t total = 0;
        for (std::size_t place = 0; place < local_.size(); ++place) {
            make(place);
            entries_.push_back({total, record_.size(), 0});
            total += record_.size();
        }
        return total;
    }
    void write_records(file_handle const& file, std::uint64_t from) {
        for (std::size_t place = 0; place < local_.size(); ++place) {
            make(place);
            saved_entry& entry = entries_[place];
            if (record_.size() != entry.bytes)
                throw usage_error("blocks: save: block " + std::to_string(index_of(local_.at(place).id)) +
                                  " took " + std::to_string(entry.bytes) + " bytes, and then " +
                                  std::to_string(record_.size()) + ": its hook must write the same twice");
            entry.at += from;
            entry.checksum = checksum_of(bytes());
            file.write(bytes(), offset_of(entry.at));
            sum_ += sum_of(entry, local_.at(place).id);
        }
    }
    void write_entries(file_handle const& file) const {
        for (std::size_t place = 0; place < local_.size();) {
            std::size_t const end = end_of_row(local_, place);
            file.write(std::as_bytes(std::span(entries_).subspan(place, end - place)),
                offset_of(place_of_entry(local_.at(place).id)));
            place = end;
        }
    }
    [[nodiscard]] std::int64_t sum() const noexcept { return sum_; }

private:
    void make(std::size_t place) {
        record_.clear();
        append_record(record_, local_.at(place), storage_, place);
    }
    [[nodiscard]] std::span<std::byte const> bytes() const noexcept { return record_.bytes(); }

    local_blocks& local_;
    block_storage& storage_;
    buffer record_;
    std::vector<saved_entry> entries_;
    std::int64_t sum_ = 0;
};

void write_head(file_handle const& file, std::int64_t blocks, std::uint64_t file_bytes, std::int64_t sum) {
    saved_head head{};
    std::memcpy(head.magic, file_magic, sizeof head.magic);
    head.version = file_version;
    head.byte_order = file_byte_order;
    head.blocks = blocks;
    head.file_bytes = file_bytes;
    head.table_sum = sum;
    head.checksum = head_checksum(head);
    file.write(std::as_bytes(std::span(&head, 1)), 0);
}

} // namespace

void save_blocks(
    communicator const& comm, local_blocks& local, block_storage& storage, std::string const& path) try {
    gate call(comm, "save_blocks");
    save_part mine(local, storage);
    std::uint64_t bytes = 0;
    agreed(call, [&] { bytes = mine.measure(); });
    prefix const share = exclusive_sum(comm, static_cast<std::int64_t>(bytes));
    std::uint64_t const first = first_record(local.where().blocks());
    output_file part(call, path);
    std::optional<file_handle> file;
    agreed(comm, [&] {
        file.emplace(part.open());
        mine.write_records(*file, first + static_cast<std::uint64_t>(share.before));
        mine.write_entries(*file);
    });
    std::int64_t const table_sum = sum(comm, mine.sum());
    agreed(comm, [&] {
        if (comm.rank() == 0)
            write_head(
                *file, local.where().blocks(), first + static_cast<std::uint64_t>(share.total), table_sum);
        file->close();
    });
    part.finish();
} catch (std::bad_alloc const&) {
    alone_unless_agreed("save");
    throw;
}

saved_blocks::saved_blocks(communicator const& comm, std::string const& path) try : comm_(comm), path_(path) {
    gate call(comm, "load_blocks");
    call.same("the file", path);
    agreed(call, [&] {
        file_handle const file = file_handle::open_to_read(path);
        saved_head head;
        file.read_all(std::as_writable_bytes(std::span(&head, 1)), 0);
        if (std::memcmp(head.magic, file_magic, sizeof head.magic) != 0)
            throw io_error(path + ": cannot read: it is no file of blocks");
        if (head.version != file_version)
            throw io_error(path + ": cannot read: it is of version " + std::to_string(head.version) +
                           ", and this is a reader of version " + std::to_string(file_version));
        if (head.byte_order != file_byte_order)
            throw io_error(path + ": cannot read: it comes from a machine of another byte order");
        if (head.checksum != head_checksum(head))
            throw io_error(path + ": cannot read: its head is damaged: the checksum does not fit");
        auto const found = static_cast<std::uint64_t>(file.size());
        if (head.file_bytes != found)
            throw io_error(path + ": cannot read: it should have " + std::to_string(head.file_bytes) +
                           " bytes, but has " + std::to_string(found));
        if (head.blocks < 0 || static_cast<std::uint64_t>(head.blocks) > found / sizeof(saved_entry))
            throw io_error(path + ": cannot read: it cannot hold the " + std::to_string(head.blocks) +
                           " blocks that its head names");
        where_ = assignment::contiguous(head.blocks, comm.size());
        file_bytes_ = head.file_bytes;
        table_sum_ = head.table_sum;
    });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("load");
    throw;
}

void saved_blocks::read(local_blocks& local, block_storage& storage) const {
    gate call(comm_, "load_blocks");
    std::vector<saved_entry> entries;
    std::optional<file_handle> file;
    std::int64_t found = 0;
    agreed(call, [&] {
        entries.resize(local.size());
        file.emplace(file_handle::open_to_read(path_));
        if (entries.empty()) return;
        file->read_all(std::as_writable_bytes(std::span(entries)), offset_of(place_of_entry(local.at(0).id)));
        for (std::size_t place = 0; place < entries.size(); ++place)
            found += sum_of(entries[place], local.at(place).id);
    });
    if (sum(comm_, found) != table_sum_)
        throw io_error(path_ + ": cannot read: its table is damaged: the checksum does not fit");
    agreed(comm_, [&] {
        storage.resize(local.size());
        std::vector<link> links(local.size());
        local_blocks made(local.where(), comm_.rank(), links);
        buffer bytes;
        for (std::size_t place = 0; place < entries.size(); ++place) {
            saved_entry const& entry = entries[place];
            block_queues& queues = made.at(place);
            std::string const block =
                path_ + ": cannot read block " + std::to_string(index_of(queues.id)) + ": ";
            if (entry.at > file_bytes_ || entry.bytes > file_bytes_ - entry.at)
                throw io_error(block + "it is beyond the end");
            bytes.resize(static_cast<std::size_t>(entry.bytes));
            file->read_all(bytes.bytes(), offset_of(entry.at));
            std::span<std::byte const> left = std::as_const(bytes).bytes();
            if (checksum_of(left) != entry.checksum)
                throw io_error(block + "it is damaged: the checksum does not fit");
            try {
                block_record record = take_record(left);
                links[place] = link(std::move(record.neighbors));
                restore_messages(queues, record);
                storage.put_image(place, record.image);
                storage.set_seconds(place, record.seconds);
            } catch (wire_error const& wrong) { throw io_error(block + wrong.what()); }
        }
        made.set_links(std::move(links));
        local = std::move(made);
    });
}

} // namespace weft::detail
