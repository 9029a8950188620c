/// Handles of objects that the HDF5 library has opened. Private.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

/// A handle of the HDF5 library, closed by the destructor.
class hdf5_handle {
public:
    using identifier = std::int64_t; // hid_t
    using closer = int (*)(identifier);

    hdf5_handle(identifier id, closer close) noexcept : id_(id), close_(close) {}
    hdf5_handle(hdf5_handle&& other) noexcept;
    hdf5_handle& operator=(hdf5_handle&& other) noexcept;
    hdf5_handle(hdf5_handle const&) = delete;
    hdf5_handle& operator=(hdf5_handle const&) = delete;
    ~hdf5_handle();

    [[nodiscard]] identifier get() const noexcept { return id_; }
    [[nodiscard]] bool is_open() const noexcept { return id_ >= 0; }

private:
    identifier id_;
    closer close_;
};

/// Returns the innermost error of the library's last call on this thread.
[[nodiscard]] std::string hdf5_complaint();

} // namespace weft
