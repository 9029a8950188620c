#include "hdf5_edges.hpp"

#ifdef WEFT_WITH_HDF5
#include <grids/hdf5/hdf5_file.hpp>
#include <io/formats/edge_rows.hpp>

#include <array>
#include <bit>
#include <filesystem>
#include <memory>
#include <string>

namespace weft::tool {

namespace {

char kind_of(value_type type) {
    switch (type) {
    case value_type::float32:
    case value_type::float64:
        return 'f';
    case value_type::int8:
    case value_type::int16:
    case value_type::int32:
    case value_type::int64:
        return 'i';
    default:
        return 'u';
    }
}

/// A dataset and the file that must be open as long.
struct held_dataset {
    hdf5_file file;
    hdf5_dataset set;

    explicit held_dataset(io::hdf5_address const& address)
        : file(address.file), set(file.open(address.path.empty() ? file.only_array() : address.path)) {}
};

io::edge_rows open_rows(io::hdf5_address const& address) {
    auto const held = std::make_shared<held_dataset>(address);
    hdf5_dataset const& set = held->set;
    io::check_edge_shape(set.name(), set.lengths());
    auto const bytes = static_cast<std::int64_t>(size_of(set.type()));
    return {.rows = set.lengths()[0],
        .columns = set.lengths()[1],
        .kind = kind_of(set.type()),
        .item_bytes = bytes,
        .big_endian = std::endian::native == std::endian::big,
        .format = "HDF5 dataset of " + std::string(name_of(set.type())),
        .file_bytes = static_cast<std::int64_t>(std::filesystem::file_size(address.file)),
        .fetch = [held](std::int64_t first, std::int64_t count, std::span<std::byte> into) {
            std::array const start{first, std::int64_t{0}};
            std::array const many{count, held->set.lengths()[1]};
            held->set.read(start, many, into);
        }};
}

} // namespace

edge_list read_hdf5_edges(communicator const& comm, io::hdf5_address const& address, bool weights,
    bool lengths, std::function<void(std::int64_t, std::int64_t)> const& progress) {
    std::string const name =
        address.file.string() + (address.path.empty() ? std::string() : ":" + address.path);
    io::weight_use const use = !weights  ? io::weight_use::none
                               : lengths ? io::weight_use::lengths
                                         : io::weight_use::numbers;
    return io::read_edge_rows(
        comm, name, [&] { return open_rows(address); }, use, progress);
}

} // namespace weft::tool

#else
#include <weft/core/error.hpp>

namespace weft::tool {

edge_list read_hdf5_edges(communicator const&, io::hdf5_address const& address, bool, bool,
    std::function<void(std::int64_t, std::int64_t)> const&) {
    throw usage_error(
        address.file.string() +
        ": this weft was built without HDF5, which reads such files; build it with -DWEFT_HDF5=ON");
}

} // namespace weft::tool
#endif
