#include <weft/core/error.hpp>

namespace weft {

error_kind kind_of(std::exception_ptr const& thrown) noexcept {
    if (!thrown) return error_kind::none;
    try {
        std::rethrow_exception(thrown);
    } catch (usage_error const&) { return error_kind::usage; } catch (mpi_error const&) {
        return error_kind::mpi;
    } catch (wire_error const&) { return error_kind::wire; } catch (io_error const&) {
        return error_kind::io;
    } catch (...) { return error_kind::other; }
}

std::string text_of(std::exception_ptr const& thrown) {
    if (!thrown) return {};
    try {
        std::rethrow_exception(thrown);
    } catch (std::exception const& caught) { return caught.what(); } catch (...) {
        return "unknown exception";
    }
}

void throw_remote(error_kind kind, int rank, std::string const& text) {
    switch (kind) {
    case error_kind::usage:
        throw usage_error(text);
    case error_kind::io:
        throw io_error(text);
    default:
        throw remote_error("rank " + std::to_string(rank) + ": " + text, rank);
    }
}

} // namespace weft
