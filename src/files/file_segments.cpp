#include <files/file_segments.hpp>

#include <files/output_file.hpp>

#include <weft/protocol/collectives.hpp>

namespace weft {

void file_segments::write(gate& call, std::filesystem::path const& file) const {
    communicator const& comm = call.comm();
    std::vector<std::int64_t> starts;
    std::vector<std::int64_t> places;
    agreed(call, [&] {
        starts.reserve(segments_.size());
        places.reserve(segments_.size());
    });
    output_file part(comm, file);
    std::int64_t start = 0;
    for (segment const& each : segments_) {
        prefix const of = exclusive_sum(comm, each.bytes);
        starts.push_back(start);
        places.push_back(start + of.before);
        start += of.total;
    }
    agreed(call, [&] {
        file_handle opened = part.open();
        for (std::size_t i = 0; i < segments_.size(); ++i)
            if (segments_[i].write)
                segments_[i].write(opened, places[i], starts[i]);
            else
                opened.write(segments_[i].held, places[i]);
        opened.close();
    });
    part.finish();
}

std::string file_segments::joined() const {
    std::string bytes;
    for (segment const& each : segments_)
        bytes.append(reinterpret_cast<char const*>(each.held.data()), each.held.size());
    return bytes;
}

} // namespace weft
