#include <weft/detail/frames/frame_values.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace weft::detail {

void check_values(communicator const& comm, char const* name, std::size_t found, std::size_t items,
    std::size_t stride, std::size_t value_bytes) {
    check_stride(comm, name, items, stride, value_bytes);
    if (found != items * stride)
        throw usage_error(std::string(name) + ": " + std::to_string(found) + " values on rank " +
                          std::to_string(comm.rank()) + ", but expected " + std::to_string(stride) +
                          " for each of " + std::to_string(items) + " items");
}

void check_stride(communicator const& comm, char const* name, std::size_t items, std::size_t stride,
    std::size_t value_bytes) {
    if (stride != 0 && stride <= SIZE_MAX / 2 / value_bytes / std::max<std::size_t>(items, 1)) return;
    throw usage_error(std::string(name) + ": a stride of " + std::to_string(stride) + " for " +
                      std::to_string(items) + " items on rank " + std::to_string(comm.rank()) +
                      "; expected at least 1, and less than 2^63 bytes of values");
}

} // namespace weft::detail
