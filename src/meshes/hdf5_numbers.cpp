#include <meshes/hdf5_numbers.hpp>

#include <core/file_handle.hpp>

#include <weft/core/error.hpp>

#include <hdf5.h>

namespace weft {

namespace {

/// Owns an identifier of HDF5.
class hdf5_object {
public:
    using closer = herr_t (*)(hid_t);

    hdf5_object(hid_t id, closer close) noexcept : id_(id), close_(close) {}
    hdf5_object(hdf5_object const&) = delete;
    hdf5_object& operator=(hdf5_object const&) = delete;
    ~hdf5_object() {
        if (id_ >= 0) close_(id_);
    }

    [[nodiscard]] bool exists() const noexcept { return id_ >= 0; }
    [[nodiscard]] hid_t id() const noexcept { return id_; }

private:
    hid_t id_;
    closer close_;
};

/// While it lives, HDF5 does not write its errors to standard error.
class hdf5_silence {
public:
    hdf5_silence() {
        H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    hdf5_silence(hdf5_silence const&) = delete;
    hdf5_silence& operator=(hdf5_silence const&) = delete;
    ~hdf5_silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

private:
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

} // namespace

std::vector<double> read_hdf5_numbers(
    std::filesystem::path const& file, std::string const& dataset, std::int64_t count) {
    auto const fail = [&](std::string const& text) { throw io_error(file.string() + ": " + text); };
    (void)file_handle::open_to_read(file); // says why it cannot be opened
    hdf5_silence const quiet;
    hdf5_object const opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!opened.exists()) fail("expected a file of HDF5, whole");
    hdf5_object const found(H5Dopen2(opened.id(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
    if (!found.exists()) fail("has no dataset " + dataset);
    hdf5_object const space(H5Dget_space(found.id()), H5Sclose);
    hssize_t const points = space.exists() ? H5Sget_simple_extent_npoints(space.id()) : -1;
    if (points != count)
        fail(dataset + ": expected " + std::to_string(count) + " numbers, found " + std::to_string(points));
    hdf5_object const type(H5Dget_type(found.id()), H5Tclose);
    H5T_class_t const kind = type.exists() ? H5Tget_class(type.id()) : H5T_NO_CLASS;
    if (kind != H5T_INTEGER && kind != H5T_FLOAT)
        fail(dataset + ": expected integers or floating-point numbers");
    std::vector<double> values(static_cast<std::size_t>(count));
    if (H5Dread(found.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        fail(dataset + ": HDF5 cannot read it; the file may be cut off or damaged");
    return values;
}

} // namespace weft
