#include "csv_record.hpp"

#include "malformed.hpp"
#include "scan.hpp"

#include <algorithm>

namespace weft::io {

namespace {

bool is_space(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\r';
}

} // namespace

std::vector<csv_field> const& csv_record::split(std::string_view line) {
    fields_.clear();
    escapes_ = 0;
    // Fields point into the strings, which must not move.
    auto const quotes = static_cast<std::size_t>(std::ranges::count(line, '"'));
    if (unescaped_.size() < quotes / 2) unescaped_.resize(quotes / 2);
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    for (std::size_t at = 0;; ++at) {
        while (at < line.size() && is_space(line[at]) && line[at] != separator_) ++at;
        if (at < line.size() && line[at] == '"') {
            fields_.push_back(quoted(line, at));
        } else {
            std::size_t const end = std::min(line.find(separator_, at), line.size());
            std::string_view text = line.substr(at, end - at);
            while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
            fields_.push_back({text, at});
            at = end;
        }
        if (at >= line.size()) return fields_;
    }
}

/// The field whose opening quote stands at `at`, which is moved to the separator behind it.
csv_field csv_record::quoted(std::string_view line, std::size_t& at) {
    std::size_t const begin = at;
    std::string* unescaped = nullptr;
    std::size_t piece = at + 1;
    while (true) {
        std::size_t const quote = line.find('"', std::max(piece, at + 1));
        if (quote == line.npos)
            throw malformed{static_cast<std::int64_t>(begin),
                "expected a closing quote in the same line, found " + in_quotes(line.substr(begin))};
        if (quote + 1 < line.size() && line[quote + 1] == '"') {
            if (unescaped == nullptr) (unescaped = &unescaped_[escapes_++])->clear();
            unescaped->append(line.substr(piece, quote + 1 - piece));
            piece = quote + 2;
            continue;
        }
        std::string_view text = line.substr(piece, quote - piece);
        if (unescaped != nullptr) text = unescaped->append(text);
        at = quote + 1;
        while (at < line.size() && is_space(line[at]) && line[at] != separator_) ++at;
        if (at < line.size() && line[at] != separator_)
            throw malformed{static_cast<std::int64_t>(at),
                "expected a separator behind the closing quote, found " + in_quotes(line.substr(at))};
        return {text, begin};
    }
}

} // namespace weft::io
