/// Options that take one of some words.
#pragma once

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>
#include <vector>

namespace weft::tool {

/// Turns a word into the value that it means, for `transform`. The help and the error name the words alone.
template <class Value>
[[nodiscard]] CLI::Validator one_of(std::map<std::string, Value> const& meanings) {
    std::vector<std::string> words;
    for (auto const& [word, value] : meanings) words.push_back(word);
    return {[meanings, words](std::string& text) {
                auto const found = meanings.find(text);
                if (found == meanings.end())
                    return fmt::format("expected {}, found {}", fmt::join(words, ", "), text);
                text = CLI::detail::value_string(found->second); // as the option reads it back
                return std::string();
            },
        fmt::format("{{{}}}", fmt::join(words, ","))};
}

} // namespace weft::tool
