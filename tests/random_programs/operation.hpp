/// One line of a random program, and the program as text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace random_programs {

/// `12 exchange on=3 protocol=nbx seed=71`: a number, by which later operations refer to the object that this
/// one makes; a verb; and arguments. It is text, so that a person can read, edit and replay a program.
struct operation {
    int number = 0;
    std::string verb;
    std::map<std::string, std::string> arguments;

    void set(std::string const& name, std::string const& value) { arguments[name] = value; }
    void set(std::string const& name, std::int64_t value) { set(name, std::to_string(value)); }
    [[nodiscard]] bool has(std::string const& name) const { return arguments.contains(name); }
    /// Returns an argument; empty if it is absent.
    [[nodiscard]] std::string text(std::string const& name) const {
        auto const at = arguments.find(name);
        return at == arguments.end() ? std::string() : at->second;
    }
    /// Returns an argument; 0 if it is absent.
    [[nodiscard]] std::int64_t value(std::string const& name) const;
    [[nodiscard]] int id(std::string const& name) const { return static_cast<int>(value(name)); }
    [[nodiscard]] std::uint64_t seed() const { return static_cast<std::uint64_t>(value("seed")); }
    [[nodiscard]] bool fails_by(std::string_view fault) const { return text("fault") == fault; }
};

using program = std::vector<operation>;

[[nodiscard]] std::string text_of(operation const& line);
/// Throws: `std::runtime_error` for an invalid line.
[[nodiscard]] operation parse(std::string const& line);
/// Reads the lines of a file, except those that are empty or begin with `#`.
[[nodiscard]] program read_program(std::string const& path);

} // namespace random_programs
