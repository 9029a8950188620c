#include <weft/io/write_text.hpp>

#include "io/packed/pack_text.hpp"
#include <files/file_segments.hpp>

#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <new>

namespace weft {

void write_text(communicator const& comm, std::string const& file, std::string_view mine) try {
    gate call(comm, "write_text");
    std::string packed;
    file_segments segments;
    call.guard([&] {
        io::packing const how = io::packing_asked_for(file);
        // A stream a rank, one behind the other; one at least, so that nothing is a text too.
        if (how != io::packing::plain && (!mine.empty() || comm.rank() == 0))
            packed = io::pack_text(how, mine);
        segments.add(packed.empty() ? mine : packed);
    });
    segments.write(call, file);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_text");
    throw;
}

} // namespace weft
