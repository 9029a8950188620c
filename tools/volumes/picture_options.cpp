#include "picture_options.hpp"

#include <weft/protocol/agreement.hpp>

namespace weft::tool {

void add_theme(CLI::App& command, std::string& chosen) {
    command.add_option("--theme", chosen, "Ground of the picture")
        ->check(CLI::IsMember({"light", "dark"}))
        ->capture_default_str();
}

void write_picture(
    communicator const& comm, std::filesystem::path const& file, std::function<picture()> const& draw) {
    agreed(comm, [&] {
        if (comm.rank() == 0) write_png(file, draw());
    });
}

} // namespace weft::tool
