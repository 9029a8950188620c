#include <grids/hdf5/hdf5_file.hpp>

#include <files/file_handle.hpp>

#include <weft/core/error.hpp>

#include <hdf5.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace weft {

namespace {

struct found_dataset {
    std::string path;
    std::string shape; ///< for example "2 x 3 float32"
    bool is_array;
};

/// Describes an object; empty for a group. Damaged datasets are listed, so that opening them gives an error.
std::optional<found_dataset> look_at(hid_t root, char const* link) {
    std::string const path = "/" + std::string(link);
    hdf5_handle const object(H5Oopen(root, link, H5P_DEFAULT), H5Oclose);
    if (object.is_open() && H5Iget_type(object.get()) != H5I_DATASET) return std::nullopt;
    try {
        std::vector<std::int64_t> const lengths = hdf5_lengths(object);
        std::optional<value_type> const type = hdf5_type(object);
        std::string const items = type ? name_of(*type) : "items that are no numbers";
        return found_dataset{path, in_words(lengths) + " " + items, type.has_value() && !lengths.empty()};
    } catch (io_error const&) { return found_dataset{path, "damaged", true}; }
}

/// Returns true if a path is a link to another file.
bool leads_elsewhere(hid_t file, std::string const& path) {
    H5L_info_t link{};
    return H5Lget_info(file, path.c_str(), &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_EXTERNAL;
}

/// Callback for each link: collects datasets. Does not throw into the library.
herr_t take_link(hid_t root, char const* path, H5L_info_t const* link, void* into) {
    if (link->type != H5L_TYPE_HARD && link->type != H5L_TYPE_EXTERNAL) return 0;
    try {
        bool const is_link = link->type == H5L_TYPE_EXTERNAL;
        if (is_link && !hdf5_handle(H5Oopen(root, path, H5P_DEFAULT), H5Oclose).is_open())
            static_cast<std::vector<found_dataset>*>(into)->push_back(
                {"/" + std::string(path), "a link to a file that is not there", false});
        else if (std::optional<found_dataset> found = look_at(root, path))
            static_cast<std::vector<found_dataset>*>(into)->push_back(std::move(*found));
    } catch (std::exception const&) { return -1; }
    return 0;
}

std::vector<found_dataset> datasets_of(hid_t file) {
    std::vector<found_dataset> found;
    H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, take_link, &found);
    return found;
}

std::int64_t number_at(unsigned char const* bytes, unsigned count) {
    std::uint64_t number = 0;
    for (unsigned i = count; i-- > 0;) number = (number << 8) | bytes[i];
    return static_cast<std::int64_t>(number);
}

/// Returns the end of the content of a file, by its head and its size. All addresses count from the head. If
/// the head contradicts that, the library shifts the end of the file and finds wrong data; and it reads zeros
/// beyond the end given by the head. Newer heads have a checksum.
std::int64_t end_of(file_handle const& file) {
    constexpr std::string_view magic = "\x89HDF\r\n\x1a\n";
    for (std::int64_t place = 0; place < file.size(); place = place == 0 ? 512 : 2 * place) {
        unsigned char head[56] = {};
        if (file.read(reinterpret_cast<char*>(head), sizeof head, place) < sizeof head) break;
        if (std::string_view(reinterpret_cast<char const*>(head), magic.size()) != magic) continue;
        unsigned const version = head[8];
        unsigned const bytes = head[13];
        if (version > 1 || bytes > 8) break;
        unsigned char const* const addresses = head + (version == 0 ? 24 : 28);
        std::int64_t const base = number_at(addresses, bytes);
        if (base != place)
            throw io_error(file.path().string() + ": expected a head of HDF5 at byte " +
                           std::to_string(base) + ", as it says itself, found at byte " +
                           std::to_string(place) + "; copy the file again");
        return std::min(file.size(), number_at(addresses + 2 * bytes, bytes)); // free space may follow
    }
    return file.size();
}

hdf5_handle opened(std::string const& name) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // errors are thrown, not printed
    hdf5_handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access.get(), true, true); // some parallel file systems have no locks
#endif
    hdf5_handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
    if (!file.is_open()) throw io_error(name + ": cannot be read as HDF5: " + hdf5_complaint());
    return file;
}

} // namespace

hdf5_file::hdf5_file(std::filesystem::path const& file)
    : name_(file.string()), end_(end_of(file_handle::open_to_read(file))), file_(opened(name_)) {
}

hdf5_dataset hdf5_file::open(std::string const& path) const {
    std::string const full = path.starts_with('/') ? path : "/" + path;
    std::string const where = name_ + ":" + full;
    hdf5_handle object(H5Oopen(file_.get(), full.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object.is_open()) {
        std::string const cause = hdf5_complaint();
        throw usage_error(where + ": cannot be opened (" + cause +
                          (leads_elsewhere(file_.get(), full) ? "; it is a link to another "
                                                                "file, which must lie where the link says"
                                                              : "") +
                          "); there are " + listed());
    }
    if (H5Iget_type(object.get()) != H5I_DATASET)
        throw usage_error(where + ": is a group, not a dataset; there are " + listed());
    // An external link leads to another file, whose size counts.
    std::string in(1024, '\0');
    ssize_t const length = H5Fget_name(object.get(), in.data(), in.size());
    in.resize(length < 0 ? 0 : std::min(static_cast<std::size_t>(length), in.size()));
    bool const is_elsewhere = !in.empty() && in != name_;
    std::int64_t const end = is_elsewhere ? end_of(file_handle::open_to_read(in)) : end_;
    return {std::move(object), where, end};
}

std::vector<std::string> hdf5_file::arrays() const {
    std::vector<std::string> paths;
    for (found_dataset& each : datasets_of(file_.get()))
        if (each.is_array) paths.push_back(std::move(each.path));
    return paths;
}

std::string hdf5_file::only_array() const {
    std::string only;
    int arrays = 0;
    for (found_dataset const& each : datasets_of(file_.get()))
        if (each.is_array && arrays++ == 0) only = each.path;
    if (arrays != 1)
        throw usage_error(name_ + ": say which dataset is meant: FILE:/path; there are " + listed());
    return only;
}

std::string hdf5_file::listed() const {
    constexpr std::size_t most = 16;
    std::vector<found_dataset> const found = datasets_of(file_.get());
    std::string text;
    for (std::size_t i = 0; i < std::min(most, found.size()); ++i)
        text += (i == 0 ? "" : ", ") + found[i].path + " (" + found[i].shape + ")";
    if (found.size() > most) text += " and " + std::to_string(found.size() - most) + " more";
    return text.empty() ? "no datasets" : text;
}

} // namespace weft
