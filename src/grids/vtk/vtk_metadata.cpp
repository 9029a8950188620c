#include <core/lower_case.hpp>
#include <grids/vtk/vtk_metadata.hpp>

#include <algorithm>
#include <string>

namespace weft {

void pass_vtk_metadata(text_cursor& in, std::int64_t components) {
    (void)in.rest_of_line();
    for (std::string line = in.rest_of_line(); !line.empty(); line = in.rest_of_line())
        // A component without a name has an empty line.
        if (in_lower_case(line) == "component_names")
            for (std::int64_t i = 0; i < components; ++i) (void)in.rest_of_line();
}

void pass_vtk_texts(text_cursor& in, bool is_binary, std::int64_t texts) {
    for (std::int64_t i = 0; i < texts; ++i) {
        if (in.offset() >= in.file().size())
            in.fail("expected " + std::to_string(texts) + " texts, found " + std::to_string(i));
        if (!is_binary) {
            (void)in.rest_of_line();
            continue;
        }
        // The two highest bits encode the number of bytes of the length.
        unsigned char head[8] = {};
        std::size_t const there = in.file().read(reinterpret_cast<char*>(head), sizeof head, in.offset());
        std::size_t const bytes = std::size_t{8} >> (head[0] >> 6U);
        if (there < bytes) in.fail("expected the length of a text, found the end of the file");
        std::uint64_t length = head[0] & 63U;
        for (std::size_t b = 1; b < bytes; ++b) length = length << 8U | head[b];
        in.skip_bytes(static_cast<std::int64_t>(bytes));
        in.skip_bytes(static_cast<std::int64_t>(length));
    }
}

} // namespace weft
