#include "picture_options.hpp"

namespace weft::tool {

void add_theme(CLI::App& command, std::string& chosen) {
    command.add_option("--theme", chosen, "Ground of the picture")
        ->check(CLI::IsMember({"light", "dark"}))
        ->capture_default_str();
}

} // namespace weft::tool
