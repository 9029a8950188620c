#include "row_file.hpp"

#include <weft/core/error.hpp>
#include <weft/detail/core/huge_pages.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace weft::io {

using weft::detail::row_side;
using weft::detail::vertex_rows;

/// One rank, reading for one question. Local.
class row_file::share {
public:
    share(row_file const& from, communicator const& comm)
        : file_(from.file_),
          head_(from.head_),
          progress_(from.progress_),
          weights_(from.weights_),
          owners_(from.head_.vertices, comm.size()),
          begin_(owners_.begin(comm.rank())),
          own_(owners_.size(comm.rank())),
          is_last_(comm.rank() == comm.size() - 1),
          extras_(weft::detail::even_shares(from.head_.extras, comm.size())[comm.rank()]) {}

    /// The sum of what was read, and that of the whole sections.
    [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }
    [[nodiscard]] std::uint64_t expected() const noexcept { return expected_; }
    [[nodiscard]] std::int64_t begin() const noexcept { return begin_; }
    [[nodiscard]] std::int64_t own() const noexcept { return own_; }

    [[nodiscard]] vertex_rows read_rows(row_side side, bool weights) {
        bool const in = side == row_side::incoming && head_.has(rows_head::is_directed);
        auto const of = [&](rows_section out, rows_section incoming) { return in ? incoming : out; };
        vertex_rows rows;
        auto const arcs = static_cast<std::size_t>(in ? head_.in_arcs : head_.out_arcs);
        rows_section const first = of(rows_section::out_first, rows_section::in_first);
        weft::detail::reserve_in_huge_pages(rows.first, static_cast<std::size_t>(own_) + 1);
        std::size_t before = 0;
        auto const take_first = [&](std::span<std::uint64_t const> places) {
            for (std::uint64_t const place : places) {
                if (place < before || place > arcs) throw_damaged(file_.path());
                rows.first.push_back(before = place);
            }
        };
        read_items<std::uint64_t>(first, begin_, begin_ + own_, take_first);
        count_sum_ = is_last_;
        read_items<std::uint64_t>(first, begin_ + own_, begin_ + own_ + 1, take_first);
        count_sum_ = true;
        std::size_t const base = rows.first.front();
        auto const from = static_cast<std::int64_t>(base), to = static_cast<std::int64_t>(rows.first.back());
        if (base != 0)
            for (std::size_t& each : rows.first) each -= base;

        rows_section const ids = of(rows_section::out_ids, rows_section::in_ids);
        weft::detail::reserve_in_huge_pages(rows.ids, static_cast<std::size_t>(to - from));
        auto const most = static_cast<std::uint32_t>(head_.vertices);
        read_items<std::uint32_t>(ids, from, to, [&](std::span<std::uint32_t const> read) {
            bool right = true;
            for (std::uint32_t const id : read) right &= id < most;
            if (!right) throw_damaged(file_.path());
            rows.ids.insert(rows.ids.end(), read.begin(), read.end());
        });
        if (weights)
            rows.weights = read_weights(of(rows_section::out_weights, rows_section::in_weights), from, to);
        return rows;
    }

    /// Adds this rank's extra edges.
    void read_extras(edge_list& into, bool weights) {
        struct pair {
            std::uint32_t source;
            std::uint32_t target;
        };
        auto const most = static_cast<std::uint32_t>(head_.vertices);
        read_items<pair>(
            rows_section::extra_ends, extras_.first, extras_.last, [&](std::span<pair const> read) {
                for (pair const& each : read) {
                    if (each.source >= most || each.target >= most) throw_damaged(file_.path());
                    into.edges.push_back({each.source, each.target});
                }
            });
        if (!weights) return;
        std::vector<double> const more =
            read_weights(rows_section::extra_weights, extras_.first, extras_.last);
        into.weights.insert(into.weights.end(), more.begin(), more.end());
    }

    /// The labels of vertices of a range, which are numbers.
    [[nodiscard]] std::vector<std::int64_t> read_labels(std::int64_t first, std::int64_t last) {
        std::vector<std::int64_t> labels;
        labels.reserve(static_cast<std::size_t>(last - first));
        read_items<std::int64_t>(rows_section::labels, first, last, [&](std::span<std::int64_t const> read) {
            labels.insert(labels.end(), read.begin(), read.end());
        });
        return labels;
    }

    /// The names of vertices of a range.
    [[nodiscard]] std::vector<std::string> read_names(std::int64_t first, std::int64_t last) {
        std::vector<std::int64_t> ends;
        std::int64_t before = 0;
        auto const take_ends = [&](std::span<std::int64_t const> read) {
            for (std::int64_t const end : read) {
                if (end < before || end > head_.name_bytes) throw_damaged(file_.path());
                ends.push_back(before = end);
            }
        };
        ends.push_back(0);
        if (first > 0) {
            count_sum_ = false;
            ends.clear();
            read_items<std::int64_t>(rows_section::name_ends, first - 1, first, take_ends);
            count_sum_ = true;
        }
        read_items<std::int64_t>(rows_section::name_ends, first, last, take_ends);
        std::string text;
        read_items<char>(rows_section::names, ends.front(), ends.back(),
            [&](std::span<char const> read) { text.append(read.data(), read.size()); });
        std::vector<std::string> names;
        names.reserve(static_cast<std::size_t>(last - first));
        for (std::size_t i = 0; i + 1 < ends.size(); ++i)
            names.push_back(text.substr(static_cast<std::size_t>(ends[i] - ends.front()),
                static_cast<std::size_t>(ends[i + 1] - ends[i])));
        return names;
    }

    /// From here on nothing is checked, because ranks read the same.
    void leave_sum() noexcept { count_sum_ = false; }

private:
    std::vector<double> read_weights(rows_section which, std::int64_t first, std::int64_t last) {
        std::vector<double> weights;
        weft::detail::reserve_in_huge_pages(weights, static_cast<std::size_t>(last - first));
        auto const take = [&](auto const& read) {
            std::size_t const at = weights.size();
            weights.resize(at + read.size());
            for (std::size_t i = 0; i < read.size(); ++i) weights[at + i] = static_cast<double>(read[i]);
            if (weights_ != weight_use::lengths) return;
            for (std::size_t i = at; i < weights.size(); ++i)
                if (!(weights[i] >= 0 && std::isfinite(weights[i])))
                    throw io_error(file_.path().string() +
                                   ": expected weights that are finite and at least 0, found " +
                                   std::to_string(weights[i]));
        };
        if (head_.weight_bytes == 4)
            read_items<float>(which, first, last, take);
        else
            read_items<double>(which, first, last, take);
        return weights;
    }

    /// Reads items of a section by pieces that stay in a cache, adds them up and gives them to `use`.
    template <class Item, class Use>
    void read_items(rows_section which, std::int64_t first, std::int64_t last, Use const& use) {
        using unit = std::conditional_t<sizeof(Item) == 1, unsigned char, std::uint32_t>;
        constexpr std::int64_t at_a_time = (std::int64_t{1} << 18) / sizeof(Item);
        constexpr std::int64_t bytes_of_unit = sizeof(unit);
        constexpr std::int64_t units = std::int64_t{sizeof(Item)} / bytes_of_unit;
        if (count_sum_ && which != counted_)
            expected_ += head_.sums[static_cast<std::size_t>(counted_ = which)];
        std::int64_t const begin = head_.begin_of(which);
        auto const all = (last - first) * static_cast<std::int64_t>(sizeof(Item));
        std::vector<Item> held(static_cast<std::size_t>(std::min(at_a_time, last - first)));
        for (std::int64_t at = first; at < last; at += at_a_time) {
            auto const part = std::span(held).first(static_cast<std::size_t>(std::min(at_a_time, last - at)));
            file_.read_all(
                std::as_writable_bytes(part), begin + at * static_cast<std::int64_t>(sizeof(Item)));
            if (count_sum_)
                sum_ += sum_of_units(
                    std::span(reinterpret_cast<unit const*>(part.data()), part.size() * units), at * units);
            use(std::span<Item const>(part));
            if (progress_)
                progress_((at - first) * static_cast<std::int64_t>(sizeof(Item)) +
                              static_cast<std::int64_t>(part.size_bytes()),
                    all);
        }
    }

    file_handle const& file_;
    rows_head const& head_;
    read_progress const& progress_;
    weight_use weights_;
    uniform_distribution owners_;
    std::int64_t begin_;
    std::int64_t own_;
    bool is_last_;
    weft::detail::even_shares::range extras_;
    bool count_sum_ = true;
    rows_section counted_ = static_cast<rows_section>(rows_sections); // none
    std::uint64_t sum_ = 0;
    std::uint64_t expected_ = 0;
};

row_file::row_file(
    communicator const& comm, std::filesystem::path const& file, weight_use weights, read_progress progress)
    : comm_(comm), file_(file_handle::open_to_read(file)), weights_(weights), progress_(std::move(progress)) {
    head_ = read_rows_head(file_);
    directed_ = head_.has(rows_head::is_directed);
    weighted_ = head_.weight_bytes != 0 && weights != weight_use::none;
    has_equal_edges_ = head_.has(rows_head::has_equal_edges);
    loops_ = head_.loops;
    first_id_ = head_.naming == static_cast<std::uint32_t>(vertex_naming::declared) ? head_.first_id : 0;
}

void row_file::agree_on_sum(gate& call, share const& read) const {
    // In halves, whose sums over ranks do not run over.
    constexpr std::uint64_t half = std::numeric_limits<std::uint32_t>::max();
    census_value told = census_value::identity();
    told.sum[0] = static_cast<std::int64_t>(read.sum() & half);
    told.sum[1] = static_cast<std::int64_t>(read.sum() >> 32);
    told = call.agree(told);
    std::uint64_t const sum =
        static_cast<std::uint64_t>(told.sum[0]) + (static_cast<std::uint64_t>(told.sum[1]) << 32);
    if (sum != read.expected()) throw_damaged(file_.path()); // on all ranks
}

vertex_rows row_file::rows(gate& call, row_side side, bool weights) const {
    share mine(*this, call.comm());
    vertex_rows read;
    call.guard([&] { read = mine.read_rows(side, weights); });
    agree_on_sum(call, mine);
    return read;
}

edge_list row_file::description() const {
    edge_list list;
    list.naming = static_cast<vertex_naming>(head_.naming);
    list.symmetry = static_cast<matrix_symmetry>(head_.symmetry);
    list.first_id = first_id_;
    if (list.naming == vertex_naming::declared) list.vertices = list.rows = list.columns = head_.vertices;
    list.directed = directed_;
    list.weighted = head_.weight_bytes != 0;
    list.file_bytes = head_.file_bytes();
    list.format = std::string("binary, rows of neighbours") +
                  (list.weighted ? ", weights of " + std::to_string(head_.weight_bytes) + " bytes" : "");
    return list;
}

edge_list row_file::edges(gate& call, bool weights) const {
    share mine(*this, call.comm());
    edge_list list = description();
    list.naming = vertex_naming::declared;
    list.first_id = 0;
    list.vertices = list.rows = list.columns = head_.vertices;
    bool const stored = weights && head_.weight_bytes != 0;
    call.guard([&] {
        vertex_rows const rows = mine.read_rows(row_side::outgoing, stored);
        for (std::size_t row = 0; row + 1 < rows.first.size(); ++row) {
            std::int64_t const vertex = mine.begin() + static_cast<std::int64_t>(row);
            for (std::size_t i = rows.first[row]; i < rows.first[row + 1]; ++i) {
                if (!directed_ && rows.ids[i] > vertex) break; // the other end has it
                list.edges.push_back({vertex, rows.ids[i]});
                if (stored) list.weights.push_back(rows.weights[i]);
            }
        }
        mine.read_extras(list, stored);
        // Without a direction as most files have them: below the diagonal, or from the lower vertex.
        bool const falls = list.symmetry == matrix_symmetry::symmetric;
        for (edge& each : list.edges)
            if (!directed_ && (each.source < each.target) == falls) std::swap(each.source, each.target);
        if (weights && !stored) list.weights.assign(list.edges.size(), 1.0);
    });
    agree_on_sum(call, mine);
    return list;
}

vertex_set row_file::vertices(gate& call) const {
    share mine(*this, call.comm());
    std::vector<std::int64_t> numbers;
    std::vector<std::string> names;
    auto const naming = static_cast<vertex_naming>(head_.naming);
    call.guard([&] {
        if (naming == vertex_naming::numbers && !head_.has(rows_head::labels_ascend))
            numbers = mine.read_labels(mine.begin(), mine.begin() + mine.own());
        if (naming == vertex_naming::text) names = mine.read_names(mine.begin(), mine.begin() + mine.own());
    });
    agree_on_sum(call, mine);
    return vertices_of(comm_, head_.vertices, naming, head_.first_id, std::move(numbers), std::move(names));
}

edge_list row_file::named_edges(gate& call) const {
    edge_list list = edges(call, weights_ != weight_use::none);
    edge_list const known = description();
    vertex_set const own = vertices(call); // checks the labels
    call.guard([&] {
        share mine(*this, call.comm());
        mine.leave_sum();
        if (known.naming == vertex_naming::numbers && head_.has(rows_head::labels_ascend)) {
            for (edge& each : list.edges) each = {each.source + head_.first_id, each.target + head_.first_id};
        } else if (known.naming == vertex_naming::numbers) {
            std::vector<std::int64_t> const labels = mine.read_labels(0, head_.vertices);
            for (edge& each : list.edges)
                each = {labels[static_cast<std::size_t>(each.source)],
                    labels[static_cast<std::size_t>(each.target)]};
        } else if (known.naming == vertex_naming::text) {
            std::vector<std::string> names = mine.read_names(0, head_.vertices);
            constexpr std::int64_t not_needed = -1, needed = -2;
            std::vector<std::int64_t> place(names.size(), not_needed);
            for (edge const& each : list.edges)
                place[static_cast<std::size_t>(each.source)] = place[static_cast<std::size_t>(each.target)] =
                    needed;
            for (std::int64_t i = 0; i < mine.own(); ++i)
                place[static_cast<std::size_t>(mine.begin() + i)] = needed; // which may have no edge
            for (std::size_t i = 0; i < names.size(); ++i) {
                if (place[i] != needed) continue;
                place[i] = std::ssize(list.names);
                list.names.push_back(std::move(names[i]));
            }
            for (edge& each : list.edges)
                each = {place[static_cast<std::size_t>(each.source)],
                    place[static_cast<std::size_t>(each.target)]};
        }
    });
    call.agree();
    edge_list named = known;
    named.edges = std::move(list.edges);
    named.weights = std::move(list.weights);
    named.names = std::move(list.names);
    return named;
}

std::shared_ptr<row_file const> open_row_file(
    communicator const& comm, std::filesystem::path const& file, weight_use weights, read_progress progress) {
    bool found = false;
    agreed(comm, [&] {
        if (comm.rank() == 0) found = begins_with_rows(file_handle::open_to_read(file));
    });
    if (max(comm, std::int64_t{found}) == 0) return nullptr;
    std::shared_ptr<row_file const> opened;
    agreed(
        comm, [&] { opened = std::make_shared<row_file const>(comm, file, weights, std::move(progress)); });
    return opened;
}

} // namespace weft::io
