/// Exchanges and plans on bytes; the dtypes are added in Python.
#include "call.hpp"

#include <weft/core/error.hpp>
#include <weft/core/settings.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/exchange/outbox.hpp>
#include <weft/extend/exchange/flat_messages.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace weft::python {

namespace {

exchange_options options_of(std::optional<std::string> const& name) {
    if (!name) return {};
    return {.protocol = parse_settings("WEFT_EXCHANGE=" + *name).exchange};
}

/// Throws the error of a destination that is no rank, by its place.
[[noreturn]] void refuse_destination(communicator const& comm, std::span<int const> destinations) {
    auto const wrong =
        std::ranges::find_if(destinations, [&](int each) { return each < 0 || each >= comm.size(); });
    throw usage_error("exchange: destinations[" + std::to_string(wrong - destinations.begin()) +
                      "] of rank " + std::to_string(comm.rank()) + " is " + std::to_string(*wrong) +
                      ", which is no rank; ranks are 0.." + std::to_string(comm.size() - 1));
}

/// Messages of items that have a destination each.
message_list flat_messages(communicator const& comm, std::span<int const> destinations,
    std::span<std::byte const> items, std::size_t item_bytes) {
    message_store store(comm);
    append_flat(store, destinations, items.data(), item_bytes);
    std::exception_ptr failed;
    message_list messages = store.release(failed);
    if (failed) refuse_destination(comm, destinations);
    return messages;
}

/// The messages of an exchange; the arrays that are made of them keep it alive.
class received_messages {
public:
    explicit received_messages(message_list messages) : messages_(std::move(messages)) {
        for (message& each : messages_) each.data.make_own(); // what a rank lent to itself
    }
    received_messages(received_messages const&) = delete;
    received_messages& operator=(received_messages const&) = delete;

    [[nodiscard]] message& at(std::size_t index) { return messages_.at(index); }
    [[nodiscard]] std::vector<std::int64_t> sources() const {
        std::vector<std::int64_t> ranks;
        for (message const& each : messages_) ranks.push_back(each.peer);
        return ranks;
    }
    [[nodiscard]] std::vector<std::int64_t> sizes() const {
        std::vector<std::int64_t> bytes;
        for (message const& each : messages_) bytes.push_back(static_cast<std::int64_t>(each.data.size()));
        return bytes;
    }
    /// All bytes in one array, in memory that the next exchange takes again.
    [[nodiscard]] numpy_bytes joined() const {
        buffer all;
        std::size_t bytes = 0;
        for (message const& each : messages_) bytes += each.data.size();
        all.reserve(bytes);
        for (message const& each : messages_) all.append(each.data.data(), each.data.size());
        return array_over(std::move(all));
    }

private:
    message_list messages_;
};

/// An exchange that has begun.
class open_exchange {
public:
    open_exchange(communicator const& comm, byte_exchange what, exchange_options const& options)
        : comm_(comm), bytes_(std::in_place, comm, std::move(what), options) {}
    ~open_exchange() { close(); }
    open_exchange(open_exchange const&) = delete;
    open_exchange& operator=(open_exchange const&) = delete;

    [[nodiscard]] bool test() {
        library_call const call;
        return open().test();
    }
    [[nodiscard]] received_messages* get() {
        library_call const call;
        pending_bytes bytes = std::move(open());
        bytes_.reset();
        bytes.finish();
        return new received_messages(bytes.take());
    }
    /// Drops the handle.
    void close() {
        if (!bytes_) return;
        closing_call const call;
        if (mpi_is_finalized()) forget(std::move(*bytes_));
        bytes_.reset();
    }

private:
    [[nodiscard]] pending_bytes& open() {
        if (!bytes_) throw usage_error("the exchange is over: its inbox was taken, or its handle was closed");
        return *bytes_;
    }

    communicator comm_;
    std::optional<pending_bytes> bytes_;
};

/// What all ways to begin an exchange have in common.
struct common_arguments {
    std::string dtype;
    std::int64_t item_bytes = 1;
    std::optional<std::string> protocol;
    std::exception_ptr failure;
    bool blocks = false;
};

/// `make_messages` returns what this rank sends; where it throws, all ranks throw.
template <class MakeMessages>
open_exchange* begin(communicator const& comm, common_arguments&& given, MakeMessages&& make_messages) {
    exchange_options const options = options_of(given.protocol);
    byte_exchange what;
    what.failure = std::move(given.failure);
    what.items = item_type_of(given.dtype, given.item_bytes);
    what.blocks = given.blocks;
    collective_call const call(comm, "exchange");
    try {
        if (!what.failure) what.outgoing = make_messages();
    } catch (...) { what.failure = std::current_exception(); }
    return new open_exchange(comm, std::move(what), options);
}

open_exchange* begin_flat(communicator const& comm, ranks_32 const& destinations, input_bytes const& items,
    std::string dtype, std::int64_t item_bytes, std::optional<std::string> protocol, bool blocks,
    nb::handle failure) {
    return begin(comm, {std::move(dtype), item_bytes, std::move(protocol), failure_of(failure), blocks}, [&] {
        std::span const ranks(destinations.data(), destinations.size());
        return flat_messages(comm, ranks, bytes_of(items), static_cast<std::size_t>(item_bytes));
    });
}

open_exchange* begin_pieces(communicator const& comm, std::vector<int> const& destinations,
    std::vector<input_bytes> const& pieces, std::vector<nb::bytes> const& endings, std::string dtype,
    std::int64_t item_bytes, std::optional<std::string> protocol, bool blocks, nb::handle failure) {
    return begin(comm, {std::move(dtype), item_bytes, std::move(protocol), failure_of(failure), blocks}, [&] {
        message_store store(comm);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            buffer& data = store.at(store.place_of(destinations[i]));
            std::span<std::byte const> const bytes = bytes_of(pieces[i]);
            if (endings.empty() && blocks &&
                !bytes.empty()) { // the caller keeps the array as it is meanwhile
                data = buffer::view_of(bytes.data(), bytes.size());
                continue;
            }
            std::size_t const ending = endings.empty() ? 0 : endings[i].size();
            data.reserve(bytes.size() + ending);
            data.append(bytes.data(), bytes.size());
            if (ending != 0) data.append(endings[i].data(), ending);
        }
        std::exception_ptr failed;
        message_list messages = store.release(failed);
        if (failed) std::rethrow_exception(failed);
        return messages;
    });
}

template <class T>
nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> integers(std::span<T const> from) {
    return array_of(std::vector<std::int64_t>(from.begin(), from.end()));
}

/// One run of a plan, of items of any size: the plan is one of items, MPI moves bytes.
void run_plan(
    exchange_plan const& plan, input_bytes const& out, output_bytes const& in, std::size_t item_bytes) {
    collective_call const call(plan.comm(), "ExchangePlan.exchange");
    plan.exchange_bytes(bytes_of(out), bytes_of(in), item_bytes);
}

} // namespace

void bind_exchange(nb::module_& module) {
    nb::class_<received_messages>(module, "Messages")
        .def_prop_ro(
            "sources", [](received_messages const& all) { return array_of(all.sources()); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "sizes", [](received_messages const& all) { return array_of(all.sizes()); },
            nb::rv_policy::automatic)
        .def(
            "view",
            [](nb::handle_t<received_messages> self, std::size_t index) {
                buffer& data = nb::cast<received_messages&>(self).at(index).data;
                return numpy_bytes(data.data(), {data.size()}, self);
            },
            nb::arg("index"))
        .def("joined", &received_messages::joined);

    nb::class_<open_exchange>(module, "OpenExchange")
        .def("test", &open_exchange::test)
        .def("get", &open_exchange::get, nb::rv_policy::take_ownership)
        .def("close", &open_exchange::close);
    module.def("protocol_names", [] {
        std::vector<std::string> names;
        for (int i = 0; i < static_cast<int>(protocol::automatic); ++i)
            names.emplace_back(name_of(static_cast<protocol>(i)));
        return names;
    });
    module.def("begin_flat", &begin_flat, nb::arg("comm"), nb::arg("destinations"), nb::arg("items"),
        nb::arg("dtype"), nb::arg("item_bytes"), nb::arg("protocol").none(), nb::arg("blocks"),
        nb::arg("failure").none(), nb::rv_policy::take_ownership);
    module.def("begin_pieces", &begin_pieces, nb::arg("comm"), nb::arg("destinations"), nb::arg("pieces"),
        nb::arg("endings"), nb::arg("dtype"), nb::arg("item_bytes"), nb::arg("protocol").none(),
        nb::arg("blocks"), nb::arg("failure").none(), nb::rv_policy::take_ownership);

    nb::class_<exchange_plan>(module, "ExchangePlan")
        .def("__init__",
            [](exchange_plan* place, communicator const& comm, std::vector<int> const& destinations,
                std::vector<std::int64_t> const& counts) {
                collective_call const call(comm, "ExchangePlan");
                new (place) exchange_plan(comm, destinations, counts);
            })
        .def_prop_ro(
            "destinations", [](exchange_plan const& plan) { return integers(plan.destinations()); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "outgoing_offsets", [](exchange_plan const& plan) { return integers(plan.outgoing_offsets()); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "sources", [](exchange_plan const& plan) { return integers(plan.sources()); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "incoming_offsets", [](exchange_plan const& plan) { return integers(plan.incoming_offsets()); },
            nb::rv_policy::automatic)
        .def("inverse", &exchange_plan::inverse)
        .def("run", &run_plan, nb::arg("out"), nb::arg("into").noconvert(), nb::arg("item_bytes"));
}

} // namespace weft::python
