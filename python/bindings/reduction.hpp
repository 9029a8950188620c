/// Operators of reductions of arrays: named ones, and functions of Python.
#pragma once

#include "call.hpp"

#include <weft/collective/arrays.hpp>
#include <weft/extend/collective/array_call.hpp>

#include <cstddef>
#include <memory>

namespace weft::python {

/// What the Python side says of a reduction: an operator by its name or a function of two arrays, and the
/// kind
/// ("i", "u", "f") and size of elements.
class reduction {
public:
    /// Throws: `usage_error` for a name without an operator, or elements that it does not take.
    reduction(nb::handle how, char kind, std::size_t element_bytes);

    [[nodiscard]] array_operator& how() const noexcept { return *made_; }
    [[nodiscard]] bool may_throw() const noexcept { return is_python_; }
    [[nodiscard]] rank_array array(output_bytes const& data) const {
        std::span<std::byte> const bytes = bytes_of(data);
        return {bytes.data(), bytes.size() / element_bytes_, element_bytes_};
    }

private:
    std::unique_ptr<array_operator> made_;
    std::size_t element_bytes_;
    bool is_python_;
};

} // namespace weft::python
