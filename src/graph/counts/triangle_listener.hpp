/// Calls of a user's function with triangles, from where nothing may be thrown. Private.
#pragma once

#include <weft/graph/triangles.hpp>

#include <algorithm>
#include <array>
#include <exception>

namespace weft {

/// Calls a visitor if there is one. It hears of no more triangles once it has thrown.
class triangle_listener {
public:
    /// `visit`: none where triangles are counted alone.
    explicit triangle_listener(triangle_visitor const* visit) noexcept : visit_(visit) {}

    [[nodiscard]] bool visits() const noexcept { return visit_ != nullptr; }
    void tell(std::array<global_id, 3> vertices) noexcept {
        if (failure_) return;
        std::ranges::sort(vertices);
        try {
            (*visit_)(vertices);
        } catch (...) { failure_ = std::current_exception(); }
    }
    /// Throws what the visitor has thrown first.
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    triangle_visitor const* visit_;
    std::exception_ptr failure_;
};

} // namespace weft
