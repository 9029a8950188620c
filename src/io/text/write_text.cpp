#include <weft/io/write_text.hpp>

#include "io/packed/pack_text.hpp"
#include <files/file_handle.hpp>
#include <files/output_file.hpp>

#include <weft/core/communicator.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

namespace weft {

void write_text(communicator const& comm, std::string const& file, std::string_view mine) {
    std::string packed;
    if (io::packing const how = io::packing_asked_for(file); how != io::packing::plain) {
        // A stream a rank, one behind the other; one at least, so that nothing is a text too.
        agreed(comm, [&] {
            if (!mine.empty() || comm.rank() == 0) packed = io::pack_text(how, mine);
        });
        mine = packed;
    }
    output_file part(comm, file);
    std::int64_t const offset = exclusive_sum(comm, static_cast<std::int64_t>(mine.size())).before;
    agreed(comm, [&] {
        file_handle opened = part.open();
        opened.write(mine.data(), mine.size(), offset);
        opened.close();
    });
    part.finish();
}

} // namespace weft
