/// The extension module: exceptions, and one part for each module of the library.
#include "call.hpp"

#include <observe/roll_call.hpp>
#include <weft/core/error.hpp>

#include <string>

namespace weft::python {

namespace {

/// Raises a class of weft._errors.
void set_error(char const* name, std::exception const& thrown) {
    try {
        nb::object const type = nb::module_::import_("weft._errors").attr(name);
        nb::object const made = type(thrown.what());
        if (auto const* const remote = dynamic_cast<remote_error const*>(&thrown))
            made.attr("rank") = remote->rank();
        if (auto const* const mpi = dynamic_cast<mpi_error const*>(&thrown)) made.attr("code") = mpi->code();
        PyErr_SetObject(type.ptr(), made.ptr());
    } catch (nb::python_error& failed) { failed.restore(); }
}

/// Where the main thread is in the user's program, for roll calls: nothing is kept up to date meanwhile. It
/// waits for the GIL, which calls of the library let go of.
std::string place_of_program() {
    nb::gil_scoped_acquire const held;
    try {
        nb::object const thread = nb::module_::import_("threading").attr("main_thread")().attr("ident");
        nb::object frame = nb::module_::import_("sys").attr("_current_frames")().attr("get")(thread);
        std::string const own = nb::str(nb::module_::import_("weft").attr("__path__")[0]).c_str();
        for (; !frame.is_none(); frame = frame.attr("f_back")) {
            std::string const file = nb::str(frame.attr("f_code").attr("co_filename")).c_str();
            if (file.starts_with(own)) continue;
            return file.substr(file.find_last_of('/') + 1) + ":" + // npos + 1 is the beginning
                   std::to_string(nb::cast<int>(frame.attr("f_lineno")));
        }
    } catch (std::exception const&) {} // the interpreter is about to end, or has not begun
    return {};
}

void translate(std::exception_ptr const& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (python_failure const& failure) { failure.raise(); } catch (usage_error const& e) {
        set_error("UsageError", e);
    } catch (remote_error const& e) { set_error("RemoteError", e); } catch (io_error const& e) {
        set_error("InputError", e);
    } catch (wire_error const& e) { set_error("WireError", e); } catch (mpi_error const& e) {
        set_error("MpiError", e);
    }
}

} // namespace

} // namespace weft::python

NB_MODULE(_weft, module) {
    using namespace weft::python;
    nb::register_exception_translator(translate);
    weft::ask_interpreter(place_of_program);
    // While the interpreter ends, no other thread may ask for it.
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] { weft::ask_interpreter(nullptr); }));
    bind_communicator(module);
    bind_memory(module);
    bind_gathered_rows(module);
    bind_exchange(module);
    bind_collective(module);
    bind_mailbox(module);
    bind_graph(module);
    bind_graph_object(module);
    bind_frames(module);
    bind_decompositions(module);
    bind_blocks(module);
    bind_matrix(module);
    bind_gravity(module);
    bind_timeline(module);
    bind_volume_files(module);
    bind_labels(module);
    bind_meshes(module);
    bind_volumes(module);
    bind_surfaces(module);
    bind_thresholds(module);
}
