#include "output_file.hpp"

#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <unistd.h>

namespace weft {

namespace {

/// Returns a folder that all ranks can access; with several machines, the temporary folder is not one.
std::filesystem::path spool_folder(communicator const& comm) {
    return comm.topology().node_count() == 1 ? std::filesystem::temp_directory_path()
                                             : std::filesystem::current_path();
}

} // namespace

output_file::output_file(gate& call, std::filesystem::path const& file) : comm_(call.comm()), file_(file) {
    agreed(call, [&] {
        if (comm_.rank() == 0) how_ = delivery_to(file_);
    });
    // Unique on the machine of rank 0, whose word counts: devices of the same name may differ.
    how_ = static_cast<delivery>(max(comm_, comm_.rank() == 0 ? static_cast<int>(how_) : 0));
    std::int64_t const mark = max(comm_, comm_.rank() == 0 ? ::getpid() : 0);
    agreed(comm_, [&] {
        part_ = partial_path(file_, how_, mark, spool_folder(comm_));
        if (comm_.rank() != 0) return;
        made_.emplace(part_);
        how_ = make_partial(part_, file_, how_);
    });
}

file_handle output_file::open() const {
    return file_handle::open_to_write(part_, file_);
}

void output_file::finish() {
    agreed(comm_, [&] {
        if (comm_.rank() != 0) return;
        deliver(part_, file_, how_);
        made_->keep();
    });
}

} // namespace weft
