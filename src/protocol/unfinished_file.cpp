#include "unfinished_file.hpp"

#include <core/file_handle.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstdio>
#include <string>

#include <unistd.h>

namespace weft {

unfinished_file::unfinished_file(communicator const& comm, std::filesystem::path const& file)
    : comm_(comm), file_(file) {
    // Unique on the machine of rank 0; all ranks call it by the same name.
    std::int64_t const mark = max(comm, comm.rank() == 0 ? ::getpid() : 0);
    part_ = file;
    part_ += ".part" + std::to_string(mark);
    agreed(comm, [&] {
        if (comm_.rank() != 0) return;
        std::remove(part_.c_str()); // left over from a process of the same number that was killed
        (void)file_handle::create(part_);
        made_ = true;
    });
}

unfinished_file::~unfinished_file() {
    if (made_) std::remove(part_.c_str());
}

void unfinished_file::finish() {
    agreed(comm_, [&] {
        if (comm_.rank() != 0) return;
        std::error_code failure;
        std::filesystem::rename(part_, file_, failure);
        if (failure) throw io_error(system_complaint(file_, "write", failure.value()));
        made_ = false;
    });
}

} // namespace weft
