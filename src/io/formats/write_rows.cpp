#include "row_file.hpp"

#include <files/file_segments.hpp>
#include <graph/matrices/matrix_rows.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <limits>
#include <list>
#include <new>
#include <span>
#include <string>
#include <utility>

namespace weft::io {

namespace {

struct extra_ends {
    std::uint32_t source;
    std::uint32_t target;
};

/// One side of the rows as it goes into the file, and what they leave out.
struct written_side {
    std::vector<std::uint64_t> first; // by local vertex; on the last rank one more
    std::vector<std::uint32_t> ids;
    std::vector<double> weights;
    std::int64_t arcs = 0; // of all ranks
};

/// The end that tells of edges which are there more than once.
enum class equal_edges : std::uint8_t { told_here, told_by_higher_end, told_elsewhere };

class rows_writer {
public:
    rows_writer(gate& call, bool weights) : call_(call), comm_(call.comm()), weights_(weights) {}

    void write(edge_list graph, std::filesystem::path const& file) {
        describe(graph);
        vertex_set const vertices(comm_, graph);
        auto const& owners = vertices.owners();
        agreed(call_, [&] {
            if (owners.total() >= std::int64_t{std::numeric_limits<std::uint32_t>::max()})
                throw usage_error(std::string(call_.call()) +
                                  ": expected fewer than 4294967295 vertices, found " +
                                  std::to_string(owners.total()) + "; write_graph writes such a graph");
        });
        head_.vertices = owners.total();
        bool const directed = graph.directed;
        call_.guard([&] { take_loops_out(graph); });
        edge_list turned;
        if (directed)
            call_.guard([&] {
                turned = graph;
                for (edge& each : turned.edges) std::swap(each.source, each.target);
            });
        head_.loops = sum(comm_, std::ssize(extras_));
        written_side const out = side_of(
            std::move(graph), owners, directed ? equal_edges::told_here : equal_edges::told_by_higher_end);
        written_side in;
        if (directed) in = side_of(std::move(turned), owners, equal_edges::told_elsewhere);
        head_.out_arcs = out.arcs;
        head_.in_arcs = in.arcs;
        head_.extras = sum(comm_, std::ssize(extras_));
        if (head_.extras > head_.loops) head_.flags |= rows_head::has_equal_edges;
        take_names(vertices);
        find_weight_bytes(out, in);

        file_segments segments;
        segments_ = &segments;
        call_.guard([&] {
            segments.add(comm_.rank() == 0 ? sizeof head_ : 0, // when all sums are known
                [this](file_handle const& opened, std::int64_t at, std::int64_t) {
                    if (comm_.rank() == 0) opened.write(std::as_bytes(std::span(&head_, 1)), at);
                });
        });
        add(rows_section::out_first, std::span(out.first));
        add(rows_section::in_first, std::span(std::as_const(in.first)));
        add(rows_section::labels, std::span(std::as_const(numbers_)));
        add(rows_section::name_ends, std::span(std::as_const(name_ends_)));
        add(rows_section::out_ids, std::span(out.ids));
        add(rows_section::in_ids, std::span(std::as_const(in.ids)));
        add_weights(rows_section::out_weights, out.weights);
        add_weights(rows_section::in_weights, in.weights);
        add(rows_section::extra_ends, std::span(std::as_const(extras_)));
        add_weights(rows_section::extra_weights, extra_weights_);
        add(rows_section::names, std::span(std::as_const(names_)));
        head_.own_sum = head_.sum();
        segments.write(call_, file);
    }

private:
    void describe(edge_list const& graph) {
        std::ranges::copy(binary_magic, head_.magic.begin());
        head_.naming = static_cast<std::uint32_t>(graph.naming);
        head_.symmetry = static_cast<std::uint32_t>(graph.symmetry);
        head_.first_id = graph.naming == vertex_naming::declared ? graph.first_id : 0;
        if (graph.directed) head_.flags |= rows_head::is_directed;
    }

    void extra(global_id source, global_id target, double weight) {
        extras_.push_back({static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(target)});
        if (weights_) extra_weights_.push_back(weight);
    }

    /// Loops are told apart; of edges that are listed from both ends one remains.
    void take_loops_out(edge_list& graph) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < graph.edges.size(); ++i) {
            edge const each = graph.edges[i];
            double const weight = weights_ ? graph.weights[i] : 1;
            if (each.source == each.target) {
                extra(each.source, each.target, weight);
                continue;
            }
            if (graph.both_directions && each.source > each.target) continue;
            graph.edges[kept] = each;
            if (weights_) graph.weights[kept] = weight;
            ++kept;
        }
        graph.edges.resize(kept);
        if (weights_) graph.weights.resize(kept);
        graph.symmetry = matrix_symmetry::general;
        graph.bipartite = graph.both_directions = false;
    }

    written_side side_of(edge_list graph, uniform_distribution const& owners, equal_edges equal) {
        matrix_rows const rows = collect_rows(call_, std::move(graph), owners, owners);
        written_side side;
        global_id const begin = owners.begin(comm_.rank());
        call_.guard([&] {
            for (std::size_t row = 0; row + 1 < rows.first.size(); ++row) {
                side.first.push_back(side.ids.size());
                global_id const vertex = begin + static_cast<global_id>(row);
                for (std::size_t i = rows.first[row]; i < rows.first[row + 1];) {
                    global_id const other = rows.column[i];
                    std::size_t least = i, end = i + 1;
                    for (; end < rows.first[row + 1] && rows.column[end] == other; ++end)
                        if (rows.value[end] < rows.value[least]) least = end;
                    side.ids.push_back(static_cast<std::uint32_t>(other));
                    if (weights_) side.weights.push_back(rows.value[least]);
                    bool const told = equal == equal_edges::told_here ||
                                      (equal == equal_edges::told_by_higher_end && other < vertex);
                    for (; i < end; ++i)
                        if (told && i != least) extra(vertex, other, rows.value[i]);
                }
            }
        });
        prefix const place = exclusive_sum(comm_, std::ssize(side.ids));
        for (std::uint64_t& each : side.first) each += static_cast<std::uint64_t>(place.before);
        side.arcs = place.total;
        call_.guard([&] {
            if (comm_.rank() == comm_.size() - 1)
                side.first.push_back(static_cast<std::uint64_t>(place.total));
        });
        return side;
    }

    void take_names(vertex_set const& vertices) {
        if (vertices.naming() == vertex_naming::declared) return;
        std::int64_t const own = vertices.local_count();
        bool ascend = true;
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        call_.guard([&] {
            for (std::int64_t i = 0; i < own; ++i) {
                std::string const name = vertices.original_id(i);
                if (vertices.naming() == vertex_naming::text) {
                    names_.insert(names_.end(), name.begin(), name.end());
                    name_ends_.push_back(std::ssize(names_));
                    continue;
                }
                numbers_.push_back(std::stoll(name));
            }
            // The label of vertex 0, where labels follow each other.
            if (own > 0 && !numbers_.empty())
                least = static_cast<std::int64_t>(static_cast<std::uint64_t>(numbers_.front()) -
                                                  static_cast<std::uint64_t>(vertices.first_local()));
            for (std::size_t i = 1; i < numbers_.size(); ++i)
                ascend = ascend && numbers_[i - 1] + 1 == numbers_[i];
        });
        if (vertices.naming() == vertex_naming::text) {
            prefix const characters = exclusive_sum(comm_, std::ssize(names_));
            head_.name_bytes = characters.total;
            for (std::int64_t& each : name_ends_) each += characters.before;
            return;
        }
        std::int64_t const first = min(comm_, least);
        bool const mine = own == 0 || (ascend && least == first);
        if (min(comm_, std::int64_t{mine}) == 0) return;
        head_.flags |= rows_head::labels_ascend;
        head_.first_id = head_.vertices == 0 ? 0 : first;
        numbers_.clear();
    }

    void find_weight_bytes(written_side const& out, written_side const& in) {
        if (!weights_) return;
        auto const fit = [](std::vector<double> const& weights) {
            return std::ranges::all_of(weights, fits_float);
        };
        bool const floats = fit(out.weights) && fit(in.weights) && fit(extra_weights_);
        head_.weight_bytes = min(comm_, std::int64_t{floats}) == 1 ? 4 : 8;
    }

    /// Adds the items of this rank, and their check sum to the head. Collective.
    template <class Item>
    void add(rows_section which, std::span<Item const> mine) {
        using unit = std::conditional_t<sizeof(Item) == 1, unsigned char, std::uint32_t>;
        std::span const units(reinterpret_cast<unit const*>(mine.data()), mine.size_bytes() / sizeof(unit));
        prefix const place = exclusive_sum(comm_, std::ssize(units));
        head_.sums[static_cast<std::size_t>(which)] = sum_of_words(comm_, sum_of_units(units, place.before));
        call_.guard([&] { segments_->add(std::as_bytes(mine)); });
    }

    void add_weights(rows_section which, std::vector<double> const& weights) {
        if (head_.weight_bytes != 4) return add(which, std::span(weights));
        std::vector<float>& floats = floats_.emplace_back();
        call_.guard([&] { floats.assign(weights.begin(), weights.end()); });
        add(which, std::span(std::as_const(floats)));
    }

    gate& call_;
    communicator const& comm_;
    bool weights_;
    rows_head head_;
    std::vector<extra_ends> extras_;
    std::vector<double> extra_weights_;
    std::vector<std::int64_t> numbers_;
    std::vector<std::int64_t> name_ends_;
    std::vector<char> names_;
    std::list<std::vector<float>> floats_;
    file_segments* segments_ = nullptr;
};

} // namespace

void write_rows(gate& call, edge_list graph, bool weights, std::filesystem::path const& file) try {
    rows_writer(call, weights).write(std::move(graph), file);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_graph");
    throw;
}

} // namespace weft::io
