#include <grids/hdf5/hdf5_dataset.hpp>

#include <grids/values/grid_memory.hpp>

#include <weft/core/error.hpp>

#include <hdf5.h>

#include <utility>

namespace weft {

namespace {

/// Refuses types with bits outside of their items: the library would access memory beyond these.
void check_bits(hid_t type) {
    std::size_t const bits = 8 * H5Tget_size(type);
    bool fits = true;
    if (H5Tget_class(type) == H5T_FLOAT) {
        std::size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
        fits = H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) >= 0 &&
               sign < bits && exponent < bits && exponent_bits <= bits - exponent && mantissa < bits &&
               mantissa_bits <= bits - mantissa;
    }
    int const offset = H5Tget_offset(type);
    std::size_t const precision = H5Tget_precision(type);
    fits = fits && offset >= 0 && precision <= bits && static_cast<std::size_t>(offset) <= bits - precision;
    if (!fits)
        throw io_error("its type is damaged: it uses bits beyond the " + std::to_string(bits) +
                       " of an item; copy the file again");
}

hid_t type_in_memory(value_type type) {
    // In the order of the enumeration. They are variables that the library sets when it is opened.
    hid_t const types[] = {H5T_NATIVE_INT8, H5T_NATIVE_UINT8, H5T_NATIVE_INT16, H5T_NATIVE_UINT16,
        H5T_NATIVE_INT32, H5T_NATIVE_UINT32, H5T_NATIVE_INT64, H5T_NATIVE_UINT64, H5T_NATIVE_FLOAT,
        H5T_NATIVE_DOUBLE};
    return types[static_cast<std::size_t>(type)];
}

constexpr char const* never_written =
    "has values that were never written, and no fill value for them; its writer was cut off";

/// Returns false if the library would leave the memory of items that were never written unchanged.
bool has_fill_value(hid_t made) {
    H5D_fill_time_t time = H5D_FILL_TIME_ERROR;
    H5D_fill_value_t value = H5D_FILL_VALUE_ERROR;
    if (H5Pget_fill_time(made, &time) < 0 || H5Pfill_value_defined(made, &value) < 0)
        throw io_error("cannot read its fill value: " + hdf5_complaint());
    return time != H5D_FILL_TIME_NEVER && value != H5D_FILL_VALUE_UNDEFINED;
}

void check_all_chunks(hid_t set, std::span<std::int64_t const> lengths, std::span<hsize_t const> chunk) {
    std::uint64_t expected = 1;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
        auto const length = static_cast<std::uint64_t>(lengths[i]);
        expected *= chunk[i] == 0 ? 0 : (length + chunk[i] - 1) / chunk[i];
    }
    hsize_t found = 0;
    hdf5_handle const space(H5Dget_space(set), H5Sclose);
    if (H5Dget_num_chunks(set, space.get(), &found) < 0)
        throw io_error("cannot count its chunks: " + hdf5_complaint());
    if (found < expected) throw io_error(never_written);
}

} // namespace

hdf5_dataset::hdf5_dataset(hdf5_handle set, std::string name, std::int64_t file_bytes)
    : set_(std::move(set)), name_(std::move(name)) {
    try {
        lengths_ = hdf5_lengths(set_);
        std::optional<value_type> const found = hdf5_type(set_);
        if (!found)
            throw usage_error(
                "its items are no numbers of a usual size; expected integers of 8 to 64 bits, truth "
                "values, or real numbers of 16, 32 or 64 bits");
        type_ = *found;
        check_storage(file_bytes);
        check_attributes();
    } catch (usage_error const& caught) {
        throw usage_error(name_ + ": " + caught.what());
    } catch (io_error const& caught) {
        std::string const text = caught.what();
        throw io_error(text.starts_with(name_) ? text : name_ + ": " + text);
    }
}

void hdf5_dataset::check_storage(std::int64_t file_bytes) const {
    hdf5_handle const made(H5Dget_create_plist(set_.get()), H5Pclose);
    if (!made.is_open()) throw io_error("cannot read how the dataset is stored: " + hdf5_complaint());
    if (H5Pget_external_count(made.get()) != 0)
        throw usage_error("its values are in other files, which are not read; repack the file with h5repack");
    std::int64_t items = 1;
    for (std::int64_t const each : lengths_) {
        std::optional<std::int64_t> const product = product_of({items, each});
        if (!product) throw io_error("has more than 2^62 items: " + in_words(lengths_));
        items = *product;
    }
    hdf5_handle const type(H5Dget_type(set_.get()), H5Tclose);
    auto const item_bytes = static_cast<std::int64_t>(H5Tget_size(type.get()));
    std::optional<std::int64_t> const bytes = product_of({items, item_bytes});
    switch (H5Pget_layout(made.get())) {
    case H5D_CONTIGUOUS: {
        haddr_t const at = H5Dget_offset(set_.get());
        if (at == HADDR_UNDEF) {
            if (!has_fill_value(made.get())) throw io_error(never_written);
            return;
        }
        hsize_t const stored = H5Dget_storage_size(set_.get());
        auto const size = static_cast<std::uint64_t>(file_bytes);
        if (!bytes || stored < static_cast<std::uint64_t>(*bytes) || at > size || stored > size - at)
            throw io_error("expected " + (bytes ? std::to_string(*bytes) : "2^62 or more") +
                           " bytes of values at byte " + std::to_string(at) + ", found " +
                           std::to_string(stored) + " in a file of " + std::to_string(file_bytes) +
                           "; copy it again");
        return;
    }
    case H5D_CHUNKED: {
        std::vector<hsize_t> chunk(lengths_.size());
        if (H5Pget_chunk(made.get(), static_cast<int>(chunk.size()), chunk.data()) < 0)
            throw io_error("cannot read the size of its chunks: " + hdf5_complaint());
        std::optional<std::int64_t> chunk_bytes = item_bytes;
        for (hsize_t const each : chunk)
            chunk_bytes = chunk_bytes && std::in_range<std::int64_t>(each)
                              ? product_of({*chunk_bytes, static_cast<std::int64_t>(each)})
                              : std::nullopt;
        check_memory(name_, chunk_bytes, "its chunks");
        if (!has_fill_value(made.get())) check_all_chunks(set_.get(), lengths_, chunk);
        break;
    }
    case H5D_COMPACT: {
        hsize_t const stored = H5Dget_storage_size(set_.get());
        if (!bytes || stored < static_cast<std::uint64_t>(*bytes))
            throw io_error("expected " + (bytes ? std::to_string(*bytes) : "2^62 or more") +
                           " bytes of values in its head, found " + std::to_string(stored) +
                           "; copy the file again");
        return;
    }
    default:
        throw usage_error(
            "is a virtual dataset, whose values are in other files; repack the file with h5repack");
    }
    int const filters = H5Pget_nfilters(made.get());
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0;
        std::size_t parameters = 0;
        char filter[64] = {};
        H5Z_filter_t const id = H5Pget_filter2(made.get(), static_cast<unsigned>(i), &flags, &parameters,
            nullptr, sizeof filter, filter, nullptr);
        if (id < 0) throw io_error("cannot read how its values are packed: " + hdf5_complaint());
        if (H5Zfilter_avail(id) > 0) continue;
        filter[sizeof filter - 1] = '\0';
        throw usage_error("is packed by the filter " + std::to_string(id) +
                          (filter[0] != '\0' ? " (" + std::string(filter) + ")" : "") +
                          ", which this HDF5 library does not have; repack the file with h5repack -f GZIP=1");
    }
}

void hdf5_dataset::check_attributes() const {
    for (char const* const each : {"scale_factor", "add_offset", "_FillValue", "missing_value"})
        if (H5Aexists(set_.get(), each) > 0)
            throw usage_error(std::string("has the attribute ") + each +
                              " of NetCDF; give the file a name that ends in .nc4, and it will be heeded");
}

void hdf5_dataset::read(std::span<std::int64_t const> start, std::span<std::int64_t const> count,
    std::span<std::byte> into) const {
    if (into.empty()) return;
    std::vector<hsize_t> const from(start.begin(), start.end());
    std::vector<hsize_t> const many(count.begin(), count.end());
    hdf5_handle const in_file(H5Dget_space(set_.get()), H5Sclose);
    hdf5_handle const in_memory(
        H5Screate_simple(static_cast<int>(many.size()), many.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, from.data(), nullptr, many.data(), nullptr) < 0 ||
        H5Dread(set_.get(), type_in_memory(type_), in_memory.get(), in_file.get(), H5P_DEFAULT, into.data()) <
            0)
        throw io_error(name_ + ": cannot read values: " + hdf5_complaint());
}

std::vector<double> hdf5_dataset::read_all() const {
    std::int64_t items = 1;
    for (std::int64_t const each : lengths_) items *= each; // checked with the storage
    check_memory(name_, product_of({items, sizeof(double)}), "its numbers");
    std::vector<double> values(static_cast<std::size_t>(items));
    if (items > 0 && H5Dread(set_.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        throw io_error(name_ + ": cannot read values: " + hdf5_complaint());
    return values;
}

std::vector<std::int64_t> hdf5_lengths(hdf5_handle const& set) {
    hdf5_handle const space(H5Dget_space(set.get()), H5Sclose);
    int const rank = space.is_open() ? H5Sget_simple_extent_ndims(space.get()) : -1;
    if (rank < 0) throw io_error("cannot read the size of the dataset: " + hdf5_complaint());
    std::vector<hsize_t> found(static_cast<std::size_t>(rank));
    if (rank > 0 && H5Sget_simple_extent_dims(space.get(), found.data(), nullptr) < 0)
        throw io_error("cannot read the size of the dataset: " + hdf5_complaint());
    std::vector<std::int64_t> lengths;
    for (hsize_t const each : found) {
        if (!std::in_range<std::int64_t>(each))
            throw io_error("has an index of " + std::to_string(each) + " items");
        lengths.push_back(static_cast<std::int64_t>(each));
    }
    return lengths;
}

std::optional<value_type> hdf5_type(hdf5_handle const& set) {
    hdf5_handle const type(H5Dget_type(set.get()), H5Tclose);
    if (!type.is_open()) throw io_error("cannot read the type of the dataset: " + hdf5_complaint());
    std::size_t const bytes = H5Tget_size(type.get());
    H5T_class_t const kind = H5Tget_class(type.get());
    if (kind == H5T_INTEGER || kind == H5T_FLOAT) check_bits(type.get());
    if (kind == H5T_ENUM) check_bits(hdf5_handle(H5Tget_super(type.get()), H5Tclose).get());
    switch (kind) {
    case H5T_ENUM: // booleans, as written by Python
        return bytes == 1 ? std::optional(value_type::uint8) : std::nullopt;
    case H5T_FLOAT:
        if (bytes == 2 || bytes == 4) return value_type::float32;
        return bytes == 8 ? std::optional(value_type::float64) : std::nullopt;
    case H5T_INTEGER: {
        bool const is_signed = H5Tget_sign(type.get()) == H5T_SGN_2;
        switch (bytes) {
        case 1:
            return is_signed ? value_type::int8 : value_type::uint8;
        case 2:
            return is_signed ? value_type::int16 : value_type::uint16;
        case 4:
            return is_signed ? value_type::int32 : value_type::uint32;
        case 8:
            return is_signed ? value_type::int64 : value_type::uint64;
        default:
            return std::nullopt;
        }
    }
    default:
        return std::nullopt;
    }
}

std::string in_words(std::span<std::int64_t const> lengths) {
    std::string text;
    for (std::int64_t const each : lengths) text += (text.empty() ? "" : " x ") + std::to_string(each);
    return text.empty() ? "one" : text;
}

} // namespace weft
