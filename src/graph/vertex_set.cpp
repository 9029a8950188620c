#include <weft/graph/vertex_set.hpp>

#include "endpoints.hpp"
#include "vertex_labels.hpp"

#include <frames/ask.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <charconv>
#include <new>
#include <optional>

namespace weft {

namespace {

std::optional<std::int64_t> as_number(std::string_view text) {
    std::int64_t number = 0;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// The place of a label among the sorted ones of this rank; -1 if it is not there.
template <class Label, class Asked>
std::int64_t place_of(std::vector<Label> const& sorted, Asked const& label) {
    auto const at = std::lower_bound(sorted.begin(), sorted.end(), label);
    return at != sorted.end() && *at == label ? at - sorted.begin() : -1;
}

} // namespace

vertex_set::vertex_set(communicator comm, edge_list& list)
    : comm_(std::move(comm)), naming_(list.naming), first_id_(list.first_id) {
    gate call(comm_, "vertex_set");
    call.same("the naming of vertices", naming_).same("the first id", first_id_);
    if (naming_ == vertex_naming::declared) call.same("the number of vertices", list.vertices);
    agreed(call, [&] { check_endpoints(list, "graph"); });
    switch (naming_) {
    case vertex_naming::declared:
        owners_ = uniform_distribution(list.vertices, comm_.size());
        break;
    case vertex_naming::numbers: {
        auto labelled = number_vertices(call, list.edges);
        call.agree();
        owners_ = labelled.vertices;
        number_labels_ = std::move(labelled.labels);
        break;
    }
    case vertex_naming::text: {
        auto labelled = number_vertices(call, list.edges, std::move(list.names));
        call.agree();
        owners_ = labelled.vertices;
        text_labels_ = std::move(labelled.labels);
        break;
    }
    }
}

vertex_set::vertex_set(communicator comm, uniform_distribution owners, vertex_naming naming,
    std::int64_t first_id, std::vector<std::int64_t> numbers, std::vector<std::string> texts)
    : comm_(std::move(comm)),
      owners_(owners),
      naming_(naming),
      first_id_(first_id),
      number_labels_(std::move(numbers)),
      text_labels_(std::move(texts)) {
}

std::string vertex_set::original_id(std::int64_t local) const {
    if (naming_ == vertex_naming::text) return text_labels_[static_cast<std::size_t>(local)];
    if (!number_labels_.empty()) return std::to_string(number_labels_[static_cast<std::size_t>(local)]);
    return std::to_string(first_local() + local + first_id_);
}

std::vector<std::string> vertex_set::original_ids(std::span<global_id const> asked) const try {
    gate call(comm_, "original_ids");
    call.guard([&] {
        for (global_id const vertex : asked)
            if (vertex < 0 || vertex >= owners_.total())
                throw usage_error("original_ids: vertex " + std::to_string(vertex) + " is none of the " +
                                  std::to_string(owners_.total()));
    });
    auto ids = ask<std::string>(
        call, asked, [&](global_id vertex) { return owners_.owner(vertex); },
        [&](global_id vertex) { return original_id(vertex - first_local()); });
    call.agree();
    return ids;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("original_ids");
    throw;
}

global_id vertex_set::find(std::string_view original_id) const {
    gate call(comm_, "vertex_set::find");
    call.same("the vertex", original_id);
    std::int64_t local = -1;
    if (naming_ == vertex_naming::text) {
        local = place_of(text_labels_, original_id);
    } else if (auto const number = as_number(original_id)) {
        if (!number_labels_.empty())
            local = place_of(number_labels_, *number);
        else if (std::int64_t const first = first_local() + first_id_;
                 *number >= first && *number < first + local_count())
            local = *number - first;
    }
    census_value mine = census_value::identity();
    mine.max[census_slot::first_free] = local < 0 ? -1 : first_local() + local;
    return call.agree(mine).max[census_slot::first_free];
}

} // namespace weft
