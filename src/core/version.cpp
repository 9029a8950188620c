#include <weft/core/version.hpp>

namespace weft {

std::string_view version() noexcept {
    return WEFT_VERSION_TEXT;
}

} // namespace weft
