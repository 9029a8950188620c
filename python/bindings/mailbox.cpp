/// Mailboxes on items of bytes; the dtypes are added in Python.
#include "batch_handlers.hpp"
#include "call.hpp"
#include "termination_names.hpp"

#include <weft/core/error.hpp>
#include <weft/core/settings.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <optional>
#include <tuple>

namespace weft::python {

namespace {

/// An item whose size is known to the compiler: Python fills items of other sizes up to the next one.
template <std::size_t Bytes>
struct sized_item {
    std::byte bytes[Bytes];
};

template <class T>
std::span<T const> items_of(input_bytes const& array) {
    return {reinterpret_cast<T const*>(array.data()), array.size() / sizeof(T)};
}

/// The sending end of a channel.
class byte_channel {
public:
    byte_channel() = default;
    byte_channel(byte_channel const&) = delete;
    byte_channel& operator=(byte_channel const&) = delete;
    virtual ~byte_channel() = default;

    virtual void send(std::span<std::int32_t const> destinations, input_bytes const& items) = 0;
    virtual void send_to(int destination, input_bytes const& items) = 0;
    virtual void broadcast(input_bytes const& items) = 0;
};

template <class T>
class plain_channel final : public byte_channel {
public:
    explicit plain_channel(channel<T> on) : on_(on) {}
    void send(std::span<std::int32_t const> destinations, input_bytes const& items) override {
        on_.send(destinations, items_of<T>(items));
    }
    void send_to(int destination, input_bytes const& items) override {
        on_.send(destination, items_of<T>(items));
    }
    void broadcast(input_bytes const& items) override {
        for (T const& item : items_of<T>(items)) on_.broadcast(item);
    }

private:
    channel<T> on_;
};

template <class T>
struct item_key {
    item_field field;
    std::int64_t operator()(T const& item) const noexcept {
        std::int64_t key = 0; // 4 bytes fill the lower half
        std::memcpy(&key, item.bytes + field.offset, field.bytes);
        return key;
    }
};
template <class T>
struct item_merge {
    field_merger fields;
    void operator()(T& into, T const& from) const { fields(into.bytes, from.bytes); }
};

template <class T>
class combined_channel final : public byte_channel {
public:
    using sender = combining_channel<T, item_key<T>, item_merge<T>>;
    explicit combined_channel(sender on) : on_(on) {}
    void send(std::span<std::int32_t const> destinations, input_bytes const& items) override {
        std::span<T const> const all = items_of<T>(items);
        for (std::size_t i = 0; i < all.size(); ++i) on_.send(destinations[i], all[i]);
    }
    void send_to(int destination, input_bytes const& items) override {
        for (T const& item : items_of<T>(items)) on_.send(destination, item);
    }
    void broadcast(input_bytes const&) override {
        throw usage_error("broadcast: a channel that combines has no broadcasts");
    }

private:
    sender on_;
};

/// Asks queries of bytes and returns answers of bytes.
class byte_service {
public:
    byte_service() = default;
    byte_service(byte_service const&) = delete;
    byte_service& operator=(byte_service const&) = delete;
    virtual ~byte_service() = default;

    virtual void ask(std::span<std::int32_t const> destinations, input_bytes const& queries,
        output_bytes const& answers) = 0;
};

template <class Q, class A>
class sized_service final : public byte_service {
public:
    explicit sized_service(service<Q, A> on) : on_(on) {}
    void ask(std::span<std::int32_t const> destinations, input_bytes const& queries,
        output_bytes const& answers) override {
        on_.ask(destinations, items_of<Q>(queries),
            std::span<A>(reinterpret_cast<A*>(answers.data()), answers.size() / sizeof(A)));
    }

private:
    service<Q, A> on_;
};

/// Calls `with` with a `sized_item` of so many bytes. One of `Sizes` fits.
template <std::size_t... Sizes, class With>
void for_size(std::size_t bytes, With&& with) {
    bool const found = ((bytes == Sizes && (with(sized_item<Sizes>{}), true)) || ...);
    if (!found) throw usage_error("items of " + std::to_string(bytes) + " bytes cannot be sent");
}

/// A mailbox with all that its channels need.
class byte_mailbox {
public:
    byte_mailbox(communicator const& comm, std::optional<std::string> const& route,
        std::optional<std::int64_t> buffer_bytes, bool nested_handlers, std::string const& termination)
        : comm_(comm) {
        mailbox_options options{.buffer_bytes = buffer_bytes, .nested_handlers = nested_handlers};
        options.termination = termination_named(termination);
        if (route) options.route = parse_settings("WEFT_ROUTE=" + *route).mailbox_route;
        collective_call const call(comm, "Mailbox");
        mail_ = std::make_unique<mailbox>(comm, options);
    }
    ~byte_mailbox() { destroy(); }
    byte_mailbox(byte_mailbox const&) = delete;
    byte_mailbox& operator=(byte_mailbox const&) = delete;

    std::size_t add_channel(std::size_t item_bytes, std::unique_ptr<batch_handler> made, bool wants_source) {
        mailbox& mail = open();
        batch_handler* const handler = keep(std::move(made));
        for_size<1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256>(item_bytes, [&]<class T>(T) {
            if (wants_source)
                channels_.push_back(std::make_unique<plain_channel<T>>(
                    mail.channel<T>([handler](int source, std::span<T const> batch) {
                        handler->handle(source, std::as_bytes(batch));
                    })));
            else
                channels_.push_back(std::make_unique<plain_channel<T>>(mail.channel<T>(
                    [handler](std::span<T const> batch) { handler->handle(-1, std::as_bytes(batch)); })));
        });
        return channels_.size() - 1;
    }

    std::size_t add_combining(std::size_t item_bytes, std::unique_ptr<batch_handler> made, item_field key,
        std::string const& how, std::vector<item_field> fields) {
        mailbox& mail = open();
        field_merger merger(how, std::move(fields));
        batch_handler* const handler = keep(std::move(made));
        for_size<8, 16, 24, 32>(item_bytes, [&]<class T>(T) {
            channels_.push_back(std::make_unique<combined_channel<T>>(mail.channel<T>(
                [handler](std::span<T const> batch) { handler->handle(-1, std::as_bytes(batch)); },
                combine_by<item_key<T>, item_merge<T>>{
                    .key = item_key<T>{key}, .merge = item_merge<T>{std::move(merger)}})));
        });
        return channels_.size() - 1;
    }

    /// `function(queries)` returns the bytes of as many answers.
    std::size_t add_service(std::size_t query_bytes, std::size_t answer_bytes, any_callable function) {
        mailbox& mail = open();
        functions_.push_back(std::make_unique<nb::callable>(std::move(function)));
        nb::callable* const call = functions_.back().get();
        for_size<8, 16, 32>(query_bytes, [&]<class Q>(Q) {
            for_size<8, 16, 32>(answer_bytes, [&]<class A>(A) {
                auto answer = [call, this](std::span<Q const> queries, std::span<A> answers) {
                    communicator_in_use const use(comm_);
                    call_python([&] {
                        nb::object const made = (*call)(nb::bytearray(queries.data(), queries.size_bytes()));
                        auto const bytes = nb::cast<input_bytes>(made);
                        std::memcpy(answers.data(), bytes.data(), answers.size_bytes());
                    });
                };
                services_.push_back(
                    std::make_unique<sized_service<Q, A>>(mail.service<Q, A>(std::move(answer))));
            });
        });
        return services_.size() - 1;
    }

    void send(std::size_t on, ranks_32 const& destinations, input_bytes const& items) {
        mailbox& mail = open();
        library_call const call;
        std::span const ranks(destinations.data(), destinations.size());
        auto const size = static_cast<unsigned>(mail.comm().size());
        for (std::int32_t const rank : ranks) // before the first message
            if (static_cast<unsigned>(rank) >= size)
                throw usage_error("destinations: " + std::to_string(rank) + " is no rank; ranks are 0.." +
                                  std::to_string(size - 1));
        channels_[on]->send(ranks, items);
    }
    void send_to(std::size_t on, int destination, input_bytes const& items) {
        (void)open();
        library_call const call;
        channels_[on]->send_to(destination, items);
    }
    void broadcast(std::size_t on, input_bytes const& items) {
        (void)open();
        library_call const call;
        channels_[on]->broadcast(items);
    }
    void ask(std::size_t of, ranks_32 const& destinations, input_bytes const& queries,
        output_bytes const& answers) {
        (void)open();
        library_call const call;
        services_[of]->ask({destinations.data(), destinations.size()}, queries, answers);
    }
    void drain() {
        mailbox& mail = open();
        collective_call const call(comm_, "drain");
        mail.drain();
    }
    [[nodiscard]] bool test_empty() {
        mailbox& mail = open();
        collective_call const call(comm_, "test_empty");
        return mail.test_empty();
    }
    [[nodiscard]] bool poll() {
        mailbox& mail = open();
        library_call const call;
        return mail.poll();
    }
    [[nodiscard]] std::tuple<std::int64_t, std::int64_t> counts() {
        mailbox_counters const now = open().counters();
        return {now.sent, now.handled};
    }
    [[nodiscard]] std::string route() { return std::string(name_of(open().route())); }
    [[nodiscard]] bool shares_memory() { return open().shares_memory(); }
    [[nodiscard]] bool in_handler() { return mail_ && mailbox_parts::engine(*mail_).in_handler(); }

    /// What was not drained is lost; ranks that wait for this one are told.
    void close() {
        if (in_handler()) throw usage_error("mailbox: close was called in a handler");
        destroy();
        channels_.clear();
        services_.clear();
        handlers_.clear(); // they may refer to what has this mailbox
        functions_.clear();
    }

    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }
    [[nodiscard]] bool is_open() const noexcept { return mail_ != nullptr; }

    /// For the garbage collector, which finds handlers that refer to their mailbox.
    int visit_handlers(visitproc visit, void* arg) const {
        for (auto const& each : handlers_)
            if (int const stop = each->visit(visit, arg)) return stop;
        for (auto const& each : functions_) Py_VISIT(each->ptr());
        return 0;
    }

private:
    [[nodiscard]] mailbox& open() {
        if (!mail_) throw usage_error("mailbox: it is closed");
        return *mail_;
    }
    [[nodiscard]] batch_handler* keep(std::unique_ptr<batch_handler> made) {
        handlers_.push_back(std::move(made));
        return handlers_.back().get();
    }
    void destroy() {
        if (!mail_) return;
        closing_call const call;
        if (mpi_is_finalized()) forget(std::move(mail_));
        mail_.reset();
    }

    communicator comm_;
    std::vector<std::unique_ptr<batch_handler>> handlers_;
    std::vector<std::unique_ptr<nb::callable>> functions_;
    std::vector<std::unique_ptr<byte_channel>> channels_;
    std::vector<std::unique_ptr<byte_service>> services_;
    std::unique_ptr<mailbox> mail_; // last: its channels refer to the handlers
};

using field_tuple = std::tuple<std::size_t, std::string, std::size_t>;

item_field field_of(field_tuple const& given) {
    return {std::get<0>(given), std::get<1>(given).at(0), std::get<2>(given)};
}

/// A handler as Python describes it: a function, or an update of an array.
struct handler_description {
    std::optional<nb::callable> function;
    std::optional<array_update> update;
    std::string name; ///< of the function

    [[nodiscard]] std::unique_ptr<batch_handler> make(communicator const& comm) const {
        if (function) return make_python_handler(comm, *function, name);
        return make_update_handler(array_update(*update));
    }
};

int visit_handlers_of(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    return nb::inst_ready(self) ? nb::inst_ptr<byte_mailbox>(self)->visit_handlers(visit, arg) : 0;
}

int clear_handlers_of(PyObject* self) {
    if (nb::inst_ready(self)) nb::inst_ptr<byte_mailbox>(self)->close();
    return 0;
}

PyType_Slot collected_mailbox[] = {{Py_tp_traverse, reinterpret_cast<void*>(visit_handlers_of)},
    {Py_tp_clear, reinterpret_cast<void*>(clear_handlers_of)}, {0, nullptr}};

} // namespace

void bind_mailbox(nb::module_& module) {
    nb::class_<handler_description>(module, "Handler")
        .def_static(
            "function",
            [](any_callable function, std::string name) {
                return handler_description{
                    .function = std::move(function), .update = std::nullopt, .name = std::move(name)};
            },
            nb::arg("function"), nb::arg("name"))
        .def_static(
            "update",
            [](std::string how, output_bytes array, field_tuple const& element, field_tuple const& index,
                field_tuple const& value, std::size_t item_bytes, std::int64_t first) {
                return handler_description{.function = std::nullopt,
                    .update = array_update{std::move(how), std::move(array), field_of(element),
                        field_of(index), field_of(value), item_bytes, first},
                    .name = {}};
            },
            nb::arg("how"), nb::arg("array").noconvert(), nb::arg("element"), nb::arg("index"),
            nb::arg("value"), nb::arg("item_bytes"), nb::arg("first"));

    nb::class_<byte_mailbox>(module, "Mailbox", nb::type_slots(collected_mailbox))
        .def(nb::init<communicator const&, std::optional<std::string> const&, std::optional<std::int64_t>,
                 bool, std::string const&>(),
            nb::arg("comm"), nb::arg("route").none(), nb::arg("buffer_bytes").none(),
            nb::arg("nested_handlers"), nb::arg("termination"))
        .def(
            "add_channel",
            [](byte_mailbox& mail, std::size_t item_bytes, handler_description const& handler,
                bool wants_source) {
                return mail.add_channel(item_bytes, handler.make(mail.comm()), wants_source);
            },
            nb::arg("item_bytes"), nb::arg("handler"), nb::arg("wants_source"))
        .def(
            "add_combining",
            [](byte_mailbox& mail, std::size_t item_bytes, handler_description const& handler,
                field_tuple const& key, std::string const& how, std::vector<field_tuple> const& fields) {
                std::vector<item_field> parts;
                for (field_tuple const& each : fields) parts.push_back(field_of(each));
                return mail.add_combining(
                    item_bytes, handler.make(mail.comm()), field_of(key), how, std::move(parts));
            },
            nb::arg("item_bytes"), nb::arg("handler"), nb::arg("key"), nb::arg("how"), nb::arg("fields"))
        .def("add_service", &byte_mailbox::add_service, nb::arg("query_bytes"), nb::arg("answer_bytes"),
            nb::arg("function"))
        .def("send", &byte_mailbox::send, nb::arg("channel"), nb::arg("destinations"), nb::arg("items"))
        .def("send_to", &byte_mailbox::send_to, nb::arg("channel"), nb::arg("destination"), nb::arg("items"))
        .def("broadcast", &byte_mailbox::broadcast, nb::arg("channel"), nb::arg("items"))
        .def("ask", &byte_mailbox::ask, nb::arg("service"), nb::arg("destinations"), nb::arg("queries"),
            nb::arg("answers").noconvert())
        .def("drain", &byte_mailbox::drain)
        .def("test_empty", &byte_mailbox::test_empty)
        .def("poll", &byte_mailbox::poll)
        .def("close", &byte_mailbox::close)
        .def_prop_ro("counts", &byte_mailbox::counts)
        .def_prop_ro("route", &byte_mailbox::route)
        .def_prop_ro("shares_memory", &byte_mailbox::shares_memory)
        .def_prop_ro("in_handler", &byte_mailbox::in_handler)
        .def_prop_ro("is_open", &byte_mailbox::is_open);
}

} // namespace weft::python
