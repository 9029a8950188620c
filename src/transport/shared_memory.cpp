#include <weft/extend/transport/shared_memory.hpp>

#include <sys/mman.h>

namespace weft {

shared_memory::shared_memory(std::byte* mapping, std::size_t bytes, int cores)
    : mapping_(mapping), mapped_(bytes * static_cast<std::size_t>(cores)) {
    for (int core = 0; core < cores; ++core)
        parts_.push_back(mapping + static_cast<std::size_t>(core) * bytes);
}

shared_memory::~shared_memory() {
    if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

} // namespace weft
