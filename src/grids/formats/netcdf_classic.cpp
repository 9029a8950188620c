#include <grids/formats/netcdf_classic.hpp>

#include <files/file_handle.hpp>
#include <grids/values/grid_memory.hpp>

#include <weft/core/error.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

// The format: NetCDF Classic Format Specification (CDF-1, CDF-2) and its extension CDF-5.

namespace weft {

namespace {

class classic_head {
public:
    explicit classic_head(file_handle const& file) : file_(file), left_(file.size()) {}

    /// Reads the first four bytes; returns true if the file is a classic one.
    bool begins() {
        std::array<char, 4> magic{};
        if (file_.read(magic.data(), 4, 0) != 4) return false;
        if (magic[0] != 'C' || magic[1] != 'D' || magic[2] != 'F') return false;
        if (magic[3] != 1 && magic[3] != 2 && magic[3] != 5) return false;
        version_ = static_cast<unsigned char>(magic[3]);
        at_ = 4;
        return true;
    }

    void check() {
        records_ = count();
        if (records_ == (version_ == 5 ? -1 : 0xffffffffLL))
            fail("does not say how many records it has; write it again with its number of records");
        if (records_ < 0) fail("cannot have " + std::to_string(records_) + " records");
        read_dimensions();
        read_attributes();
        read_variables();
        for (variable const& each : variables_) check_place(each);
    }

private:
    struct variable {
        std::string name;
        std::int64_t bytes; ///< of all its values, or of one record
        std::int64_t begin;
        bool has_records;
    };

    [[noreturn]] void fail(std::string const& text) const {
        throw io_error(file_.path().string() + ": " + text);
    }

    std::int64_t word(std::int64_t bytes) {
        std::array<unsigned char, 8> read{};
        if (at_ + bytes > left_)
            fail("ends at byte " + std::to_string(left_) + ", within its head; copy it again");
        (void)file_.read(reinterpret_cast<char*>(read.data()), static_cast<std::size_t>(bytes), at_);
        at_ += bytes;
        std::uint64_t value = 0;
        for (std::int64_t i = 0; i < bytes; ++i) value = value << 8 | read[static_cast<std::size_t>(i)];
        return static_cast<std::int64_t>(value);
    }

    /// Reads a number of items or bytes.
    std::int64_t count() { return word(version_ == 5 ? 8 : 4); }

    void pass(std::int64_t bytes) {
        if (bytes < 0 || bytes > left_ - at_)
            fail("ends at byte " + std::to_string(left_) + ", within its head; copy it again");
        at_ += (bytes + 3) / 4 * 4;
    }

    /// Reads the length of a list whose entries take at least some bytes each.
    std::int64_t entries(std::int64_t tag, char const* of) {
        std::int64_t const found = word(4);
        std::int64_t const length = count();
        if ((found != tag && (found != 0 || length != 0)) || length < 0 || length > left_ / 4)
            fail(std::string("its head has no sound list of ") + of);
        return length;
    }

    std::string name() {
        std::int64_t const length = count();
        if (length < 0 || length > 65536) fail("its head has a name of " + std::to_string(length) + " bytes");
        std::int64_t const start = at_;
        pass(length);
        std::string text(static_cast<std::size_t>(length), '\0');
        (void)file_.read(text.data(), text.size(), start);
        for (char& each : text)
            if (static_cast<unsigned char>(each) < ' ') each = '?';
        return text;
    }

    std::int64_t bytes_of_type() {
        std::int64_t const type = word(4);
        constexpr std::array<std::int64_t, 12> bytes{0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
        if (type < 1 || type > (version_ == 5 ? 11 : 6))
            fail("its head has values of a type " + std::to_string(type) + ", which does not exist");
        return bytes[static_cast<std::size_t>(type)];
    }

    void read_dimensions() {
        std::int64_t const length = entries(10, "dimensions");
        for (std::int64_t i = 0; i < length; ++i) {
            std::string const dimension = name();
            lengths_.push_back(count());
            if (lengths_.back() < 0) fail("its dimension '" + dimension + "' has a negative length");
        }
    }

    void read_attributes() {
        std::int64_t const length = entries(12, "attributes");
        for (std::int64_t i = 0; i < length; ++i) {
            (void)name();
            std::int64_t const each = bytes_of_type();
            std::int64_t const values = count();
            if (values < 0 || values > left_ / each)
                fail("ends at byte " + std::to_string(left_) + ", within an attribute; copy it again");
            pass(values * each);
        }
    }

    void read_variables() {
        std::int64_t const length = entries(11, "variables");
        for (std::int64_t i = 0; i < length; ++i) {
            variable each{name(), 1, 0, false};
            std::int64_t const dimensions = count();
            if (dimensions < 0 || dimensions > 1024)
                fail("its variable '" + each.name + "' has " + std::to_string(dimensions) + " dimensions");
            std::optional<std::int64_t> points = 1;
            for (std::int64_t d = 0; d < dimensions; ++d) {
                std::int64_t const id = count();
                if (id < 0 || id >= static_cast<std::int64_t>(lengths_.size()))
                    fail("its variable '" + each.name + "' has a dimension that does not exist");
                std::int64_t const along = lengths_[static_cast<std::size_t>(id)];
                if (along == 0 && d > 0) fail("its variable '" + each.name + "' has records within records");
                if (along == 0)
                    each.has_records = true;
                else if (points)
                    points = product_of({*points, along});
            }
            read_attributes();
            std::int64_t const value = bytes_of_type();
            (void)count(); // a redundant size, which overflows for large variables
            each.begin = word(version_ == 1 ? 4 : 8);
            if (points) points = product_of({*points, value});
            if (!points || each.begin < 0 || *points > std::int64_t{1} << 60)
                fail("its variable '" + each.name + "' is larger than a file can be");
            each.bytes = *points;
            if (each.has_records) record_bytes_ += (each.bytes + 3) / 4 * 4;
            record_variables_ += each.has_records;
            last_record_bytes_ = each.has_records ? each.bytes : last_record_bytes_;
            variables_.push_back(std::move(each));
        }
        // If a single variable has records, these are not padded.
        if (record_variables_ == 1) record_bytes_ = last_record_bytes_;
    }

    void check_place(variable const& of) const {
        std::int64_t bytes = of.bytes;
        if (of.has_records) {
            if (records_ == 0) return;
            auto const before = product_of({records_ - 1, record_bytes_});
            if (!before) fail("cannot have " + std::to_string(records_) + " records");
            bytes += *before;
        }
        if (of.begin < at_)
            fail("its variable '" + of.name + "' begins at byte " + std::to_string(of.begin) +
                 ", in its head");
        if (bytes > left_ - of.begin)
            fail("ends at byte " + std::to_string(left_) + ", but its variable '" + of.name +
                 "' reaches to " + std::to_string(of.begin) + " + " + std::to_string(bytes) +
                 "; copy it again");
    }

    file_handle const& file_;
    std::int64_t left_; // bytes of the file
    std::int64_t at_ = 0;
    int version_ = 0;
    std::int64_t records_ = 0;
    std::vector<std::int64_t> lengths_;
    std::vector<variable> variables_;
    std::int64_t record_bytes_ = 0;
    std::int64_t last_record_bytes_ = 0;
    int record_variables_ = 0;
};

} // namespace

void check_netcdf_classic(std::filesystem::path const& path) {
    file_handle const file = file_handle::open_to_read(path);
    if (classic_head head(file); head.begins()) head.check();
}

} // namespace weft
