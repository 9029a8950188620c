#include <grids/formats/nifti_head.hpp>

#include <files/file_handle.hpp>
#include <grids/values/byte_order.hpp>
#include <grids/values/gzip_stream.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace weft {

namespace {

/// The offsets of the fields of a head, by version.
struct nifti_layout {
    std::size_t bytes, dim, type, pixdim, values, slope, offset, qform, sform, quaternion, rows, units;
};
constexpr nifti_layout layout_1{348, 40, 70, 76, 108, 112, 116, 252, 254, 256, 280, 123};
constexpr nifti_layout layout_2{540, 16, 12, 104, 168, 176, 184, 344, 348, 352, 400, 500};

/// The fields of a head: their numbers are wider in version 2.
class nifti_fields {
public:
    nifti_fields(std::vector<std::byte> bytes, bool is_second, bool swapped)
        : bytes_(std::move(bytes)), second_(is_second), swapped_(swapped) {}

    template <class T>
    [[nodiscard]] T at(std::size_t place) const {
        std::array<std::byte, sizeof(T)> bytes;
        std::memcpy(bytes.data(), bytes_.data() + place, sizeof(T));
        if (swapped_) swap_bytes(bytes, sizeof(T));
        T value;
        std::memcpy(&value, bytes.data(), sizeof(T));
        return value;
    }
    [[nodiscard]] double real(std::size_t field, std::size_t i = 0) const {
        return second_ ? at<double>(field + 8 * i) : static_cast<double>(at<float>(field + 4 * i));
    }
    [[nodiscard]] std::int64_t length(std::size_t field, std::size_t i) const {
        return second_ ? at<std::int64_t>(field + 8 * i) : at<std::int16_t>(field + 2 * i);
    }
    [[nodiscard]] std::int64_t code(std::size_t field) const {
        return second_ ? at<std::int32_t>(field) : at<std::int16_t>(field);
    }
    [[nodiscard]] std::string_view text(std::size_t place, std::size_t size) const {
        return {reinterpret_cast<char const*>(bytes_.data()) + place, size};
    }

private:
    std::vector<std::byte> bytes_;
    bool second_;
    bool swapped_;
};

bool ends_in(std::filesystem::path const& file, std::string_view suffix) {
    std::string name = file.filename().string();
    std::ranges::transform(name, name.begin(),
        [](unsigned char each) { return static_cast<char>(each >= 'A' && each <= 'Z' ? each + 32 : each); });
    return name.ends_with(suffix);
}

/// Returns the other file of a pair, compressed or not: with `ending` in place of that of `file`.
std::filesystem::path beside(std::filesystem::path const& file, char const* ending) {
    std::string name = file.string();
    if (ends_in(file, ".gz")) name.resize(name.size() - 3);
    name.resize(name.size() - 4);
    for (char const* const packed : {"", ".gz"})
        if (std::filesystem::exists(name + ending + packed)) return name + ending + packed;
    throw io_error(file.string() + ": there is no " +
                   std::filesystem::path(name + ending).filename().string() +
                   " beside it, which is the other half of the pair");
}

std::vector<std::byte> start_of(std::filesystem::path const& file, std::size_t bytes) {
    std::vector<std::byte> start(bytes);
    if (is_gzip(file))
        gzip_stream(file).read_all(start, 0);
    else
        file_handle::open_to_read(file).read_all(start, 0);
    return start;
}

std::int32_t first_number(std::filesystem::path const& file) {
    std::vector<std::byte> const four = start_of(file, 4);
    std::int32_t number = 0;
    std::memcpy(&number, four.data(), 4);
    return number;
}

std::int32_t swapped_number(std::int32_t number) {
    swap_bytes(std::as_writable_bytes(std::span(&number, 1)), 4);
    return number;
}

/// Returns the rotation of a quaternion of float32; entries that are almost 0 or 1 are rounded.
std::array<std::array<double, 3>, 3> rotation_of(double b, double c, double d) {
    double square = 1 - (b * b + c * c + d * d);
    if (square < 1e-7) { // half a turn
        double const length = std::sqrt(b * b + c * c + d * d);
        b /= length;
        c /= length;
        d /= length;
        square = 0;
    }
    double const a = std::sqrt(square);
    std::array<std::array<double, 3>, 3> rows{
        {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
            {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
            {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c}}};
    for (auto& row : rows)
        for (double& each : row)
            if (std::abs(each - std::round(each)) < 5e-7) each = std::round(each);
    return rows;
}

void read_place(nifti_fields const& from, nifti_layout const& at, nifti_head& into) {
    double const left_handed = from.real(at.pixdim) < 0 ? -1 : 1;
    for (std::size_t d = 0; d < 3; ++d) {
        double const size = std::abs(from.real(at.pixdim, d + 1));
        into.sizes[d] = size > 0 && std::isfinite(size) ? size : 1;
    }
    if (from.code(at.sform) > 0) {
        into.is_placed = true;
        for (std::size_t d = 0; d < 3; ++d) {
            into.origin[d] = from.real(at.rows, 4 * d + 3);
            for (std::size_t e = 0; e < 3; ++e) into.steps[e][d] = from.real(at.rows, 4 * d + e);
        }
    } else if (from.code(at.qform) > 0) {
        into.is_placed = true;
        auto const rows =
            rotation_of(from.real(at.quaternion), from.real(at.quaternion, 1), from.real(at.quaternion, 2));
        for (std::size_t d = 0; d < 3; ++d) {
            into.origin[d] = from.real(at.quaternion, d + 3);
            for (std::size_t e = 0; e < 3; ++e)
                into.steps[e][d] = rows[d][e] * into.sizes[e] * (e == 2 ? left_handed : 1);
        }
    } else {
        for (std::size_t d = 0; d < 3; ++d) into.steps[d][d] = into.sizes[d];
    }
}

void read_lengths(
    nifti_fields const& from, nifti_layout const& at, std::string const& file, nifti_head& into) {
    std::int64_t const dimensions = from.length(at.dim, 0);
    if (dimensions < 1 || dimensions > 7)
        throw io_error(file + ": has " + std::to_string(dimensions) + " dimensions; expected 1 to 7");
    for (std::size_t d = 1; d <= static_cast<std::size_t>(dimensions); ++d) {
        into.lengths[d - 1] = from.length(at.dim, d);
        if (into.lengths[d - 1] < 1)
            throw io_error(file + ": has a length of " + std::to_string(into.lengths[d - 1]) +
                           " in dimension " + std::to_string(d) + "; expected at least 1");
    }
}

void read_scaling(
    nifti_fields const& from, nifti_layout const& at, std::string const& file, nifti_head& into) {
    double const slope = from.real(at.slope);
    if (slope == 0 || !std::isfinite(slope)) return; // no scaling, by the format or in practice
    into.slope = slope;
    into.offset = from.real(at.offset);
    if (!std::isfinite(into.offset))
        throw io_error(file + ": scales its values and adds " + std::to_string(into.offset) +
                       "; expected a finite intercept");
}

} // namespace

nifti_head read_nifti_head(std::filesystem::path const& given) {
    std::string const file = given.string();
    (void)file_handle::open_to_read(given); // has a clearer error if a file cannot be read
    std::filesystem::path const path =
        ends_in(given, ".img") || ends_in(given, ".img.gz") ? beside(given, ".hdr") : given;
    nifti_head head;
    std::int32_t const first = first_number(path);
    head.swapped = first != 348 && first != 540;
    std::int32_t const size = head.swapped ? swapped_number(first) : first;
    if (size != 348 && size != 540)
        throw io_error(file + ": is not a NIfTI file: its head begins with another number than 348 or 540");
    bool const second = size == 540;
    nifti_layout const& at = second ? layout_2 : layout_1;
    nifti_fields const fields(start_of(path, at.bytes), second, head.swapped);
    std::string_view const magic = fields.text(second ? 4 : 344, 3);
    bool const alone = magic == (second ? "n+2" : "n+1");
    bool const is_nifti = alone || magic == (second ? "ni2" : "ni1");
    if (second && !is_nifti) throw io_error(file + ": is not a NIfTI-2 file: it does not say so");
    read_lengths(fields, at, file, head);
    head.type = fields.at<std::int16_t>(at.type);
    if (is_nifti) {
        read_scaling(fields, at, file, head);
        read_place(fields, at, head);
        auto const units = static_cast<unsigned>(
            second ? fields.at<std::int32_t>(at.units) : fields.at<std::uint8_t>(at.units));
        char const* const names[] = {"", "m", "mm", "um", "", "", "", ""};
        head.units = names[units & 7U];
    } else { // programs only agree on the sizes of voxels
        for (std::size_t d = 0; d < 3; ++d) {
            double const voxel = std::abs(fields.real(at.pixdim, d + 1));
            head.steps[d][d] = head.sizes[d] = voxel > 0 && std::isfinite(voxel) ? voxel : 1;
        }
    }
    double const begin =
        second ? static_cast<double>(fields.at<std::int64_t>(at.values)) : fields.real(at.values);
    if (!(std::abs(begin) < 0x1p53))
        throw io_error(file + ": says that its values begin at byte " + std::to_string(begin));
    head.first = static_cast<std::int64_t>(begin);
    head.values = path;
    if (alone)
        head.first = std::max(head.first, static_cast<std::int64_t>(at.bytes) + 4);
    else
        head.values = beside(path, ".img");
    head.first = std::max<std::int64_t>(head.first, 0);
    return head;
}

} // namespace weft
