#include "binary_graph.hpp"
#include "binary_head.hpp"

#include <weft/core/error.hpp>
#include <weft/detail/core/even_shares.hpp>
#include <weft/detail/core/huge_pages.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace weft::io {

namespace {

constexpr std::int64_t items_at_a_time = std::int64_t{1} << 15; // which stay in a cache between two uses

/// The share of one rank of a file whose head is right. Local.
class binary_share {
public:
    binary_share(file_handle const& file, binary_head const& head, communicator const& comm)
        : file_(file),
          head_(head),
          mine_(weft::detail::even_shares(head.edges, comm.size())[comm.rank()]),
          names_(weft::detail::even_shares(head.names, comm.size())[comm.rank()]) {}

    /// The check sum of what was read.
    [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }
    [[nodiscard]] std::int64_t edges() const noexcept { return mine_.last - mine_.first; }

    template <class End, class Done>
    void read_edges(edge_list& into, Done const& done) {
        weft::detail::reserve_in_huge_pages(into.edges, static_cast<std::size_t>(edges()));
        struct pair {
            End source;
            End target;
        };
        read_items<pair>(
            head_.first_edge(), mine_,
            [&](pair const& each, std::int64_t place) {
                into.edges.push_back(
                    {static_cast<std::int64_t>(each.source), static_cast<std::int64_t>(each.target)});
                sum_ += check_of(into.edges.back(), place);
            },
            done);
    }

    template <class Weight, class Done>
    void read_weights(edge_list& into, weight_use use, Done const& done) {
        weft::detail::reserve_in_huge_pages(into.weights, static_cast<std::size_t>(edges()));
        read_items<Weight>(
            head_.first_weight(), mine_,
            [&](Weight stored, std::int64_t place) {
                auto const weight = static_cast<double>(stored);
                if (use == weight_use::lengths && !(weight >= 0 && std::isfinite(weight)))
                    throw io_error(file_.path().string() + "[" + std::to_string(place) +
                                   "]: expected a weight that is finite and at least 0, found " +
                                   std::to_string(weight));
                into.weights.push_back(weight);
                sum_ += check_of(weight, place);
            },
            done);
    }

    /// Reads the labels of its edges and of its share, which may be those of vertices without edges, and
    /// makes the ends of edges count them.
    void read_names(edge_list& into) {
        constexpr std::int64_t not_needed = -1, needed = -2;
        std::vector<std::int64_t> place(static_cast<std::size_t>(head_.names), not_needed);
        auto const place_of = [&](std::int64_t end) -> std::int64_t& {
            if (end < 0 || end >= head_.names) throw_damaged(file_.path());
            return place[static_cast<std::size_t>(end)];
        };
        for (edge const& each : into.edges) place_of(each.source) = place_of(each.target) = needed;
        std::int64_t begin = 0;
        std::vector<char> text;
        std::vector<std::int64_t> ends;
        for (std::int64_t first = 0; first < head_.names; first += items_at_a_time) {
            ends.resize(static_cast<std::size_t>(std::min(items_at_a_time, head_.names - first)));
            file_.read_all(std::as_writable_bytes(std::span(ends)), head_.first_name_end() + first * 8);
            std::int64_t const start = begin;
            for (std::int64_t const end : ends) {
                if (end < begin || end > head_.name_bytes) throw_damaged(file_.path());
                begin = end;
            }
            text.resize(static_cast<std::size_t>(begin - start));
            file_.read_all(std::as_writable_bytes(std::span(text)), head_.first_name() + start);
            std::int64_t at = start;
            for (std::size_t i = 0; i < ends.size(); at = ends[i++]) {
                std::string_view const name(
                    text.data() + (at - start), static_cast<std::size_t>(ends[i] - at));
                std::int64_t const number = first + static_cast<std::int64_t>(i);
                bool const is_mine = number >= names_.first && number < names_.last;
                if (is_mine) sum_ += check_of(name, number);
                std::int64_t& where = place[static_cast<std::size_t>(number)];
                if (where != needed && !is_mine) continue;
                where = std::ssize(into.names);
                into.names.emplace_back(name);
            }
        }
        if (begin != head_.name_bytes) throw_damaged(file_.path());
        for (edge& each : into.edges) each = {place_of(each.source), place_of(each.target)};
    }

private:
    template <class Item, class Use, class Done>
    void read_items(std::int64_t at, weft::detail::even_shares::range const& range, Use const& use,
        Done const& done) const {
        std::vector<Item> held(static_cast<std::size_t>(std::min(items_at_a_time, range.last - range.first)));
        for (std::int64_t first = range.first; first < range.last; first += items_at_a_time) {
            auto const items = static_cast<std::size_t>(std::min(items_at_a_time, range.last - first));
            auto const block = std::span(held).first(items);
            file_.read_all(
                std::as_writable_bytes(block), at + first * static_cast<std::int64_t>(sizeof(Item)));
            for (std::size_t i = 0; i < items; ++i) use(block[i], first + static_cast<std::int64_t>(i));
            done(static_cast<std::int64_t>(block.size_bytes()));
        }
    }

    file_handle const& file_;
    binary_head const& head_;
    weft::detail::even_shares::range mine_;  // edges
    weft::detail::even_shares::range names_; // whose check sum this rank adds up
    std::uint64_t sum_ = 0;
};

void describe_binary(binary_head const& head, edge_list& graph) {
    graph.naming = static_cast<vertex_naming>(head.naming);
    graph.symmetry = static_cast<matrix_symmetry>(head.symmetry);
    graph.vertices = head.vertices;
    graph.first_id = head.first_id;
    graph.rows = head.rows;
    graph.columns = head.columns;
    graph.directed = (head.flags & binary_head::is_directed) != 0;
    graph.both_directions = (head.flags & binary_head::has_both_directions) != 0;
    graph.bipartite = (head.flags & binary_head::is_bipartite) != 0;
    graph.weighted = head.weight_bytes != 0;
    graph.file_bytes = head.file_bytes();
    graph.format = "binary, ends of " + std::to_string(head.end_bytes) + " bytes" +
                   (graph.weighted ? ", weights of " + std::to_string(head.weight_bytes) : "");
}

} // namespace

edge_list read_binary_graph(communicator const& comm, std::filesystem::path const& file, weight_use weights,
    std::function<void(std::int64_t, std::int64_t)> const& progress) {
    edge_list graph;
    binary_head head;
    std::uint64_t read_sum = 0;
    bool const reads_weights = weights != weight_use::none;
    agreed(comm, [&] {
        file_handle const opened = file_handle::open_to_read(file);
        head = read_binary_head(opened);
        describe_binary(head, graph);
        binary_share share(opened, head, comm);
        std::int64_t bytes = 0;
        std::int64_t const total =
            share.edges() * (2 * head.end_bytes + (reads_weights ? head.weight_bytes : 0));
        auto const done = [&](std::int64_t more) {
            bytes += more;
            if (progress) progress(bytes, total);
        };
        if (head.end_bytes == 4)
            share.read_edges<std::uint32_t>(graph, done);
        else
            share.read_edges<std::int64_t>(graph, done);
        if (reads_weights && head.weight_bytes == 4)
            share.read_weights<float>(graph, weights, done);
        else if (reads_weights && head.weight_bytes == 8)
            share.read_weights<double>(graph, weights, done);
        else if (reads_weights)
            graph.weights.assign(static_cast<std::size_t>(share.edges()), 1.0);
        if (graph.naming == vertex_naming::text) share.read_names(graph);
        read_sum = share.sum();
    });
    // In halves, whose sums over ranks do not run over.
    constexpr std::uint64_t half = std::numeric_limits<std::uint32_t>::max();
    census_value told = census_value::identity();
    told.sum[0] = static_cast<std::int64_t>(read_sum & half);
    told.sum[1] = static_cast<std::int64_t>(read_sum >> 32);
    told = combine_all(comm, told);
    std::uint64_t const sum =
        static_cast<std::uint64_t>(told.sum[0]) + (static_cast<std::uint64_t>(told.sum[1]) << 32);
    agreed(comm, [&] {
        if (sum != head.edge_sum + head.name_sum + (reads_weights ? head.weight_sum : 0)) throw_damaged(file);
    });
    return graph;
}

} // namespace weft::io
