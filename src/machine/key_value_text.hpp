/// Text in a subset of TOML: tables of keys with numbers, lists of numbers on one line, or plain strings.
/// Private.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// A parsed text. Whoever reads it takes the entries he knows, and `refuse_the_rest` complains of the others.
/// Complaints are `io_error`s: the name of the text, the line, what was expected, what was found, the cure.
class key_value_text {
public:
    struct entry {
        std::string key;
        std::string value;
        int line = 0;
        bool taken = false;
    };
    struct table {
        std::string name; // empty for the entries before the first table
        int line = 0;
        bool taken = false;
        std::vector<entry> entries = {};
    };

    key_value_text(std::string_view text, std::string_view name, std::string_view cure);

    /// The names of the tables, in their order.
    [[nodiscard]] std::vector<std::string> table_names() const;
    [[nodiscard]] bool has(std::string_view table) const;

    /// A number that is `least` or more.
    [[nodiscard]] double number(std::string_view table, std::string_view key, double least);
    /// So many numbers that are `least` or more.
    [[nodiscard]] std::vector<double> numbers(
        std::string_view table, std::string_view key, std::size_t count, double least);
    [[nodiscard]] std::string text(std::string_view table, std::string_view key);

    void refuse_the_rest() const;
    [[noreturn]] void refuse(int line, std::string const& expected, std::string_view found) const;
    /// The line of a table's head; of its entry where a key is given.
    [[nodiscard]] int line_of(std::string_view table, std::string_view key = {}) const;

private:
    entry& take(std::string_view table, std::string_view key);
    double parse_number(entry const& from, std::string_view text, double least) const;
    void read_line(std::string_view line, int number);

    std::string name_;
    std::string cure_;
    std::vector<table> tables_;
};

} // namespace weft
