/// Calls a user's function with triangles, from code that must not throw. Private.
#pragma once

#include <weft/graph/triangles.hpp>

#include <algorithm>
#include <array>
#include <exception>

namespace weft {

/// Calls a visitor if there is one, until it throws.
class triangle_listener {
public:
    /// `visit` is empty if triangles are only counted.
    explicit triangle_listener(triangle_visitor const* visit) noexcept : visit_(visit) {}

    [[nodiscard]] bool visits() const noexcept { return visit_ != nullptr; }
    void tell(std::array<global_id, 3> vertices) noexcept {
        if (failure_) return;
        std::ranges::sort(vertices);
        try {
            (*visit_)(vertices);
        } catch (...) { failure_ = std::current_exception(); }
    }
    /// Rethrows the visitor's exception, if there is one.
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    triangle_visitor const* visit_;
    std::exception_ptr failure_;
};

} // namespace weft
