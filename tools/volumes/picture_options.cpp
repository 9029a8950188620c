#include "picture_options.hpp"
#include "options/preset.hpp"

#include <weft/protocol/agreement.hpp>

namespace weft::tool {

void add_theme(CLI::App& command, std::string& chosen) {
    add_preset(command, "--theme", chosen, "Background of the picture", CLI::IsMember({"light", "dark"}));
}

void write_picture(
    communicator const& comm, std::filesystem::path const& file, std::function<picture()> const& draw) {
    agreed(comm, [&] {
        if (comm.rank() == 0) write_png(file, draw());
    });
}

} // namespace weft::tool
