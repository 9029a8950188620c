#include "call.hpp"

#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/core/communicator_parts.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/mpi.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <set>
#include <string_view>

namespace weft::python {

bool mpi_is_finalized() noexcept {
    int finalised = 0;
    MPI_Finalized(&finalised);
    return finalised != 0;
}

library_call::library_call() : lock_(mutex()) {
    if (mpi_is_finalized()) throw usage_error("MPI has been finalised: nothing can be called any more");
}

namespace {

std::vector<communicator_state const*>& in_use() {
    thread_local std::vector<communicator_state const*> of_thread;
    return of_thread;
}

} // namespace

void communicator_in_use::enter(communicator const& comm) {
    in_use().push_back(&detail::communicator_parts::state(comm));
}

void communicator_in_use::leave() noexcept {
    in_use().pop_back();
}

void communicator_in_use::refuse(communicator const& comm, std::string_view call) {
    if (std::ranges::find(in_use(), &detail::communicator_parts::state(comm)) == in_use().end()) return;
    throw usage_error(std::string(call.substr(0, call.find(' '))) +
                      " was called in a handler or another function that a call on the same communicator "
                      "calls; call it when that is over");
}

std::recursive_mutex& library_call::mutex() {
    static std::recursive_mutex of_process;
    return of_process;
}

namespace {

/// Text as UTF-8. Names of files may have characters that have no such form; those become escapes.
std::string text_of(nb::handle object) {
    nb::object const bytes = nb::str(object).attr("encode")("utf-8", "backslashreplace");
    return {
        static_cast<char const*>(PyBytes_AsString(bytes.ptr())), static_cast<std::size_t>(nb::len(bytes))};
}

std::string text_of_python(nb::handle exception) {
    std::string text = "an exception";
    try {
        text = nb::str(exception.type().attr("__name__")).c_str();
        std::string const said = text_of(exception);
        if (!said.empty()) text += ": " + said;
    } catch (nb::python_error const&) {} // of its __str__: the name is left
    return text;
}

void release(PyObject* object) {
    if (Py_IsInitialized() == 0) return;
    nb::gil_scoped_acquire const held;
    Py_DECREF(object);
}

} // namespace

char const* kept_name(std::string const& name) {
    static std::set<std::string> names;
    return names.insert(name).first->c_str();
}

std::shared_ptr<PyObject> keep(nb::object object) {
    return {object.release().ptr(), release};
}

python_failure::python_failure(nb::handle exception)
    : exception_(keep(nb::borrow(exception))), text_(text_of_python(exception)) {
}

void python_failure::raise() const {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception_.get())), exception_.get());
}

std::exception_ptr failure_of(nb::handle exception) {
    if (exception.is_none()) return nullptr;
    if (nb::isinstance(exception, nb::module_::import_("weft._errors").attr("UsageError")))
        return std::make_exception_ptr(usage_error(text_of(exception)));
    if (nb::isinstance(exception, nb::module_::import_("weft._errors").attr("InputError")))
        return std::make_exception_ptr(io_error(text_of(exception)));
    return std::make_exception_ptr(python_failure(exception));
}

std::int64_t agree_same(
    communicator const& comm, std::string const& text, std::exception_ptr failure, std::int64_t size) {
    struct opinions {
        std::int64_t failed;
        std::uint64_t least;
        std::uint64_t greatest;
        std::int64_t largest;
    };
    std::uint64_t const mine = detail::fnv_hash().add(text).value();
    opinions const mine_and_size{failure ? 1 : 0, mine, mine, size};
    opinions const all = all_reduce(comm, mine_and_size, [](opinions a, opinions b) noexcept {
        return opinions{a.failed + b.failed, std::min(a.least, b.least), std::max(a.greatest, b.greatest),
            std::max(a.largest, b.largest)};
    });
    if (all.failed != 0) agree(comm, std::move(failure));
    if (all.least == all.greatest) return all.largest;
    std::string const of_root = broadcast(comm, text);
    std::exception_ptr difference;
    if (of_root != text)
        difference = std::make_exception_ptr(usage_error(
            "rank " + std::to_string(comm.rank()) + " calls " + text + " where rank 0 calls " + of_root));
    agree(comm, difference);
    return all.largest; // never: texts of different hashes differ
}

item_type item_type_of(std::string const& dtype, std::int64_t item_bytes) {
    // Names outlive every exchange that may mention them; a program has few.
    static std::set<std::string> names;
    std::string_view const name = *names.insert(dtype).first;
    std::uint64_t const hash =
        detail::fnv_hash().add(name).add(static_cast<std::uint64_t>(item_bytes)).value();
    auto const number = static_cast<std::uint32_t>((hash ^ (hash >> 33)) & 0x7FFFFFFFU);
    return {number == 0 ? 1 : number, item_bytes, name}; // 0 is no type
}

} // namespace weft::python
