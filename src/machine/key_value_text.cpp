#include "key_value_text.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace weft {

namespace {

std::string_view trimmed(std::string_view text) {
    std::size_t const begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Returns the line without its comment; '#' within a string does not begin one.
std::string_view without_comment(std::string_view line) {
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') quoted = !quoted;
        if (line[i] == '#' && !quoted) return line.substr(0, i);
    }
    return line;
}

bool is_name(std::string_view text) {
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789.") == text.npos;
}

bool is_enclosed(std::string_view text, char open, char close) {
    return text.size() >= 2 && text.front() == open && text.back() == close;
}

} // namespace

key_value_text::key_value_text(std::string_view text, std::string_view name, std::string_view cure)
    : name_(name), cure_(cure), tables_(1) {
    tables_.front().taken = true;
    for (int number = 1; !text.empty(); ++number) {
        std::string_view const line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        read_line(trimmed(without_comment(line)), number);
    }
}

void key_value_text::read_line(std::string_view line, int number) {
    if (line.empty()) return;
    if (line.front() == '[') {
        std::string_view const name =
            is_enclosed(line, '[', ']') ? line.substr(1, line.size() - 2) : std::string_view();
        if (!is_name(name)) refuse(number, "a table such as [inside]", line);
        if (has(name)) refuse(number, "each table once", line);
        tables_.push_back({std::string(name), number});
        return;
    }
    std::size_t const equals = line.find('=');
    std::string_view const key = trimmed(line.substr(0, equals));
    if (equals == line.npos || !is_name(key)) refuse(number, "key = value", line);
    auto& entries = tables_.back().entries;
    if (std::ranges::find(entries, key, &entry::key) != entries.end())
        refuse(number, "each key once in a table", key);
    entries.push_back({std::string(key), std::string(trimmed(line.substr(equals + 1))), number});
}

std::vector<std::string> key_value_text::table_names() const {
    std::vector<std::string> names;
    for (table const& each : tables_)
        if (!each.name.empty()) names.push_back(each.name);
    return names;
}

bool key_value_text::has(std::string_view name) const {
    return std::ranges::find(tables_, name, &table::name) != tables_.end();
}

double key_value_text::number(std::string_view table, std::string_view key, double least) {
    entry const& found = take(table, key);
    return parse_number(found, found.value, least);
}

std::vector<double> key_value_text::numbers(
    std::string_view table, std::string_view key, std::size_t count, double least) {
    entry const& found = take(table, key);
    std::string const expected = "a list of " + std::to_string(count) + " numbers in brackets";
    if (!is_enclosed(found.value, '[', ']')) refuse(found.line, expected, found.value);
    std::vector<double> list;
    for (std::string_view rest(found.value.data() + 1, found.value.size() - 2);;) {
        std::size_t const comma = rest.find(',');
        list.push_back(parse_number(found, trimmed(rest.substr(0, comma)), least));
        if (comma == rest.npos) break;
        rest.remove_prefix(comma + 1);
    }
    if (list.size() != count) refuse(found.line, expected, std::to_string(list.size()));
    return list;
}

std::string key_value_text::text(std::string_view table, std::string_view key) {
    entry const& found = take(table, key);
    if (!is_enclosed(found.value, '"', '"')) refuse(found.line, "a text in double quotes", found.value);
    return found.value.substr(1, found.value.size() - 2);
}

void key_value_text::refuse_the_rest() const {
    for (table const& each : tables_) {
        if (!each.taken) refuse(each.line, "a table that Weft knows", each.name);
        for (entry const& rest : each.entries)
            if (!rest.taken) refuse(rest.line, "a key that Weft knows", rest.key);
    }
}

void key_value_text::refuse(int line, std::string const& expected, std::string_view found) const {
    throw io_error(name_ + ":" + std::to_string(line) + ": expected " + expected + ", found \"" +
                   std::string(found) + "\"; " + cure_);
}

int key_value_text::line_of(std::string_view name, std::string_view key) const {
    auto const found = std::ranges::find(tables_, name, &table::name);
    if (found == tables_.end()) return 1;
    auto const inner = std::ranges::find(found->entries, key, &entry::key);
    return inner == found->entries.end() ? std::max(found->line, 1) : inner->line;
}

key_value_text::entry& key_value_text::take(std::string_view name, std::string_view key) {
    auto const found = std::ranges::find(tables_, name, &table::name);
    std::string const place = name.empty() ? std::string() : " in [" + std::string(name) + "]";
    if (found == tables_.end()) refuse(1, "the table [" + std::string(name) + "]", "no such table");
    found->taken = true;
    auto const inner = std::ranges::find(found->entries, key, &entry::key);
    if (inner == found->entries.end())
        refuse(line_of(name), "the key " + std::string(key) + place, "no such key");
    inner->taken = true;
    return *inner;
}

double key_value_text::parse_number(entry const& from, std::string_view text, double least) const {
    double value = 0;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < least)
        refuse(from.line, "a number, at least " + std::to_string(static_cast<int>(least)), text);
    return value;
}

} // namespace weft
