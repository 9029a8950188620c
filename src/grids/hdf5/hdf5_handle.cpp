#include <grids/hdf5/hdf5_handle.hpp>

#include <hdf5.h>

#include <type_traits>
#include <utility>

namespace weft {

static_assert(std::is_same_v<hid_t, hdf5_handle::identifier>, "HDF5 1.10 or later");

hdf5_handle::hdf5_handle(hdf5_handle&& other) noexcept
    : id_(std::exchange(other.id_, -1)), close_(other.close_) {
}

hdf5_handle& hdf5_handle::operator=(hdf5_handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
}

hdf5_handle::~hdf5_handle() {
    if (is_open()) close_(id_);
}

std::string hdf5_complaint() {
    std::string text;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned number, H5E_error2_t const* error, void* into) -> herr_t {
            if (number == 0 && error->desc) *static_cast<std::string*>(into) = error->desc;
            return 0;
        },
        &text);
    return text.empty() ? "the HDF5 library gives no reason" : text;
}

} // namespace weft
