/// Text in a subset of TOML: tables of keys with numbers, lists of numbers on one line, or plain strings.
/// Private.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// A parsed text. Readers take the entries that they know, and `refuse_the_rest` rejects the others. Errors
/// are `io_error`s with the name of the text, the line, what was expected and found, and the cure.
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

    /// Returns the names of the tables, in their order.
    [[nodiscard]] std::vector<std::string> table_names() const;
    [[nodiscard]] bool has(std::string_view table) const;

    /// Returns a number, which must be at least `least`.
    [[nodiscard]] double number(std::string_view table, std::string_view key, double least);
    /// Returns `count` numbers, which must be at least `least`.
    [[nodiscard]] std::vector<double> numbers(
        std::string_view table, std::string_view key, std::size_t count, double least);
    [[nodiscard]] std::string text(std::string_view table, std::string_view key);

    void refuse_the_rest() const;
    [[noreturn]] void refuse(int line, std::string const& expected, std::string_view found) const;
    /// Returns the line of the head of a table, or, if a key is given, of its entry.
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
