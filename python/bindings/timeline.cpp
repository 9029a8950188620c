/// Timelines of a run, names of what a program does, and reports of stalls.
#include "call.hpp"

#include <weft/io/timeline_file.hpp>
#include <weft/observe/timeline.hpp>

#include <nanobind/stl/string.h>

#include <optional>

namespace weft::python {

namespace {

class recording {
public:
    recording(communicator const& comm, std::string const& file, std::string const& title) {
        collective_call const call(comm, "timeline");
        file_.emplace(comm, file, timeline_options{.title = title});
    }
    ~recording() { close(); }
    recording(recording const&) = delete;
    recording& operator=(recording const&) = delete;

    void write() {
        library_call const call;
        if (file_) file_->write();
        file_.reset();
    }
    /// Stops without a file.
    void close() {
        if (!file_) return;
        closing_call const call;
        file_.reset();
    }

private:
    std::optional<timeline_file> file_;
};

/// What a rank does until the span ends.
class named_span {
public:
    named_span(communicator const& comm, std::string const& name, std::int64_t number)
        : span_(std::in_place, comm, span_kind::compute, kept_name(name), number) {}
    void end() { span_.reset(); }

private:
    std::optional<timeline_span> span_;
};

} // namespace

void bind_timeline(nb::module_& module) {
    nb::class_<recording>(module, "Recording")
        .def(nb::init<communicator const&, std::string const&, std::string const&>(), nb::arg("comm"),
            nb::arg("file"), nb::arg("title"))
        .def("write", &recording::write)
        .def("close", &recording::close);
    nb::class_<named_span>(module, "Span")
        .def(nb::init<communicator const&, std::string const&, std::int64_t>(), nb::arg("comm"),
            nb::arg("name"), nb::arg("number"))
        .def("end", &named_span::end);
}

} // namespace weft::python
