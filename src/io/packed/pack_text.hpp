/// Text, packed for files whose name asks for it.
#pragma once

#include "byte_stream.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace weft::io {

/// The packing that the ending of a name asks for, in either case: .gz, .bz2, .xz, .zst; else `plain`.
[[nodiscard]] packing packing_asked_for(std::filesystem::path const& file);

/// The text as a whole stream of a packer, at its default level. Streams may stand behind one another: all
/// unpackers take them for one text. `packing::plain` gives the text. Throws: `io_error` where the library
/// fails; std::bad_alloc.
[[nodiscard]] std::string pack_text(packing how, std::string_view text);

} // namespace weft::io
