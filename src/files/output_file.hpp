/// The one way in which output files of all ranks are written. Private.
#pragma once

#include <files/output_target.hpp>
#include <files/partial_files.hpp>

#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <filesystem>
#include <optional>

namespace weft {

/// Collects the bytes of all ranks in a partial file and delivers them when they are complete. A regular
/// file appears or changes at once, with the mode and owner that it had, behind symbolic links; standard
/// output ("-"), a FIFO or a device is written in order. Rank 0 makes the partial file, and removes it unless
/// it was finished.
class output_file {
public:
    /// Collective. Throws: what `call` has kept, before any file is touched; `io_error`; both agreed.
    output_file(gate& call, std::filesystem::path const& file);

    /// For this rank to write; its errors name the output. Local. Throws: `io_error`.
    [[nodiscard]] file_handle open() const;

    /// Delivers what the ranks have written and closed. Collective. Throws: `io_error`, agreed.
    void finish();

private:
    communicator comm_;
    std::filesystem::path file_;
    std::filesystem::path part_;
    delivery how_ = delivery::replace;
    std::optional<partial_file> made_; // on rank 0
};

} // namespace weft
