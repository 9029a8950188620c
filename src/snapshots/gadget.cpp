// GADGET's snapshots, formats 1 and 2: Springel, User guide for GADGET-2, section 6. A record stands between
// two copies of its length (4 bytes). In format 2, a record of 8 bytes that begins with its name precedes
// each.
#include "snapshot_formats.hpp"

#include <core/number_text.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

namespace weft::snapshots {

namespace {

constexpr std::int64_t head_bytes = 256;
constexpr std::size_t kinds = 6;

template <class T>
T number_at(std::span<std::byte const> bytes, std::size_t offset, bool swapped) {
    std::array<std::byte, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes.data() + offset, sizeof(T));
    if (swapped) std::ranges::reverse(raw);
    return std::bit_cast<T>(raw);
}

[[noreturn]] void complain(file_handle const& file, std::string const& what) {
    throw io_error(file.path().string() + ": GADGET: " + what);
}

struct record {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
};

/// A file of GADGET, with the places of its records.
class gadget_file {
public:
    explicit gadget_file(file_handle const& file) : file_(file) {
        std::array<std::byte, 4> first{};
        file_.read_all(first, 0);
        swapped_ = !is_first_length(number_at<std::uint32_t>(first, 0, false));
        is_format_2_ = number_at<std::uint32_t>(first, 0, swapped_) == 8;
        find_records();
        read_head();
    }

    [[nodiscard]] static bool is_first_length(std::uint32_t length) noexcept {
        return length == head_bytes || length == 8;
    }

    [[nodiscard]] found_particles share(reader_place const& where) const {
        auto const [first, last] = detail::even_shares(total_, where.ranks)[where.rank];
        std::int64_t const count = last - first;
        found_particles found;
        found.total = total_;
        found.read.time = time_;
        found.read.format =
            std::string("GADGET format ") + (is_format_2_ ? "2" : "1") +
            ((std::endian::native == std::endian::little) != swapped_ ? ", little" : ", big") + " endian";
        std::vector<double> const places = vectors("POS ", first, count, true);
        std::vector<double> const velocities = vectors("VEL ", first, count, false);
        std::vector<std::int64_t> const ids = names(first, count);
        if (!is_format_2_ && with_mass_block_ > 0) check_nameless_masses();
        std::vector<double> const masses = masses_of(first, last);
        found.read.particles.resize(static_cast<std::size_t>(count));
        std::size_t kind = 0;
        std::int64_t kind_end = counts_[0];
        for (std::int64_t i = 0; i < count; ++i) {
            while (first + i >= kind_end) kind_end += counts_[++kind];
            auto const at = static_cast<std::size_t>(i);
            particle& made = found.read.particles[at];
            for (std::size_t d = 0; d < 3; ++d) {
                made.position[d] = places[3 * at + d];
                if (!velocities.empty()) made.velocity[d] = velocities[3 * at + d];
            }
            made.mass = masses[at];
            made.index = first + i;
            made.id = ids.empty() ? first + i + 1 : ids[at];
            made.kind = static_cast<std::int64_t>(kind);
        }
        return found;
    }

private:
    void find_records() {
        // Format 1 has no names, but a fixed order of blocks.
        static constexpr std::array<char const*, 5> order = {"HEAD", "POS ", "VEL ", "ID  ", "MASS"};
        std::int64_t const end = file_.size();
        std::size_t nameless = 0;
        for (std::int64_t at = 0; at < end;) {
            std::string name = nameless < order.size() ? order[nameless++] : "";
            if (is_format_2_) {
                record const label = record_at(at, end);
                if (label.bytes != 8) complain(file_, "a block without a name at byte " + std::to_string(at));
                std::array<std::byte, 4> text{};
                file_.read_all(text, label.offset);
                name.assign(reinterpret_cast<char const*>(text.data()), text.size());
                at = label.offset + label.bytes + 4;
            }
            record const found = record_at(at, end);
            if (!name.empty()) records_.emplace(name, found);
            bytes_of_blocks_.push_back(found.bytes);
            at = found.offset + found.bytes + 4;
            if (name == "HEAD" && found.bytes != head_bytes)
                complain(file_, "a header of " + std::to_string(found.bytes) + " bytes; expected 256");
        }
        if (!records_.contains("HEAD")) complain(file_, "has no header");
    }

    [[nodiscard]] record record_at(std::int64_t at, std::int64_t end) const {
        std::array<std::byte, 4> length{};
        auto const cut_short = [&] {
            complain(file_, "is cut short in the block at byte " + std::to_string(at));
        };
        if (at + 8 > end) cut_short();
        file_.read_all(length, at);
        record const found{at + 4, number_at<std::uint32_t>(length, 0, swapped_)};
        if (found.offset + found.bytes + 4 > end) cut_short();
        file_.read_all(length, found.offset + found.bytes);
        if (number_at<std::uint32_t>(length, 0, swapped_) != found.bytes)
            complain(file_, "the two lengths around the block at byte " + std::to_string(at) + " differ");
        return found;
    }

    void read_head() {
        std::array<std::byte, head_bytes> head{};
        file_.read_all(head, records_.at("HEAD").offset);
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            counts_[kind] = number_at<std::int32_t>(head, 4 * kind, swapped_);
            masses_[kind] = number_at<double>(head, 24 + 8 * kind, swapped_);
            if (counts_[kind] < 0) complain(file_, "a negative number of particles in the header");
            total_ += counts_[kind];
            if (masses_[kind] == 0) with_mass_block_ += counts_[kind];
        }
        time_ = number_at<double>(head, 72, swapped_);
        auto const files = number_at<std::int32_t>(head, 124, swapped_);
        if (files > 1)
            complain(file_, "is one of " + std::to_string(files) + " files of a snapshot; join them first");
        double const box = number_at<double>(head, 128, swapped_);
        if (box > 0)
            complain(file_, "is a periodic box of side " + number_text(box) +
                                "; weft computes isolated systems alone. For a box that is not periodic, set "
                                "BoxSize in the header to 0");
        if (total_ > 0 && !records_.contains("POS ")) complain(file_, "has no places");
    }

    /// Returns the bytes of each value of a block that should have this number of values.
    [[nodiscard]] std::int64_t width_of(char const* name, record const& block, std::int64_t numbers) const {
        for (std::int64_t const width : {4, 8})
            if (block.bytes == width * numbers) return width;
        complain(file_, "block " + std::string(name, 4) + " has " + std::to_string(block.bytes) +
                            " bytes; expected " + std::to_string(4 * numbers) + " or " +
                            std::to_string(8 * numbers));
    }

    [[nodiscard]] std::vector<double> vectors(
        char const* name, std::int64_t first, std::int64_t count, bool is_needed) const {
        auto const found = records_.find(name);
        if (found == records_.end() && !is_needed) return {};
        if (total_ == 0) return {};
        std::int64_t const width = width_of(name, found->second, 3 * total_);
        return read_numbers(file_, found->second.offset + 3 * first * width, 3 * count, width, swapped_);
    }

    [[nodiscard]] std::vector<std::int64_t> names(std::int64_t first, std::int64_t count) const {
        auto const found = records_.find("ID  ");
        if (found == records_.end() || total_ == 0) return {};
        std::int64_t const width = width_of("ID  ", found->second, total_);
        std::vector<std::byte> raw(static_cast<std::size_t>(count * width));
        file_.read_all(raw, found->second.offset + first * width);
        std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < ids.size(); ++i)
            ids[i] = width == 4 ? number_at<std::uint32_t>(raw, 4 * i, swapped_)
                                : number_at<std::int64_t>(raw, 8 * i, swapped_);
        return ids;
    }

    /// In format 1 only their place identifies the masses, and some programs write other blocks before them,
    /// as GIZMO its ids of children. Refuses a block that cannot be the masses: its values differ in width
    /// from the positions, a block of the same length follows in the place of the energies of the gas, or its
    /// first values are not masses. All ranks check the same values.
    void check_nameless_masses() const {
        auto const block = records_.find("MASS");
        if (block == records_.end() || total_ == 0) return;
        std::int64_t const width = width_of("MASS", block->second, with_mass_block_);
        auto const refuse = [&](std::string const& why) {
            complain(
                file_, "the block behind the ids, where format 1 has the masses, " + why +
                           "; other blocks before the masses cannot be told from them in format 1: write "
                           "the snapshot in format 2, whose blocks have names");
        };
        if (width != width_of("POS ", records_.at("POS "), 3 * total_))
            refuse("has numbers of " + std::to_string(width) + " bytes, unlike the positions");
        std::size_t const next = 5;
        if (counts_[0] > 0 && counts_[0] != with_mass_block_ && bytes_of_blocks_.size() > next &&
            bytes_of_blocks_[next] == block->second.bytes)
            refuse("is followed by another one of its length, not by the energies of the gas");
        constexpr std::int64_t most_looked_at = 1 << 16;
        std::vector<double> const seen = read_numbers(
            file_, block->second.offset, std::min(with_mass_block_, most_looked_at), width, swapped_);
        double const least_normal = width == 4 ? static_cast<double>(std::numeric_limits<float>::min())
                                               : std::numeric_limits<double>::min();
        double low = std::numeric_limits<double>::infinity();
        double high = 0;
        for (double const each : seen) {
            if (!(each >= 0) || std::isinf(each)) refuse("has values that are negative or not finite");
            if (each > 0 && each < least_normal) refuse("has whole numbers, not masses");
            if (each > 0) low = std::min(low, each);
            high = std::max(high, each);
        }
        constexpr double widest_range = 1e20;
        if (high == 0) refuse("begins with zeros alone");
        if (high / low > widest_range) refuse("has values too far apart to be masses");
    }

    [[nodiscard]] std::vector<double> masses_of(std::int64_t first, std::int64_t last) const {
        auto const block = records_.find("MASS");
        if (with_mass_block_ > 0 && block == records_.end())
            complain(file_, "has particles without a mass in the header, and no block of masses");
        std::int64_t const width =
            with_mass_block_ > 0 ? width_of("MASS", block->second, with_mass_block_) : 4;
        std::vector<double> masses;
        std::int64_t kind_first = 0;
        std::int64_t in_block = 0;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            std::int64_t const from = std::clamp(first, kind_first, kind_first + counts_[kind]);
            std::int64_t const to = std::clamp(last, kind_first, kind_first + counts_[kind]);
            if (masses_[kind] != 0) {
                masses.insert(masses.end(), static_cast<std::size_t>(to - from), masses_[kind]);
            } else if (counts_[kind] > 0) {
                auto const some =
                    read_numbers(file_, block->second.offset + (in_block + from - kind_first) * width,
                        to - from, width, swapped_);
                masses.insert(masses.end(), some.begin(), some.end());
                in_block += counts_[kind];
            }
            kind_first += counts_[kind];
        }
        return masses;
    }

    file_handle const& file_;
    bool swapped_ = false;
    bool is_format_2_ = false;
    std::map<std::string, record> records_;
    std::vector<std::int64_t> bytes_of_blocks_; ///< in the order of the file
    std::array<std::int64_t, kinds> counts_{};
    std::array<double, kinds> masses_{};
    std::int64_t total_ = 0;
    std::int64_t with_mass_block_ = 0;
    double time_ = 0;
};

} // namespace

std::vector<double> read_numbers(
    file_handle const& file, std::int64_t offset, std::int64_t count, std::int64_t bytes_each, bool swapped) {
    std::vector<std::byte> raw(static_cast<std::size_t>(count * bytes_each));
    file.read_all(raw, offset);
    std::vector<double> numbers(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = bytes_each == 4 ? static_cast<double>(number_at<float>(raw, 4 * i, swapped))
                                     : number_at<double>(raw, 8 * i, swapped);
    return numbers;
}

bool is_gadget(file_handle const& file) {
    std::array<std::byte, 4> first{};
    if (file.size() < head_bytes + 8) return false;
    file.read_all(first, 0);
    return gadget_file::is_first_length(number_at<std::uint32_t>(first, 0, false)) ||
           gadget_file::is_first_length(number_at<std::uint32_t>(first, 0, true));
}

found_particles read_gadget(file_handle const& file, reader_place const& where) {
    return gadget_file(file).share(where);
}

namespace {

/// A head of TIPSY. Records of gas, dark matter and stars in single precision follow it.
struct tipsy_head {
    bool fits = false;
    bool swapped = false;
    double time = 0;
    std::int64_t bytes = 0; ///< of the head
    std::array<std::int64_t, 3> counts{};
};
constexpr std::array<std::int64_t, 2> tipsy_head_bytes = {32, 28}; ///< with and without four bytes of padding
constexpr std::array<std::int64_t, 3> tipsy_bytes = {48, 36, 44};
constexpr std::array<std::size_t, 3> tipsy_softening = {9, 7, 9}; // place among the numbers of a record
constexpr std::array<std::int64_t, 3> tipsy_kind = {0, 1, 4};     // in GADGET's numbers of kinds

tipsy_head head_of_tipsy(file_handle const& file) {
    tipsy_head head;
    std::array<std::byte, tipsy_head_bytes[0]> raw{};
    if (file.size() < tipsy_head_bytes[1]) return head;
    file.read_all(
        std::span(raw).first(static_cast<std::size_t>(std::min(file.size(), tipsy_head_bytes[0]))), 0);
    for (bool const swapped : {false, true}) {
        auto const number = [&](std::size_t i) { return number_at<std::int32_t>(raw, 8 + 4 * i, swapped); };
        std::int64_t bytes = 0; // of all particles
        bool positive = true;
        for (std::size_t k = 0; k < 3; ++k) {
            head.counts[k] = number(2 + k);
            positive = positive && head.counts[k] >= 0;
            bytes += head.counts[k] * tipsy_bytes[k];
        }
        head.swapped = swapped;
        head.time = number_at<double>(raw, 0, swapped);
        head.bytes = file.size() - bytes;
        // Without padding, the first mass follows. Zeros there are the padding of a file that was cut short.
        bool const known =
            head.bytes == tipsy_head_bytes[0] || (head.bytes == tipsy_head_bytes[1] && number(5) != 0);
        head.fits = number(1) == 3 && positive && known &&
                    number(0) == head.counts[0] + head.counts[1] + head.counts[2];
        if (head.fits) return head;
    }
    return head;
}

} // namespace

bool is_tipsy(file_handle const& file) {
    return head_of_tipsy(file).fits;
}

found_particles read_tipsy(file_handle const& file, reader_place const& where) {
    tipsy_head const head = head_of_tipsy(file);
    found_particles found;
    found.total = head.counts[0] + head.counts[1] + head.counts[2];
    found.read.time = head.time;
    found.read.format = (std::endian::native == std::endian::little) != head.swapped ? "TIPSY, little endian"
                                                                                     : "TIPSY, big endian";
    auto const [first, last] = detail::even_shares(found.total, where.ranks)[where.rank];
    std::int64_t begin = 0;
    std::int64_t offset = head.bytes;
    for (std::size_t k = 0; k < 3; ++k) {
        std::int64_t const from = std::clamp(first, begin, begin + head.counts[k]);
        std::int64_t const to = std::clamp(last, begin, begin + head.counts[k]);
        auto const numbers = static_cast<std::size_t>(tipsy_bytes[k] / 4);
        std::vector<double> const values = read_numbers(file, offset + (from - begin) * tipsy_bytes[k],
            (to - from) * static_cast<std::int64_t>(numbers), 4, head.swapped);
        for (std::int64_t i = from; i < to; ++i) {
            double const* const from_file = &values[static_cast<std::size_t>(i - from) * numbers];
            particle made;
            made.mass = from_file[0];
            for (std::size_t d = 0; d < 3; ++d) {
                made.position[d] = from_file[1 + d];
                made.velocity[d] = from_file[4 + d];
            }
            made.softening = from_file[tipsy_softening[k]];
            made.index = i;
            made.id = i + 1;
            made.kind = tipsy_kind[k];
            found.read.particles.push_back(made);
        }
        begin += head.counts[k];
        offset += head.counts[k] * tipsy_bytes[k];
    }
    return found;
}

} // namespace weft::snapshots
