#include <tracing/flow.hpp>

namespace weft {

regular_grid<std::int64_t> flow::cut_into(std::int64_t blocks) const {
    return {domain()->cells(), blocks};
}

} // namespace weft
