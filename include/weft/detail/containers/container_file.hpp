/// Files of containers: the records of all ranks, in pieces that any number of ranks can read.
///
///   head      magic, byte order, version, number of records and pieces, bytes of their parts, checksum
///   kind      the container and its types, as "map<text, i64>"
///   pieces    records, one after the other, as in messages (records.hpp)
///   index     for each piece its bytes, its records and their checksum
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/detail/containers/records.hpp>
#include <weft/detail/containers/type_text.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace weft::detail {

/// The records that a rank saves, visited twice: first for their sizes, then for their bytes.
class saved_records {
public:
    /// Takes records one after the other.
    class sink {
    public:
        /// Returns the place for the bytes of the next record, or null if they are only counted.
        virtual std::byte* place(std::size_t bytes) = 0;

    protected:
        ~sink() = default;
    };
    virtual void walk(sink& to) = 0;

protected:
    ~saved_records() = default;
};

/// Writes the records of all ranks, those of the first rank first. Collective. Throws: the error that `call`
/// has kept, and `io_error`, agreed; an existing file then stays unchanged.
void write_container(gate& call, std::string const& file, std::string const& kind, saved_records& records);

/// The consecutive pieces of a file that this rank reads, with about equal bytes on each rank.
class saved_pieces {
public:
    /// Returns true if the bytes, which may be arbitrary, are that number of valid records.
    using check = bool (*)(std::span<std::byte const> bytes, std::int64_t records);

    /// Reads and checks all pieces. Collective. Throws: the error that `call` has kept, and `io_error`,
    /// agreed.
    saved_pieces(gate& call, std::string const& file, std::string const& kind, check is_sound);

    /// Calls `take(bytes)` for each piece of this rank, in their order. Local. Throws: `io_error`.
    template <class Take>
    void for_each(Take&& take) const {
        for (std::size_t i = 0; i < mine_.size(); ++i) {
            buffer const bytes = read(i);
            take(bytes.bytes());
        }
    }
    /// The records of this rank. Local.
    [[nodiscard]] std::int64_t num_records() const noexcept;

private:
    struct piece {
        std::int64_t offset;
        std::int64_t bytes;
        std::int64_t records;
        std::uint64_t sum;
    };
    [[nodiscard]] buffer read(std::size_t number) const;

    std::string file_;
    std::vector<piece> mine_;
};

/// Moves past a part of a record from a file, which may claim any length. Returns false at a truncated part.
template <class T>
[[nodiscard]] bool pass_part(std::byte const*& at, std::byte const* end) noexcept {
    auto const left = [&] { return static_cast<std::size_t>(end - at); };
    std::size_t bytes = sizeof(T);
    if constexpr (!bare_type<T>) {
        std::size_t digits = 0;
        while (digits < left() && digits < 9 && (static_cast<unsigned>(at[digits]) & 0x80U) != 0) ++digits;
        if (digits >= left() || digits == 9) return false;
        bytes = take_length(at);
    }
    if (bytes > left()) return false;
    at += bytes;
    return true;
}
template <class... T>
[[nodiscard]] bool are_records(std::span<std::byte const> bytes, std::int64_t records) {
    std::byte const* at = bytes.data();
    std::byte const* const end = at + bytes.size();
    for (; records > 0; --records)
        if (!(pass_part<T>(at, end) && ...)) return false;
    return at == end;
}

/// Saves the records that `walk(put)` passes to `put(T const&...)`; it must pass the same ones each time.
/// Collective, Throws: as `write_container`; errors of `walk`, agreed.
template <class... T, class Walk>
void save_records(gate& call, std::string const& file, char const* name, Walk&& walk) {
    struct walked final : saved_records {
        explicit walked(Walk& of) noexcept : each(of) {}
        void walk(sink& to) override {
            each([&](argument_of<T>... values) { put(to, record_part<T>(values)...); });
        }
        static void put(sink& to, record_part<T> const&... parts) {
            std::byte* at = to.place((std::size_t{0} + ... + parts.room()));
            if (at != nullptr) ((at = parts.put(at)), ...);
        }
        Walk& each;
    } records(walk);
    std::string kind;
    call.guard([&] { kind = text_of_container<T...>(name); });
    write_container(call, file, kind, records);
}

/// A checked file of such records; `for_each(body)` calls `body(view_of<T>&...)` with those of this rank, in
/// order. Construction is collective. Throws: as `saved_pieces`.
template <class... T>
class loaded_records {
public:
    loaded_records(gate& call, std::string const& file, char const* name)
        : pieces_(call, file, kind(call, name), &are_records<T...>) {}

    [[nodiscard]] std::int64_t size() const noexcept { return pieces_.num_records(); }
    template <class Body>
    void for_each(Body&& body) const {
        pieces_.for_each([&](std::span<std::byte const> bytes) {
            std::byte const* const end = bytes.data() + bytes.size();
            for (std::byte const* at = bytes.data(); at != end;) {
                // In braces: the parts are read from left to right.
                std::tuple<view_of<T>...> values{take_part<T>(at)...};
                std::apply(body, values);
            }
        });
    }

private:
    [[nodiscard]] static std::string kind(gate& call, char const* name) {
        std::string text;
        call.guard([&] { text = text_of_container<T...>(name); });
        return text;
    }

    saved_pieces pieces_;
};

} // namespace weft::detail
