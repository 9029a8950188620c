/// Options that are checked, and whose help shows the value that holds where they are not given.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace weft::tool {

template <class Value>
void add_preset(CLI::App& parser, std::string const& name, Value& value, std::string const& text,
    CLI::Validator const& check) {
    parser.add_option(name, value, text)->check(check)->capture_default_str();
}

} // namespace weft::tool
