#include <grids/values/grid_memory.hpp>

#include <weft/core/error.hpp>

#include <sys/resource.h>
#include <unistd.h>

namespace weft {

std::int64_t memory_here() noexcept {
    std::int64_t bytes = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) *
                         static_cast<std::int64_t>(::sysconf(_SC_PAGE_SIZE));
    // Batch systems set these limits. Not all are enforced, but they should be respected.
    for (auto const resource : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_RSS}) {
        rlimit limit{};
        if (::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
            limit.rlim_cur < static_cast<rlim_t>(bytes))
            bytes = static_cast<std::int64_t>(limit.rlim_cur);
    }
    return bytes;
}

std::optional<std::int64_t> product_of(std::initializer_list<std::int64_t> counts) noexcept {
    constexpr std::int64_t most = std::int64_t{1} << 62;
    std::int64_t product = 1;
    for (std::int64_t const count : counts) {
        if (count < 0 || (count > 0 && product > most / count)) return std::nullopt;
        product *= count;
    }
    return product;
}

void check_memory(std::string const& file, std::optional<std::int64_t> bytes, std::string const& of) {
    if (bytes && *bytes <= memory_here()) return;
    throw io_error(file + ": " + of + " take " + (bytes ? std::to_string(*bytes) : "more than 2^62") +
                   " bytes of memory; this machine has " + std::to_string(memory_here()));
}

void check_shape(std::string const& file, grid_shape const& shape) {
    std::string const dims = std::to_string(shape.points[0]) + " x " + std::to_string(shape.points[1]) +
                             " x " + std::to_string(shape.points[2]);
    for (std::int64_t const count : shape.points)
        if (count < 1) throw io_error(file + ": has no values: its points are " + dims);
    if (shape.components < 1)
        throw io_error(file + ": has " + std::to_string(shape.components) + " values a point");
    if (!product_of({shape.points[0], shape.points[1], shape.points[2], shape.components,
            static_cast<std::int64_t>(size_of(shape.type))}))
        throw io_error(file + ": cannot have " + dims + " points: that is more than 2^62 bytes");
    for (std::int64_t const count : shape.points)
        check_memory(file, product_of({count, 8}), "the coordinates of " + dims + " points");
}

} // namespace weft
