/// Values of blocks merged, scanned and spread; arrays of blocks combined in place.
#include "blocks.hpp"
#include "reduction.hpp"

#include <weft/blocks/block_reduction.hpp>
#include <weft/blocks/block_scan.hpp>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <tuple>

namespace weft::python {

namespace {

/// A function of a block as what reductions take their values from.
auto value_by(any_callable const& function) {
    return [&function](object_value const& block, block_id id) {
        object_value made;
        call_python([&] { made.of = keep(function(block.get(), index_of(id))); });
        return made;
    };
}

auto combine_by(any_callable const& function) {
    return [&function](object_value left, object_value right) {
        object_value made;
        call_python([&] { made.of = keep(function(left.get(), right.get())); });
        return made;
    };
}

using kept_objects = std::map<std::int64_t, nb::object>;

/// Results by block; kept without the GIL, read with it.
class kept_values {
public:
    auto taker() {
        return [this](object_value&, block_id id, object_value value) {
            values_.emplace_back(index_of(id), std::move(value));
        };
    }
    [[nodiscard]] kept_objects to_python() const {
        kept_objects made;
        for (auto const& [id, value] : values_) made.emplace(id, value.get());
        return made;
    }

private:
    std::vector<std::pair<std::int64_t, object_value>> values_;
};

nb::object all_reduce_values(
    open_blocks const& blocks, any_callable const& value, any_callable const& combine) {
    object_value result;
    {
        block_call const call(blocks, "all_reduce");
        result = blocks.get().all_reduce<object_value>(value_by(value), combine_by(combine));
    }
    return result.get();
}

kept_objects merge_values(open_blocks const& blocks, std::vector<int> const& k, bool until_one,
    std::int64_t root, any_callable const& value, any_callable const& combine) {
    kept_values kept;
    {
        block_call const call(blocks, "merge_reduce");
        std::int64_t const count = blocks.get().where().blocks();
        schedule_options const options{.root = root};
        regular_schedule const rounds =
            until_one ? merge_schedule(count, k.at(0), options) : merge_schedule(count, k, options);
        merge_reduce<object_value>(blocks.get(), rounds, value_by(value), combine_by(combine), kept.taker());
    }
    return kept.to_python();
}

kept_objects scan_values(open_blocks const& blocks, any_callable const& value, any_callable const& combine) {
    kept_values kept;
    {
        block_call const call(blocks, "scan");
        scan<object_value>(blocks.get(), value_by(value), combine_by(combine), kept.taker());
    }
    return kept.to_python();
}

nb::object broadcast_value(open_blocks const& blocks, std::int64_t root, any_callable const& value) {
    object_value result;
    {
        block_call const call(blocks, "broadcast");
        block_objects& set = blocks.get();
        if (!set.where().exists(block_id{root}))
            throw usage_error("root: there is no block " + std::to_string(root));
        std::vector<object_value> all;
        set.for_each([&](object_value& block, block_id id) {
            if (index_of(id) == root) all.push_back(value_by(value)(block, id));
        });
        all = broadcast(set.comm(), std::move(all), set.where().rank_of(block_id{root}));
        result = std::move(all.front());
    }
    return result.get();
}

block_arrays arrays_of(std::vector<output_bytes> const& given, std::size_t element_bytes) {
    block_arrays arrays{{}, {}, element_bytes};
    for (output_bytes const& each : given) {
        arrays.data.push_back(bytes_of(each).data());
        arrays.elements.push_back(each.size() / element_bytes);
    }
    return arrays;
}

/// Combines the arrays of blocks, by place, in rounds of a swap; the elements that each block keeps.
std::vector<std::tuple<std::size_t, std::size_t>> swap_arrays(open_blocks const& blocks, int k,
    std::vector<output_bytes> const& given, nb::handle how, char kind, std::size_t element_bytes) {
    reduction const by(how, kind, element_bytes);
    std::vector<std::tuple<std::size_t, std::size_t>> made;
    block_call const call(blocks, "swap_reduce");
    assignment const& where = blocks.get().where();
    gate open(blocks.get().comm(), "swap_reduce");
    for (element_range const each : reduce_block_arrays(open, where, swap_schedule(where.blocks(), k),
             arrays_of(given, element_bytes), by.how(), by.may_throw()))
        made.emplace_back(each.first, each.end);
    return made;
}

void all_reduce_arrays_of(open_blocks const& blocks, std::vector<output_bytes> const& given, nb::handle how,
    char kind, std::size_t element_bytes) {
    reduction const by(how, kind, element_bytes);
    block_call const call(blocks, "all_reduce_arrays");
    gate open(blocks.get().comm(), "all_reduce_arrays");
    all_reduce_block_arrays(
        open, blocks.get().where(), arrays_of(given, element_bytes), by.how(), by.may_throw());
}

} // namespace

void bind_block_reductions(nb::class_<open_blocks>& bound) {
    bound.def("all_reduce", &all_reduce_values, nb::arg("value"), nb::arg("combine"))
        .def("merge_reduce", &merge_values, nb::arg("k"), nb::arg("until_one"), nb::arg("root"),
            nb::arg("value"), nb::arg("combine"))
        .def("scan", &scan_values, nb::arg("value"), nb::arg("combine"))
        .def("broadcast", &broadcast_value, nb::arg("root"), nb::arg("value"))
        .def("swap_arrays", &swap_arrays, nb::arg("k"), nb::arg("arrays"), nb::arg("op"), nb::arg("kind"),
            nb::arg("element_bytes"))
        .def("all_reduce_arrays", &all_reduce_arrays_of, nb::arg("arrays"), nb::arg("op"), nb::arg("kind"),
            nb::arg("element_bytes"));
}

} // namespace weft::python
