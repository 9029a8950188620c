/// Why a surface, a slice or a threshold has nothing: the span of the data beside what was asked for.
#pragma once

#include "field_input.hpp"

#include <weft/contouring/slice.hpp>
#include <weft/contouring/threshold.hpp>
#include <weft/core/communicator.hpp>

#include <array>
#include <string>
#include <vector>

namespace weft::tool {

/// Warns on rank 0 of each value that has no triangle, and adds the span of the field to the result.
/// Collective.
void tell_empty_contours(communicator const& comm, field_input const& field,
    std::vector<value_bound> const& values, std::vector<contour_counts> const& found,
    nlohmann::ordered_json& result);

/// The same of a slice without a triangle; `text`: the plane as it was given.
void tell_empty_slice(communicator const& comm, field_input const& field, plane const& by,
    std::string const& text, nlohmann::ordered_json& result);

/// The same of a threshold that keeps no cell.
void tell_empty_threshold(communicator const& comm, field_input const& field,
    threshold_options const& options, nlohmann::ordered_json& result);

} // namespace weft::tool
