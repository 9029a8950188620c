#include <files/file_segments.hpp>

#include <files/output_file.hpp>

#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <new>

namespace weft {

void file_segments::write(gate& call, std::filesystem::path const& file) const try {
    communicator const& comm = call.comm();
    std::vector<std::int64_t> starts;
    std::vector<std::int64_t> places;
    call.guard([&] {
        starts.reserve(segments_.size());
        places.reserve(segments_.size());
    });
    output_file part(call, file);
    std::int64_t start = 0;
    for (segment const& each : segments_) {
        prefix const of = each.is_once ? prefix{0, each.bytes} : exclusive_sum(comm, each.bytes);
        starts.push_back(start);
        places.push_back(start + of.before);
        start += of.total;
    }
    agreed(comm, [&] {
        file_handle opened = part.open();
        for (std::size_t i = 0; i < segments_.size(); ++i) {
            segment const& each = segments_[i];
            if (each.write)
                each.write(opened, places[i], starts[i]);
            else if (!each.is_once || comm.rank() == 0)
                opened.write(each.held, places[i]);
        }
        opened.close();
    });
    part.finish();
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write");
    throw;
}

std::string file_segments::joined() const {
    std::string bytes;
    for (segment const& each : segments_)
        bytes.append(reinterpret_cast<char const*>(each.held.data()), each.held.size());
    return bytes;
}

} // namespace weft
