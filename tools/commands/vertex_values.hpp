/// A value a vertex: the file that it is written to, and the vertices that have most.
#pragma once

#include "graph_input.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "report/label_rows.hpp"

#include <weft/collective/reduce.hpp>
#include <weft/graph/vertex_set.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft::tool {

/// The options --out and --top.
class vertex_values {
public:
    /// `value` is what the help calls a value.
    void add_to(CLI::App& parser, std::string const& value);

    /// Adds the vertices of the largest values to the result of a report, and writes `original-id value` a
    /// line, where it is asked for. Collective.
    template <class T>
    void report(session const& now, vertex_set const& vertices, std::span<T const> values) const {
        report_top(now, vertices, values);
        write_to(out_, name_, now, vertices, values);
    }
    /// Adds vertices and their values, the same on all ranks, to the result of a report as its top.
    /// Collective.
    template <class Item>
    static void add_top(session const& now, vertex_set const& vertices, std::vector<Item> const& items) {
        std::vector<global_id> asked; // once, not by every rank
        for (Item const& each : items)
            if (now.comm.rank() == 0) asked.push_back(each.vertex);
        auto const ids = original_ids_as_json(vertices, asked);
        auto& top = now.report["result"]["top"] = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < ids.size(); ++i)
            top.push_back({{"vertex", ids[i]}, {"value", items[i].value}});
    }

    /// Writes `original-id value` a line, where there is a file. Collective.
    template <class T>
    static void write_to(std::string const& file, std::string const& name, session const& now,
        vertex_set const& vertices, std::span<T const> values) {
        if (file.empty()) return;
        now.progress.phase("writing values");
        now.report["options"]["out"] = file;
        write_values_of_vertices(vertices, file, name, values);
        now.watch.lap("write");
    }

    /// Rows of the top in such a report's result.
    [[nodiscard]] static std::string table_of_top(nlohmann::ordered_json const& result);

private:
    /// Adds the vertices of the largest values to the result of a report, the first vertex where values are
    /// equal.
    template <class T>
    void report_top(session const& now, vertex_set const& vertices, std::span<T const> values) const {
        struct item {
            global_id vertex;
            T value;
        };
        auto const keep_top = [&](std::vector<item>& items) {
            std::size_t const most = std::min(static_cast<std::size_t>(top_), items.size());
            std::ranges::partial_sort(
                items, items.begin() + static_cast<std::ptrdiff_t>(most), [](item const& a, item const& b) {
                    return a.value != b.value ? a.value > b.value : a.vertex < b.vertex;
                });
            items.resize(most);
        };
        using list = std::vector<item>;
        list mine;
        for (std::size_t i = 0; i < values.size(); ++i)
            mine.push_back({vertices.first_local() + static_cast<global_id>(i), values[i]});
        keep_top(mine);
        list const all = all_reduce(now.comm, std::move(mine), [&](list of, list const& others) {
            of.insert(of.end(), others.begin(), others.end());
            keep_top(of);
            return of;
        });
        add_top(now, vertices, all);
        now.report["options"]["top"] = top_;
    }

    std::string out_;
    std::string name_; ///< of a value
    std::int64_t top_ = 10;
};

} // namespace weft::tool
