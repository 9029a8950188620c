/// Volumes in files, open on all ranks. Private.
#pragma once

#include "call.hpp"

#include <grids/grid_source.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace weft::python {

/// A volume in a file, of which each rank reads the boxes that it needs.
class volume_file {
public:
    /// Collective: yes. Throws: as `open_grid`, agreed; `usage_error` where axes are not straight.
    volume_file(communicator const& comm, std::string name, grid_file_options const& options);

    [[nodiscard]] grid_shape const& shape() const noexcept { return source_->shape(); }
    [[nodiscard]] std::string const& name() const noexcept { return name_; }

    /// The same volume for a call that reads it, with another value for what is missing, if wanted. It lives
    /// as long as this does.
    [[nodiscard]] std::unique_ptr<grid_source> source(std::optional<double> missing) const;

private:
    std::string name_;
    std::unique_ptr<grid_source> source_;
};

} // namespace weft::python
