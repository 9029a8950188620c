/// What all bindings share: the way into the library and out of it, exceptions that cross, and arrays as
/// bytes.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/core/item_type.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft::python {

namespace nb = nanobind;

/// A call of the library. Other threads of Python run meanwhile; if they call the library too, they wait
/// until this call is over. Handlers call again from the thread that is in a call.
class library_call {
public:
    /// Throws: `usage_error` where MPI has been finalised.
    library_call();

protected:
    enum class without_mpi { allowed };
    explicit library_call(without_mpi) : lock_(mutex()) {}

private:
    static std::recursive_mutex& mutex();

    nb::gil_scoped_release released_; // first: no thread waits for the lock while it has the GIL
    std::lock_guard<std::recursive_mutex> lock_;
};

/// The end of an object: nothing that is open may stop it.
class closing_call : public library_call {
public:
    closing_call() : library_call(without_mpi::allowed) {}
};

[[nodiscard]] bool mpi_is_finalized() noexcept;

/// Lets go of what cannot be destroyed, since MPI has been finalised by another one: the process is near its
/// end.
template <class T>
void forget(T what) {
    static_cast<void>(new T(std::move(what)));
}

/// A communicator on which a call is under way on this thread, or a handler runs: functions of Python that
/// are called inside may not call on it collectively, at any number of ranks.
class communicator_in_use {
public:
    explicit communicator_in_use(communicator const& comm) { enter(comm); }
    ~communicator_in_use() { leave(); }
    communicator_in_use(communicator_in_use const&) = delete;
    communicator_in_use& operator=(communicator_in_use const&) = delete;

    /// The scope from its beginning to its end, for functions that Python calls before it calls the library.
    static void enter(communicator const& comm);
    static void leave() noexcept;
    /// Throws: `usage_error` inside of a function of Python that is called on `comm`.
    static void refuse(communicator const& comm, std::string_view call);
};

/// A collective call of the library.
class collective_call {
public:
    /// Throws: `usage_error` in a handler or callback of the same communicator; as `library_call`.
    collective_call(communicator const& comm, std::string_view call)
        : use_((communicator_in_use::refuse(comm, call), comm)) {}

private:
    communicator_in_use use_;
    library_call call_;
};

/// A name for as long as this process lives, as timelines and reports of stalls need it; a program has few.
[[nodiscard]] char const* kept_name(std::string const& name);

/// A reference that its last copy gives back with the GIL, wherever that is.
[[nodiscard]] std::shared_ptr<PyObject> keep(nb::object object);

/// A Python exception on its way through the library: raised again with its traceback where it happened. Its
/// text travels to the other ranks.
class python_failure final : public std::exception {
public:
    explicit python_failure(nb::handle exception);

    [[nodiscard]] char const* what() const noexcept override { return text_.c_str(); }
    /// Sets the error indicator of Python.
    void raise() const;

private:
    std::shared_ptr<PyObject> exception_;
    std::string text_;
};

/// Calls Python from inside of the library. An exception becomes a `python_failure`.
template <class Body>
void call_python(Body&& body) {
    nb::gil_scoped_acquire const held;
    try {
        body();
    } catch (nb::python_error const& thrown) { throw python_failure(thrown.value()); }
}

/// Shows a warning of the library as a `UserWarning`.
inline void warn_in_python(std::string const& text) {
    call_python([&] { nb::module_::import_("warnings").attr("warn")(text.c_str()); });
}

using phase_function = std::optional<nb::typed<nb::callable, nb::object()>>;

/// Tells a function of Python, which raises nothing, each phase of a call of the library. It outlives the
/// call.
[[nodiscard]] inline auto lap_of(phase_function const& tell) {
    return [&tell](std::string_view) {
        if (tell) call_python([&] { (*tell)(); });
    };
}

/// The failure with which this rank enters a collective call; null for None. A `weft.UsageError` is the same
/// on all ranks.
[[nodiscard]] std::exception_ptr failure_of(nb::handle exception);

/// Returns the largest `size` of all ranks. Throws, on all ranks, the failure of the lowest rank that has
/// one; `usage_error` where `text` differs between ranks. Collective: yes. Cost: a reduction of 32 bytes.
std::int64_t agree_same(
    communicator const& comm, std::string const& text, std::exception_ptr failure, std::int64_t size = 0);

/// The type of items as ranks compare it: the text of a dtype.
[[nodiscard]] item_type item_type_of(std::string const& dtype, std::int64_t item_bytes);

using input_bytes = nb::ndarray<std::uint8_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using output_bytes = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ranks_32 = nb::ndarray<std::int32_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// With the types that stubs are to name.
using dict_by_name = nb::typed<nb::dict, nb::str, nb::any>;
using any_callable = nb::typed<nb::callable, nb::object(...)>;
using numpy_bytes = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>;
using list_of_arrays = nb::typed<nb::list, numpy_bytes>;

[[nodiscard]] inline std::span<std::byte const> bytes_of(input_bytes const& array) {
    return {reinterpret_cast<std::byte const*>(array.data()), array.size()};
}
[[nodiscard]] inline std::span<std::byte> bytes_of(output_bytes const& array) {
    return {reinterpret_cast<std::byte*>(array.data()), array.size()};
}

/// An array of numpy that owns the elements of a vector.
template <class T>
[[nodiscard]] nb::ndarray<nb::numpy, T, nb::ndim<1>> array_of(std::vector<T>&& elements) {
    auto* const kept = new std::vector<T>(std::move(elements));
    nb::capsule const owner(kept, [](void* old) noexcept { delete static_cast<std::vector<T>*>(old); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
}

/// An array over the bytes of something that it keeps.
template <class Bytes>
[[nodiscard]] numpy_bytes array_over(Bytes&& bytes) {
    auto* const kept = new std::remove_cvref_t<Bytes>(std::forward<Bytes>(bytes));
    nb::capsule const owner(
        kept, [](void* old) noexcept { delete static_cast<std::remove_cvref_t<Bytes>*>(old); });
    return numpy_bytes(reinterpret_cast<std::uint8_t*>(kept->data()), {kept->size()}, owner);
}

void bind_communicator(nb::module_& module);
void bind_memory(nb::module_& module);
void bind_gathered_rows(nb::module_& module);
void bind_exchange(nb::module_& module);
void bind_collective(nb::module_& module);
void bind_mailbox(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_graph_object(nb::module_& module);
void bind_frames(nb::module_& module);
void bind_decompositions(nb::module_& module);
void bind_blocks(nb::module_& module);
void bind_matrix(nb::module_& module);
void bind_gravity(nb::module_& module);
void bind_timeline(nb::module_& module);
void bind_volume_files(nb::module_& module);
void bind_labels(nb::module_& module);
void bind_meshes(nb::module_& module);
void bind_volumes(nb::module_& module);
void bind_surfaces(nb::module_& module);
void bind_thresholds(nb::module_& module);

} // namespace weft::python
