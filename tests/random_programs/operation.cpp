#include "operation.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace random_programs {

std::int64_t operation::value(std::string const& name) const {
    auto const at = arguments.find(name);
    return at == arguments.end() ? 0 : std::stoll(at->second);
}

std::string text_of(operation const& line) {
    std::string text = std::to_string(line.number) + " " + line.verb;
    for (auto const& [name, value] : line.arguments) text += " " + name + "=" + value;
    return text;
}

operation parse(std::string const& line) {
    std::istringstream words(line);
    operation made;
    if (!(words >> made.number >> made.verb)) throw std::runtime_error("not an operation: " + line);
    for (std::string word; words >> word;) {
        std::size_t const equals = word.find('=');
        if (equals == std::string::npos) throw std::runtime_error("not name=value: " + word);
        made.set(word.substr(0, equals), word.substr(equals + 1));
    }
    return made;
}

program read_program(std::string const& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    program made;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#') made.push_back(parse(line));
    return made;
}

} // namespace random_programs
