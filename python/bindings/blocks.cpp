/// Blocks that are objects of Python, and their rounds. A message is what one call of `send` was given: items
/// as bytes with a number for their dtype, or a pickled object.
#include "blocks.hpp"
#include "decomposition.hpp"
#include "termination_names.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>

namespace weft::python {

std::string pickled(std::shared_ptr<PyObject> const& object) {
    std::string bytes;
    call_python([&] {
        nb::object const made = nb::module_::import_("pickle").attr("dumps")(nb::borrow(object.get()), 5);
        auto const of = nb::cast<nb::bytes>(made);
        bytes.assign(of.c_str(), of.size());
    });
    return bytes;
}

std::shared_ptr<PyObject> unpickled(std::string const& bytes) {
    std::shared_ptr<PyObject> object;
    call_python([&] {
        object = keep(nb::module_::import_("pickle").attr("loads")(nb::bytes(bytes.data(), bytes.size())));
    });
    return object;
}

namespace {

struct letter {
    std::uint32_t type = 0; ///< 0: a pickled object
    std::vector<std::uint8_t> bytes;

    static void wire(auto& archive, auto& self) { archive(self.type, self.bytes); }
};

/// The port of a block while its callback runs.
class python_port {
public:
    explicit python_port(block_port<letter>& port) : port_(&port) {}
    void close() noexcept { port_ = nullptr; }

    [[nodiscard]] block_port<letter>& open() const {
        if (port_ == nullptr) throw usage_error("port: its callback is over");
        return *port_;
    }
    void send(std::int64_t to, std::uint32_t type, input_bytes const& items) const {
        open().send(
            block_id{to}, letter{type, std::vector<std::uint8_t>(items.data(), items.data() + items.size())});
    }
    /// The next message: its source, the number of its type, and its bytes.
    [[nodiscard]] std::optional<std::tuple<std::int64_t, std::uint32_t, numpy_bytes>> take() {
        while (next_ == run_.items.size()) {
            next_ = 0;
            if (!open().take(run_)) {
                run_.items = {};
                return std::nullopt;
            }
        }
        letter const& taken = run_.items[next_++];
        return std::tuple(
            index_of(run_.source), taken.type, array_of(std::vector<std::uint8_t>(taken.bytes)));
    }

private:
    block_port<letter>* port_;
    block_message<letter> run_{};
    std::size_t next_ = 0;
};

/// Calls `function(block, port)`; the block is done unless that returns what is false and not None.
class port_callback {
public:
    explicit port_callback(any_callable const& function) : function_(function) {}

    bool operator()(object_value& block, block_port<letter>& port) const {
        bool done = true;
        call_python([&] {
            nb::object const seen = nb::cast(std::make_unique<python_port>(port));
            struct closer {
                nb::object const& what;
                ~closer() { nb::cast<python_port&>(what).close(); }
            } const at_the_end{seen};
            nb::object const result = function_(block.get(), seen);
            if (result.is_none()) return;
            int const truth = PyObject_IsTrue(result.ptr());
            if (truth < 0) throw nb::python_error();
            done = truth != 0;
        });
        return done;
    }

private:
    any_callable const& function_;
};

assignment assignment_for(
    std::string const& name, std::vector<int> const& table, std::int64_t blocks, int ranks) {
    if (!table.empty()) return assignment::by_table(table, ranks);
    if (name == "round_robin") return assignment::round_robin(blocks, ranks);
    return assignment::contiguous(blocks, ranks);
}

std::unique_ptr<open_blocks> make_blocks(communicator const& comm, decomposition_of_python const& cut,
    std::string const& name, std::vector<int> const& table, any_callable const& make,
    std::string const& termination) {
    block_options const options{.termination = termination_named(termination)};
    collective_call const call(comm, "BlockSet");
    return std::make_unique<open_blocks>(std::make_unique<block_objects>(
        comm, cut, assignment_for(name, table, cut.blocks(), comm.size()),
        [&](block_id id) {
            object_value made;
            call_python([&] { made.of = keep(make(index_of(id))); });
            return made;
        },
        options));
}

std::unique_ptr<open_blocks> load_blocks(
    communicator const& comm, std::string const& path, std::string const& termination) {
    block_options const options{.termination = termination_named(termination)};
    collective_call const call(comm, "load");
    // A set does not move; the file is read where it is made.
    return std::make_unique<open_blocks>(
        std::unique_ptr<block_objects>(new block_objects(block_objects::load(comm, path, options))));
}

std::vector<std::int64_t> ids_of(open_blocks const& blocks) {
    assignment const& where = blocks.get().where();
    int const rank = blocks.get().comm().rank();
    std::vector<std::int64_t> ids(blocks.get().size());
    for (std::size_t place = 0; place < ids.size(); ++place)
        ids[place] = index_of(where.block_at(rank, static_cast<std::int64_t>(place)));
    return ids;
}

object_value& block_of(open_blocks const& blocks, std::int64_t id) {
    block_objects& set = blocks.get();
    assignment const& where = set.where();
    if (!where.exists(block_id{id}) || where.rank_of(block_id{id}) != set.comm().rank())
        throw usage_error("blocks: block " + std::to_string(id) + " is not of this rank");
    return set.local()[static_cast<std::size_t>(where.local_place(block_id{id}))].block;
}

void call_each(open_blocks const& blocks, any_callable const& function) {
    block_call const call(blocks, "for_each");
    blocks.get().for_each([&](object_value& block, block_id id) {
        call_python([&] { (void)function(block.get(), index_of(id)); });
    });
}

/// The ranks of blocks.
nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> ranks_of(open_blocks const& blocks) {
    assignment const& where = blocks.get().where();
    std::vector<std::int64_t> ranks(static_cast<std::size_t>(where.blocks()));
    for (std::size_t block = 0; block < ranks.size(); ++block)
        ranks[block] = where.rank_of(block_id{static_cast<std::int64_t>(block)});
    return array_of(std::move(ranks));
}

std::tuple<double, double, std::int64_t> balance(
    open_blocks const& blocks, any_callable const& cost, double tolerance) {
    block_call const call(blocks, "balance");
    balance_report const report = blocks.get().balance(
        [&](object_value const& block, block_id id) {
            double costs = 0;
            call_python([&] { costs = nb::cast<double>(nb::float_(cost(block.get(), index_of(id)))); });
            return costs;
        },
        tolerance);
    return {report.before, report.after, report.moved};
}

int visit_blocks_of(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    return nb::inst_ready(self) ? nb::inst_ptr<open_blocks>(self)->visit_blocks(visit, arg) : 0;
}

int clear_blocks_of(PyObject* self) {
    if (nb::inst_ready(self)) nb::inst_ptr<open_blocks>(self)->close();
    return 0;
}

PyType_Slot collected[] = {{Py_tp_traverse, reinterpret_cast<void*>(visit_blocks_of)},
    {Py_tp_clear, reinterpret_cast<void*>(clear_blocks_of)}, {0, nullptr}};

void bind_port(nb::module_& module) {
    nb::class_<python_port>(module, "BlockPort")
        .def_prop_ro("id", [](python_port const& port) { return index_of(port.open().id()); })
        .def_prop_ro("link",
            [](python_port const& port) {
                std::vector<std::int64_t> ids;
                for (block_id const each : port.open().link()) ids.push_back(index_of(each));
                return ids;
            })
        .def("send", &python_port::send, nb::arg("to"), nb::arg("type"), nb::arg("items"))
        .def("take", &python_port::take)
        .def("flush", [](python_port const& port) { port.open().flush(); });
}

} // namespace

void bind_blocks(nb::module_& module) {
    bind_port(module);
    module.def(
        "number_of_type",
        [](std::string const& dtype, std::int64_t item_bytes) {
            return item_type_of(dtype, item_bytes).number;
        },
        nb::arg("dtype"), nb::arg("item_bytes"));
    module.def("make_blocks", &make_blocks, nb::arg("comm"), nb::arg("cut"), nb::arg("assignment"),
        nb::arg("table"), nb::arg("make"), nb::arg("termination"));
    module.def("load_blocks", &load_blocks, nb::arg("comm"), nb::arg("path"), nb::arg("termination"));
    nb::class_<open_blocks> bound(module, "Blocks", nb::type_slots(collected));
    bound.def("close", &open_blocks::close)
        .def_prop_ro("blocks", [](open_blocks const& blocks) { return blocks.get().where().blocks(); })
        .def_prop_ro("ids", &ids_of)
        .def_prop_ro("ranks", &ranks_of, nb::rv_policy::automatic)
        .def(
            "get", [](open_blocks const& blocks, std::int64_t id) { return block_of(blocks, id).get(); },
            nb::arg("id"))
        .def(
            "set",
            [](open_blocks const& blocks, std::int64_t id, nb::object value) {
                block_of(blocks, id).of = keep(std::move(value));
            },
            nb::arg("id"), nb::arg("value").none())
        .def("for_each", &call_each, nb::arg("function"))
        .def(
            "for_each_port",
            [](open_blocks const& blocks, any_callable const& function) {
                block_call const call(blocks, "for_each_port");
                blocks.get().for_each_port<letter>(port_callback(function));
            },
            nb::arg("function"))
        .def(
            "exchange",
            [](open_blocks const& blocks, std::optional<any_callable> const& function) {
                block_call const call(blocks, "exchange");
                return function ? blocks.get().exchange<letter>(port_callback(*function))
                                : blocks.get().exchange();
            },
            nb::arg("function").none())
        .def(
            "exchange_neighbors",
            [](open_blocks const& blocks, any_callable const& function, double fraction) {
                block_call const call(blocks, "exchange_neighbors");
                blocks.get().exchange_neighbors<letter>(port_callback(function), {.fraction = fraction});
            },
            nb::arg("function"), nb::arg("fraction"))
        .def(
            "iexchange",
            [](open_blocks const& blocks, any_callable const& function) {
                block_call const call(blocks, "iexchange");
                blocks.get().iexchange<letter>(port_callback(function));
            },
            nb::arg("function"))
        .def(
            "move",
            [](open_blocks const& blocks, std::vector<std::int64_t> const& ids,
                std::vector<int> const& ranks) {
                std::vector<block_move> moves;
                for (std::size_t i = 0; i < ids.size(); ++i) moves.push_back({block_id{ids[i]}, ranks[i]});
                block_call const call(blocks, "move");
                blocks.get().move(moves);
            },
            nb::arg("ids"), nb::arg("ranks"))
        .def("balance", &balance, nb::arg("cost"), nb::arg("tolerance"))
        .def(
            "save",
            [](open_blocks const& blocks, std::string const& path) {
                block_call const call(blocks, "save");
                blocks.get().save(path);
            },
            nb::arg("path"));
    bind_block_reductions(bound);
}

} // namespace weft::python
