/// The extension module: exceptions, and one part for each module of the library.
#include "call.hpp"

#include <weft/core/error.hpp>

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
    bind_communicator(module);
    bind_memory(module);
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
