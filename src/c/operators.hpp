/// The operators that C names, and those that it calls back. Private.
#pragma once

#include "handles.hpp"

#include <weft/collective/arrays.hpp>

#include <cstddef>

namespace weft::c {

/// An operator and the bytes of the elements that it combines.
struct chosen_operator {
    array_operator* how = nullptr;
    std::size_t element_bytes = 0;
};

/// The operator of that name for a type; it lives as long as the program. Throws: `usage_error` for a type or
/// an operator that does not exist, and for bits of real numbers.
[[nodiscard]] chosen_operator choose_by(weft_type type, weft_operator by);

/// An operator of the program's.
class called_operator final : public array_operator {
public:
    called_operator(weft_combine combine, void* state) noexcept : combine_(combine), state_(state) {}
    void combine(std::byte* into, std::byte const* other, std::size_t elements, bool other_is_left) override {
        callback const now;
        if (other_is_left)
            combine_(state_, other, into, into, elements);
        else
            combine_(state_, into, other, into, elements);
        now.end();
    }

private:
    weft_combine combine_;
    void* state_;
};

} // namespace weft::c
