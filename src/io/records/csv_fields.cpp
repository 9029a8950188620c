#include "csv_fields.hpp"

#include "io/text/scan.hpp"

#include <weft/io/read_text.hpp>

#include <array>
#include <cstring>

namespace weft::io {

char const* csv_fields::split(char const* at, char const* end) {
    texts_.clear();
    places_.clear();
    escapes_ = 0;
    any_quotes_ = false;
    while (true) {
        places_.push_back(at);
        at = *at == '"' ? quoted(at, end) : plain(at);
        if (*at == '\n') return at + 1;
        ++at;
    }
}

/// A field without quotes; returns what ends it.
char const* csv_fields::plain(char const* at) {
    char const* const begin = at;
    while (*at != delimiter_ && *at != '\n' && *at != '"') ++at;
    if (*at == '"')
        throw text_fault{at, "expected no quote inside a field that does not begin with one, found " +
                                 in_quotes({begin, static_cast<std::size_t>(at + 1 - begin)}) +
                                 " (put the field in quotes, and double those inside)"};
    char const* const stop = *at == '\n' && at != begin && at[-1] == '\r' ? at - 1 : at;
    texts_.emplace_back(begin, static_cast<std::size_t>(stop - begin));
    return at;
}

char const* csv_fields::quoted(char const* at, char const* end) {
    any_quotes_ = true;
    char const* const begin = at++;
    char const* piece = at;
    std::string* unescaped = nullptr;
    while (true) {
        auto const* const quote =
            static_cast<char const*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
        if (quote == nullptr) throw text_fault{begin, "expected a closing quote, found the end of the file"};
        at = quote + 1;
        std::size_t const bytes = static_cast<std::size_t>(quote - piece);
        if (*at == '"') {
            if (unescaped == nullptr) {
                if (escapes_ == unescaped_.size()) unescaped_.emplace_back();
                unescaped = &unescaped_[escapes_++];
                unescaped->clear();
            }
            unescaped->append(piece, bytes + 1);
            piece = ++at;
            continue;
        }
        if (unescaped != nullptr)
            texts_.emplace_back(unescaped->append(piece, bytes));
        else
            texts_.emplace_back(piece, bytes);
        if (*at == '\r' && at[1] == '\n') ++at;
        if (*at != delimiter_ && *at != '\n')
            throw text_fault{
                at, "expected a delimiter behind the closing quote, found " + in_quotes({at, 1})};
        return at;
    }
}

char likely_delimiter(std::string_view record) {
    constexpr std::array<char, 4> known{',', ';', '\t', '|'};
    std::array<int, 4> counts{};
    bool inside = false;
    for (char const c : record) {
        if (c == '"') inside = !inside;
        for (std::size_t i = 0; !inside && i < known.size(); ++i) counts[i] += c == known[i] ? 1 : 0;
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < known.size(); ++i)
        if (counts[i] > counts[best]) best = i;
    return known[best];
}

} // namespace weft::io
