/// Random graphs in every format, written in unusual ways that the format allows, and the expected answers.
#pragma once

#include <io/shared_folder.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace weft_test {

struct odd_file {
    std::string name;
    std::string content;
    std::vector<weighted_edge> edges; ///< In the order of the file.
    std::int64_t vertices = 0;
};

/// Writes the same on all ranks for an equal seed.
class odd_writer {
public:
    explicit odd_writer(std::uint64_t seed) : random_(seed) {}

    odd_file edge_list(bool weighted) {
        odd_file made{"graph.txt", chance(3) ? "\xef\xbb\xbf" : "", {}, 0};
        std::int64_t const range = chance(2) ? 20 : std::int64_t{1} << 61;
        for (std::int64_t i = below(300); i >= 0; --i) {
            weighted_edge const each{below(2 * range) - range, below(range), weighted ? number() : 1};
            made.edges.push_back(each);
            noise(made.content, chance(2) ? '#' : '%');
            made.content += indent() + std::to_string(each.source) + blank() + std::to_string(each.target);
            if (weighted) made.content += blank() + written(each.weight);
            if (weighted && chance(3)) made.content += blank() + "more columns";
            made.content += newline();
        }
        return finished(made);
    }

    odd_file matrix_market(bool weighted, bool square) {
        odd_file made{"graph.mtx", "", {}, 0};
        std::int64_t const rows = 1 + below(50);
        std::int64_t const columns = square ? rows : rows + 1 + below(9);
        made.vertices = square ? rows : rows + columns;
        std::int64_t const entries = below(300);
        made.content = std::string(chance(2) ? "%%MatrixMarket matrix" : "%%matrixmarket MATRIX") +
                       " coordinate " + (weighted ? "real" : "pattern") + " general" + newline();
        noise(made.content, '%');
        made.content += indent() + std::to_string(rows) + blank() + std::to_string(columns) + blank() +
                        std::to_string(entries) + newline();
        for (std::int64_t i = 0; i < entries; ++i) {
            std::int64_t const row = below(rows);
            std::int64_t const column = below(columns);
            double const value = weighted ? number() : 1;
            made.edges.push_back({row, square ? column : rows + column, value});
            if (chance(9)) made.content += newline();
            made.content += indent() + std::to_string(row + 1) + blank() + std::to_string(column + 1);
            if (weighted) made.content += blank() + written(value);
            made.content += trail() + newline();
        }
        return finished(made);
    }

    odd_file metis(bool weighted, bool vertex_numbers) {
        odd_file made{"graph.graph", "", {}, 1 + below(40)};
        std::vector<std::vector<weighted_edge>> lines(static_cast<std::size_t>(made.vertices));
        auto const line = [&](std::int64_t vertex) -> auto& {
            return lines[static_cast<std::size_t>(vertex)];
        };
        std::int64_t const edges = below(200);
        for (std::int64_t i = 0; i < edges; ++i) {
            // A vertex with many edges makes a long line.
            std::int64_t const u = chance(2) ? 0 : below(made.vertices);
            std::int64_t const v = below(made.vertices);
            double const weight = weighted ? number() : 1;
            line(u).push_back({u, v, weight});
            line(v).push_back({v, u, weight});
        }
        noise(made.content, '%', false);
        made.content += std::to_string(made.vertices) + blank() + std::to_string(edges);
        if (weighted || vertex_numbers)
            made.content += blank() + std::string(vertex_numbers ? "11" : "0") + (weighted ? "1" : "0");
        if (vertex_numbers) made.content += blank() + "2";
        made.content += newline();
        for (auto const& neighbours : lines) {
            noise(made.content, '%', false);
            made.content += indent();
            if (vertex_numbers) made.content += "7" + blank() + "8" + blank() + "9" + trail();
            for (weighted_edge const& each : neighbours) {
                made.edges.push_back(each);
                made.content += blank() + std::to_string(each.target + 1);
                if (weighted) made.content += blank() + written(each.weight);
            }
            made.content += trail() + newline();
        }
        return finished(made);
    }

    odd_file dimacs(char kind) {
        odd_file made{"graph.gr", "", {}, 1 + below(50)};
        std::int64_t const edges = below(300);
        noise(made.content, 'c');
        made.content += "p" + blank() +
                        (kind == 'a'      ? "sp"
                            : kind == 'e' ? "col"
                                          : "tw") +
                        blank() + std::to_string(made.vertices) + blank() + std::to_string(edges) + newline();
        for (std::int64_t i = 0; i < edges; ++i) {
            weighted_edge const each{below(made.vertices), below(made.vertices), kind == 'a' ? number() : 1};
            made.edges.push_back(each);
            noise(made.content, 'c');
            made.content += indent() + (kind == 'p' ? "" : kind + blank()) + std::to_string(each.source + 1) +
                            blank() + std::to_string(each.target + 1);
            if (kind == 'a') made.content += blank() + written(each.weight);
            made.content += trail() + newline();
        }
        return finished(made);
    }

private:
    std::int64_t below(std::int64_t bound) {
        return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(random_);
    }
    bool chance(int one_in) { return below(one_in) == 0; }

    /// Returns a number that is exact with six decimals.
    double number() { return static_cast<double>(below(2'000'001) - 1'000'000) / 64; }
    static std::string written(double value) { return std::to_string(value); }

    std::string blank() {
        static char const* const kinds[] = {" ", "\t", "  ", " \t ", " "};
        return kinds[below(5)];
    }
    std::string indent() { return chance(5) ? blank() : ""; }
    std::string trail() { return indent(); }
    std::string newline() { return chance(3) ? "\r\n" : "\n"; }

    void noise(std::string& content, char comment, bool blank_lines = true) {
        if (chance(9)) content += comment + std::string(" 1 2 3, no edge") + newline();
        if (blank_lines && chance(9)) content += indent() + newline();
    }

    /// Sometimes removes the last newline.
    odd_file finished(odd_file& made) {
        if (chance(2) && !made.content.empty() && made.content.back() == '\n') {
            made.content.pop_back();
            if (!made.content.empty() && made.content.back() == '\r') made.content.pop_back();
        }
        return std::move(made);
    }

    std::mt19937_64 random_;
};

} // namespace weft_test
