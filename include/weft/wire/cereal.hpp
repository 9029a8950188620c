/// Sends types that cereal can serialise. The application declares each type that cereal is to encode, before
/// the first use of the type:
/// \code
/// template <> inline constexpr bool weft::use_cereal<scene> = true;
/// \endcode
/// This header needs cereal, and no other header of Weft includes it.
#pragma once

#include <weft/wire/wire.hpp>

#include <cereal/cereal.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace weft {

/// True if a type is sent by means of its cereal functions. Specialise this variable for a type, or partially
/// for a family of types.
template <class T>
inline constexpr bool use_cereal = false;

/// The depth to which values in a cereal archive may nest. Levels that cereal itself adds count, too: an
/// element of a vector takes two levels, a value behind a pointer up to six.
inline constexpr int cereal_nesting_limit = 4 * wire_nesting_limit;

/// The part that `cereal_writer` and `cereal_reader` share: the depth of nesting, and the least number of
/// bytes. The library cereal resizes a container to the length that it has read before it reads elements. So
/// that a reader can detect a corrupt length, each length is followed by at least as many bytes as it counts
/// elements.
class cereal_bounds {
public:
    /// Counts one level of nesting; calls `fail`, which throws, beyond `cereal_nesting_limit` levels.
    void enter(auto const& fail) {
        if (nesting_ == cereal_nesting_limit) fail();
        ++nesting_;
    }
    /// Ends a level of nesting that `enter` began.
    void leave() noexcept { --nesting_; }
    /// Requires that the bytes reach at least to position `end`.
    void reach(std::size_t end) noexcept { end_ = end_ < end ? end : end_; }
    [[nodiscard]] std::size_t end() const noexcept { return end_; }

private:
    int nesting_ = 0;
    std::size_t end_ = 0;
};

/// A cereal archive that appends to a `wire_writer`.
class cereal_writer : public cereal::OutputArchive<cereal_writer, cereal::AllowEmptyClassElision> {
public:
    /// Makes an archive that appends to a writer, which must outlive the archive.
    explicit cereal_writer(wire_writer& writer)
        : cereal::OutputArchive<cereal_writer, cereal::AllowEmptyClassElision>(this), writer_(writer) {}

    /// Ends a value: appends zeros until every length in the value is followed by enough bytes.
    void finish() { writer_.fill_to(bounds_.end()); }

    template <class T>
    requires std::is_arithmetic_v<T>
    friend void save(cereal_writer& archive, T const& value) { archive.writer_(value); }
    template <class T>
    friend void save(cereal_writer& archive, cereal::BinaryData<T> const& run) {
        archive.writer_.bytes(run.data, static_cast<std::size_t>(run.size));
    }
    template <class T>
    friend void save(cereal_writer& archive, cereal::SizeTag<T> const& tag) {
        archive.writer_.length(tag.size);
        archive.bounds_.reach(archive.writer_.position() + static_cast<std::size_t>(tag.size));
    }
    template <class T>
    friend void save(cereal_writer& archive, cereal::NameValuePair<T> const& named) {
        archive(named.value);
    }

    /// Is called by cereal before each value.
    template <class T>
    friend void prologue(cereal_writer& archive, T const&) {
        archive.bounds_.enter(
            [] { throw usage_error("wire: cereal values nest too deep to be read again"); });
    }
    template <class T>
    friend void epilogue(cereal_writer& archive, T const&) {
        archive.bounds_.leave();
    }

private:
    wire_writer& writer_;
    cereal_bounds bounds_;
};

/// A cereal archive that reads from a `wire_reader`.
class cereal_reader : public cereal::InputArchive<cereal_reader, cereal::AllowEmptyClassElision> {
public:
    /// Makes an archive that reads from a reader, which must outlive the archive.
    explicit cereal_reader(wire_reader& reader)
        : cereal::InputArchive<cereal_reader, cereal::AllowEmptyClassElision>(this), reader_(reader) {}

    /// Ends a value: skips the zeros that the writer has appended.
    void finish() { reader_.skip_to(bounds_.end()); }

    template <class T>
    requires std::is_arithmetic_v<T>
    friend void load(cereal_reader& archive, T& value) { archive.reader_(value); }
    template <class T>
    friend void load(cereal_reader& archive, cereal::BinaryData<T>& run) {
        using element = std::remove_all_extents_t<std::remove_pointer_t<std::remove_reference_t<T>>>;
        auto const bytes = static_cast<std::size_t>(run.size);
        if constexpr (std::is_same_v<std::remove_cv_t<element>, bool>)
            for (std::size_t i = 0; i < bytes; ++i) archive.reader_(static_cast<bool*>(run.data)[i]);
        else
            archive.reader_.bytes_to(run.data, bytes, "a run of binary data");
    }
    template <class T>
    friend void load(cereal_reader& archive, cereal::SizeTag<T>& tag) {
        std::size_t const count = archive.reader_.length(1);
        archive.bounds_.reach(archive.reader_.position() + count);
        tag.size = count;
    }
    template <class T>
    friend void load(cereal_reader& archive, cereal::NameValuePair<T>& named) {
        archive(named.value);
    }

    /// Is called by cereal before each value.
    template <class T>
    friend void prologue(cereal_reader& archive, T const&) {
        archive.bounds_.enter([&] {
            archive.reader_.fail("cereal values that do not nest deeper", 1, archive.reader_.position());
        });
    }
    template <class T>
    friend void epilogue(cereal_reader& archive, T const&) {
        archive.bounds_.leave();
    }

private:
    wire_reader& reader_;
    cereal_bounds bounds_;
};

/// Encodes and decodes by the cereal functions of the type. Cost: O(bytes), and an archive for each value,
/// whose tables stay empty except for polymorphic, shared and versioned types. A corrupt length is detected
/// before cereal allocates more than sizeof(element) times the bytes received. If pointers inside a value
/// share an object, they also share it after decoding. Throws: `usage_error` on encoding and `wire_error` on
/// decoding, also for errors of cereal.
template <class T>
requires use_cereal<T>
struct wire_hook<T> {
    /// Encodes a value by cereal.
    static void wire(wire_writer& writer, T const& value) {
        try {
            cereal_writer archive(writer);
            archive(value);
            archive.finish();
        } catch (cereal::Exception const& caught) {
            throw usage_error(std::string("wire: cereal cannot write the value: ") + caught.what());
        }
    }

    /// Decodes a value by cereal.
    static void wire(wire_reader& reader, T& value) {
        try {
            cereal_reader archive(reader);
            archive(value);
            archive.finish();
        } catch (cereal::Exception const& caught) {
            refuse(reader, caught.what());
        } catch (std::logic_error const& caught) { // std::bitset, and lengths above max_size
            refuse(reader, caught.what());
        }
    }

private:
    [[noreturn]] static void refuse(wire_reader const& reader, char const* why) {
        reader.fail(
            (std::string("a value that cereal can read (") + why + ")").c_str(), 1, reader.position());
    }
};

} // namespace weft

CEREAL_REGISTER_ARCHIVE(weft::cereal_writer)
CEREAL_REGISTER_ARCHIVE(weft::cereal_reader)
CEREAL_SETUP_ARCHIVE_TRAITS(weft::cereal_reader, weft::cereal_writer)
