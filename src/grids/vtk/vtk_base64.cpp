#include <grids/vtk/vtk_base64.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace weft {

namespace {

constexpr std::int64_t groups_between_places = std::int64_t{1} << 16;
constexpr std::uint8_t no_base64_digit = 255;
constexpr std::uint8_t base64_padding = 64;

constexpr std::array<std::uint8_t, 256> base64_digits = [] {
    std::array<std::uint8_t, 256> made{};
    made.fill(no_base64_digit);
    std::uint8_t digit = 0;
    for (char const each :
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))
        made[static_cast<unsigned char>(each)] = digit++;
    return made;
}();

} // namespace

base64_bytes::base64_bytes(std::filesystem::path const& file, std::int64_t first)
    : file_(file_handle::open_to_read(file)), piece_(std::size_t{1} << 16), start_(first), places_{first} {
}

void base64_bytes::fail(char const* why) const {
    throw io_error(file_.path().string() + ": its values in base64 " + why + " at byte " +
                   std::to_string(place()) + "; copy it again");
}

int base64_bytes::letter() {
    for (;;) {
        if (next_ == size_) {
            start_ += static_cast<std::int64_t>(size_);
            next_ = 0;
            size_ = file_.read(piece_.data(), piece_.size(), start_);
            if (size_ == 0) return -1;
        }
        auto const each = static_cast<unsigned char>(piece_[next_++]);
        if (each > ' ') return each;
        if (each != ' ' && each != '\n' && each != '\r' && each != '\t') fail("are damaged");
    }
}

void base64_bytes::go_to(std::int64_t group) {
    auto const known = static_cast<std::int64_t>(places_.size()) - 1;
    std::int64_t const nearest = std::min(group / groups_between_places, known);
    if (group_ > group || group_ < nearest * groups_between_places) {
        start_ = places_[static_cast<std::size_t>(nearest)];
        size_ = next_ = 0;
        group_ = nearest * groups_between_places;
    }
    while (group_ < group) {
        if (group_ == static_cast<std::int64_t>(places_.size()) * groups_between_places)
            places_.push_back(place());
        for (int i = 0; i < 4; ++i)
            if (letter() < 0) fail("end too early");
        ++group_;
    }
}

std::size_t base64_bytes::take_group(std::array<std::byte, 3>& into) {
    std::uint32_t bits = 0;
    int padded = 0;
    for (int i = 0; i < 4; ++i) {
        int const found = letter();
        if (found < 0) fail("end too early");
        std::uint8_t const digit = base64_digits[static_cast<std::size_t>(found)];
        if (digit == no_base64_digit || (padded > 0 && digit != base64_padding) ||
            (digit == base64_padding && i < 2))
            fail(found == '<' ? "end too early" : "are damaged");
        if (digit == base64_padding) ++padded;
        bits = bits << 6 | (digit == base64_padding ? 0U : digit);
    }
    ++group_;
    for (std::size_t i = 0; i < 3; ++i) into[i] = static_cast<std::byte>(bits >> (16 - 8 * i));
    return static_cast<std::size_t>(3 - padded);
}

void base64_bytes::read_all(std::span<std::byte> into, std::int64_t offset) {
    if (into.empty()) return;
    go_to(offset / 3);
    auto skipped = static_cast<std::size_t>(offset % 3);
    for (std::array<std::byte, 3> group; !into.empty(); skipped = 0) {
        if (group_ == static_cast<std::int64_t>(places_.size()) * groups_between_places)
            places_.push_back(place());
        std::size_t const found = take_group(group);
        if (found <= skipped) fail("end too early");
        std::size_t const taken = std::min(found - skipped, into.size());
        std::copy_n(group.begin() + static_cast<std::ptrdiff_t>(skipped), taken, into.begin());
        into = into.subspan(taken);
        if (found < 3 && !into.empty()) fail("end too early");
    }
}

std::int64_t base64_bytes::behind(std::int64_t bytes) {
    go_to((bytes + 2) / 3);
    return place();
}

} // namespace weft
