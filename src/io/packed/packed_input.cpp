#include "packed_input.hpp"

#include <weft/core/error.hpp>

namespace weft::io {

std::span<unsigned char const> packed_input::next() {
    std::size_t const got = file_.read(reinterpret_cast<char*>(piece_.data()), piece_.size(), consumed_);
    consumed_ += static_cast<std::int64_t>(got);
    return {piece_.data(), got};
}

void packed_input::fail_truncated(char const* kind) const {
    throw io_error(file_.path().string() + ": expected a whole " + kind +
                   " stream, found its end missing after " + std::to_string(consumed_) +
                   " bytes (copy the file again)");
}

void packed_input::fail_corrupt(char const* kind, char const* cause) const {
    throw io_error(file_.path().string() + ": expected a sound " + kind +
                   " stream, found a corrupt one: " + cause + " (copy the file again)");
}

} // namespace weft::io
