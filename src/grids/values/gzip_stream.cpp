#include <grids/values/gzip_stream.hpp>

#include <weft/core/error.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace weft {

namespace {

constexpr std::size_t window_bytes = 32768; // greatest distance of a reference
constexpr std::size_t most_places = 1024;

/// A place between blocks at which decompression can begin.
struct restart {
    std::int64_t unpacked = 0; // decompressed bytes before it
    std::int64_t packed = 0;   // in the file; the last `bits` of the byte before it are needed, too
    int bits = 0;
    std::vector<unsigned char> window;
};

/// A raw inflate stream, initialised for its lifetime.
struct unpacker : z_stream {
    unpacker() : z_stream{} {
        if (inflateInit2(this, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
    unpacker(unpacker const&) = delete;
    unpacker& operator=(unpacker const&) = delete;
    ~unpacker() { inflateEnd(this); }
};

} // namespace

bool is_gzip(std::filesystem::path const& file, std::int64_t at) {
    std::array<char, 2> start{};
    file_handle const opened = file_handle::open_to_read(file);
    return opened.read(start.data(), 2, at) == 2 && start[0] == '\x1f' && start[1] == '\x8b';
}

struct gzip_stream::state {
    state(std::filesystem::path const& path, std::int64_t first)
        : file(file_handle::open_to_read(path)), start(first) {
        rewind();
    }

    [[noreturn]] void fail(std::string const& why) const {
        throw io_error(file.path().string() + ": " + why + "; copy it again");
    }

    void refill() {
        std::size_t const got = file.read(input.data(), input.size(), next);
        if (got == 0) fail("ends before the end of its compressed data");
        next += static_cast<std::int64_t>(got);
        packed.next_in = reinterpret_cast<unsigned char*>(input.data());
        packed.avail_in = static_cast<unsigned>(got);
    }
    unsigned char take() {
        if (packed.avail_in == 0) refill();
        --packed.avail_in;
        return *packed.next_in++;
    }
    std::uint32_t take_number() {
        std::uint32_t number = 0;
        for (int shift = 0; shift < 32; shift += 8) number |= static_cast<std::uint32_t>(take()) << shift;
        return number;
    }

    /// Reads the head of a member of the file: RFC 1952, section 2.3.
    void take_head() {
        bool const marked = take() == 0x1f && take() == 0x8b && take() == 8;
        if (!marked) fail("is not compressed by gzip, as it should be");
        unsigned const flags = take();
        for (int i = 0; i < 6; ++i) (void)take();
        if ((flags & 4U) != 0) {
            unsigned length = take();
            length |= static_cast<unsigned>(take()) << 8;
            while (length-- > 0) (void)take();
        }
        for (unsigned const text : {8U, 16U})
            if ((flags & text) != 0)
                while (take() != 0) continue;
        if ((flags & 2U) != 0)
            for (int i = 0; i < 2; ++i) (void)take();
    }

    void rewind() {
        next = start;
        packed.avail_in = 0;
        take_head();
        at = 0;
        ended = false;
        inflateReset2(&packed, -MAX_WBITS);
    }

    void begin_at(restart const& from) {
        next = from.packed;
        packed.avail_in = 0;
        at = from.unpacked;
        ended = false;
        inflateReset2(&packed, -MAX_WBITS);
        if (from.bits > 0) {
            char before = 0;
            (void)file.read(&before, 1, from.packed - 1);
            inflatePrime(&packed, from.bits, static_cast<unsigned char>(before) >> (8 - from.bits));
        }
        inflateSetDictionary(&packed, from.window.data(), static_cast<unsigned>(from.window.size()));
    }

    void go_to(std::int64_t offset) {
        auto const behind = std::ranges::upper_bound(places, offset, {}, &restart::unpacked);
        bool const has = behind != places.begin();
        std::int64_t const nearest = has ? std::prev(behind)->unpacked : 0;
        if (at <= offset && (at >= nearest || !has)) return;
        if (has)
            begin_at(*std::prev(behind));
        else
            rewind();
    }

    /// Called between two blocks: keeps a new place to restart from.
    void keep_place() {
        if (at < known || (!places.empty() && at - places.back().unpacked < apart) || at < apart) return;
        restart made{at, next - packed.avail_in, packed.data_type & 7, {}};
        made.window.resize(window_bytes);
        unsigned length = 0;
        inflateGetDictionary(&packed, made.window.data(), &length);
        made.window.resize(length);
        places.push_back(std::move(made));
        if (places.size() < most_places) return;
        apart *= 2;
        std::vector<restart> half;
        for (std::size_t i = 1; i < places.size(); i += 2) half.push_back(std::move(places[i]));
        places = std::move(half);
    }

    void count(unsigned char const* bytes, std::size_t number) {
        std::int64_t const end = at + static_cast<std::int64_t>(number);
        if (end > known) { // counts only bytes that were not decompressed before
            std::size_t const old = known > at ? static_cast<std::size_t>(known - at) : 0;
            sum = static_cast<std::uint32_t>(crc32_z(sum, bytes + old, static_cast<z_size_t>(number - old)));
            of_member += number - old;
            known = end;
        }
        at = end;
    }

    void end_member() {
        std::uint32_t const stored_sum = take_number();
        std::uint32_t const stored_length = take_number();
        if (at == known && !checked_to_here()) {
            if (stored_sum != sum || stored_length != static_cast<std::uint32_t>(of_member))
                fail("its check sum does not match the decompressed data");
            sum = 0;
            of_member = 0;
            checked = at;
        }
        // Another member follows, or padding.
        std::int64_t const here = next - packed.avail_in;
        char mark[2] = {};
        if (file.read(mark, 2, here) == 2 && mark[0] == '\x1f' && mark[1] == '\x8b') {
            take_head();
            inflateReset2(&packed, -MAX_WBITS);
        } else {
            ended = true;
        }
    }
    [[nodiscard]] bool checked_to_here() const noexcept { return checked == at && of_member == 0; }

    /// Decompresses up to this number of bytes; fewer at the end of a block, 0 at the end.
    std::size_t unpack(unsigned char* into, std::size_t bytes) {
        while (!ended) {
            if (packed.avail_in == 0) refill();
            packed.next_out = into;
            packed.avail_out = static_cast<unsigned>(std::min<std::size_t>(bytes, 1U << 30));
            auto const wanted = packed.avail_out;
            int const status = inflate(&packed, Z_BLOCK);
            if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
                fail("cannot be unpacked: " + std::string(packed.msg ? packed.msg : "its data are damaged"));
            std::size_t const got = wanted - packed.avail_out;
            count(into, got);
            if (status == Z_STREAM_END)
                end_member();
            else if ((packed.data_type & 128) != 0 && (packed.data_type & 64) == 0)
                keep_place();
            if (got > 0) return got;
            if (bytes == 0 && (status == Z_BUF_ERROR)) return 0;
        }
        return 0;
    }

    file_handle file;
    std::int64_t start;
    unpacker packed;
    std::array<char, 65536> input{};
    std::int64_t next = 0; // next byte of the file to read
    std::int64_t at = 0;   // decompressed bytes so far
    bool ended = false;
    std::int64_t known = 0; // end of the bytes that were decompressed at least once
    std::int64_t checked = -1;
    std::uint64_t of_member = 0; // known bytes of the last member
    std::uint32_t sum = 0;       // checksum of these bytes
    std::int64_t apart = std::int64_t{1} << 22;
    std::vector<restart> places;
};

gzip_stream::gzip_stream(std::filesystem::path const& file, std::int64_t first)
    : state_(std::make_unique<state>(file, first)) {
}
gzip_stream::gzip_stream(gzip_stream&&) noexcept = default;
gzip_stream::~gzip_stream() = default;

void gzip_stream::read_all(std::span<std::byte> into, std::int64_t offset) {
    state& of = *state_;
    if (into.empty()) return;
    of.go_to(offset);
    std::array<unsigned char, 65536> passed;
    while (of.at < offset) {
        auto const left = static_cast<std::size_t>(offset - of.at);
        if (of.unpack(passed.data(), std::min(left, passed.size())) == 0)
            of.fail("ends before the data that it should have");
    }
    auto* const to = reinterpret_cast<unsigned char*>(into.data());
    for (std::size_t done = 0; done < into.size();) {
        std::size_t const got = of.unpack(to + done, into.size() - done);
        if (got == 0) of.fail("ends before the data that it should have");
        done += got;
    }
}

void gzip_stream::check_end() {
    std::array<unsigned char, 65536> passed;
    while (state_->unpack(passed.data(), passed.size()) > 0) continue;
}

} // namespace weft
