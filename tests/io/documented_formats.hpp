/// Tables of formats in docs/inputs.md.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft_test {

/// Returns the cells of each row of the first table below the heading that begins so.
inline std::vector<std::vector<std::string>> documented_rows(std::string const& heading) {
    std::ifstream page(WEFT_INPUTS_PAGE);
    if (!page) throw std::runtime_error(WEFT_INPUTS_PAGE ": cannot be read");
    std::vector<std::vector<std::string>> rows;
    bool below = false;
    for (std::string line; std::getline(page, line);) {
        below = below || line.starts_with("## " + heading);
        if (!below || !line.starts_with('|')) {
            if (!rows.empty()) break;
            continue;
        }
        std::vector<std::string> cells;
        std::istringstream in(line.substr(1));
        for (std::string cell; std::getline(in, cell, '|');) {
            std::size_t const first = cell.find_first_not_of(' ');
            cells.push_back(
                first == cell.npos ? "" : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
        }
        rows.push_back(std::move(cells));
    }
    if (rows.size() < 3) throw std::runtime_error("docs/inputs.md: no table below " + heading);
    rows.erase(rows.begin(), rows.begin() + 2);
    return rows;
}

/// Returns the words between backticks that begin with a dot.
inline std::vector<std::string> endings_in(std::string const& cell) {
    std::vector<std::string> found;
    std::istringstream in(cell);
    for (std::string text, word; std::getline(in, text, '`') && std::getline(in, word, '`');)
        if (word.starts_with('.')) found.push_back(word);
    return found;
}

} // namespace weft_test
