/// Any object of Python as a value of the library: blocks, and what reductions combine. It travels pickled.
#pragma once

#include "call.hpp"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace weft::python {

/// Both without the GIL. Throws: `python_failure`.
[[nodiscard]] std::string pickled(std::shared_ptr<PyObject> const& object);
[[nodiscard]] std::shared_ptr<PyObject> unpickled(std::string const& bytes);

struct object_value {
    std::shared_ptr<PyObject> of;

    /// With the GIL.
    [[nodiscard]] nb::object get() const { return of ? nb::borrow(of.get()) : nb::object(nb::none()); }

    static void wire(auto& archive, auto& self) {
        std::string bytes;
        if constexpr (std::is_const_v<std::remove_reference_t<decltype(self)>>) {
            bytes = pickled(self.of);
            archive(bytes);
        } else {
            archive(bytes);
            self.of = unpickled(bytes);
        }
    }
};

} // namespace weft::python
