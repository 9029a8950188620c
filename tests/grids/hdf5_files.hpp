/// Small HDF5 files, written by the HDF5 library.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft_test {

inline hid_t made(hid_t id) {
    if (id < 0) throw std::runtime_error("the HDF5 library cannot write a test file");
    return id;
}

/// A file to which datasets are added; closed by the destructor.
class hdf5_writer {
public:
    /// `newest`: the layout of the newest version, with checksums; else that of the oldest version.
    explicit hdf5_writer(std::filesystem::path const& file, bool newest = false) {
        hid_t const access = made(H5Pcreate(H5P_FILE_ACCESS));
        if (newest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        file_ = made(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
        H5Pclose(access);
    }
    hdf5_writer(hdf5_writer const&) = delete;
    hdf5_writer& operator=(hdf5_writer const&) = delete;
    ~hdf5_writer() { H5Fclose(file_); }

    void group(char const* path) {
        H5Gclose(made(H5Gcreate2(file_, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
    }

    /// `made_with`: a property list that this closes, for chunks and filters.
    void add(char const* path, hid_t stored, hid_t type, std::vector<hsize_t> const& lengths,
        void const* values, hid_t made_with = H5P_DEFAULT) {
        hid_t const space =
            lengths.empty()
                ? made(H5Screate(H5S_SCALAR))
                : made(H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr));
        hid_t const set = made(H5Dcreate2(file_, path, stored, space, H5P_DEFAULT, made_with, H5P_DEFAULT));
        if (values != nullptr) made(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
        H5Dclose(set);
        H5Sclose(space);
        if (made_with != H5P_DEFAULT) H5Pclose(made_with);
    }

    void attribute(char const* path, char const* name, double value) {
        hid_t const set = made(H5Dopen2(file_, path, H5P_DEFAULT));
        hid_t const space = made(H5Screate(H5S_SCALAR));
        hid_t const attribute =
            made(H5Acreate2(set, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT));
        H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
        H5Aclose(attribute);
        H5Sclose(space);
        H5Dclose(set);
    }

    void external_link(char const* path, char const* file, char const* target) {
        made(H5Lcreate_external(file, target, file_, path, H5P_DEFAULT, H5P_DEFAULT));
    }

private:
    hid_t file_;
};

/// Returns the properties of a chunked dataset, compressed by gzip.
inline hid_t packed_chunks(std::vector<hsize_t> const& lengths) {
    hid_t const list = made(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(list, static_cast<int>(lengths.size()), lengths.data());
    H5Pset_deflate(list, 6);
    return list;
}

} // namespace weft_test
