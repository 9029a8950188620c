#include "machine_of_rank_0.hpp"

#include <weft/core/error.hpp>
#include <weft/core/machine_file.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace weft {

namespace {

/// A file as rank 0 found it.
struct found_file {
    std::string path;
    std::string text;
    std::string complaint; // why there is no text; empty also where nothing was looked for
};

found_file look_for(std::string const& path) {
    found_file found{path, {}, {}};
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (file) found.text.assign(std::istreambuf_iterator<char>(file), {});
    if (!file || file.bad()) found.complaint = errno != 0 ? std::strerror(errno) : "it cannot be read";
    return found;
}

} // namespace

void broadcast(MPI_Comm comm, std::string& text) {
    int length = static_cast<int>(text.size());
    check_mpi(MPI_Bcast(&length, 1, MPI_INT, 0, comm), "MPI_Bcast");
    text.resize(static_cast<std::size_t>(length));
    check_mpi(MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm), "MPI_Bcast");
}

std::shared_ptr<agreed_machine const> machine_of_rank_0(MPI_Comm comm, settings const& chosen) {
    auto agreed = std::make_shared<agreed_machine>(agreed_machine{built_in_machine(), {}});
    if (chosen.machine == "none") return agreed;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    bool const is_named = !chosen.machine.empty();
    found_file found;
    if (rank == 0) {
        std::string const path = is_named ? chosen.machine : machine_file_path();
        if (!path.empty()) found = look_for(path);
    }
    for (std::string* const each : {&found.path, &found.text, &found.complaint}) broadcast(comm, *each);
    if (!found.complaint.empty() && is_named)
        throw io_error("WEFT_MACHINE=" + found.path + ": " + found.complaint +
                       "; expected a file that `weft tune --file` wrote, or none for the built-in model");
    if (found.path.empty() || !found.complaint.empty()) return agreed;
    try {
        agreed->model = parse_machine(found.text, found.path);
    } catch (io_error const& caught) {
        if (is_named) throw;
        agreed->warning = "the machine model is not used: " + std::string(caught.what());
    }
    return agreed;
}

} // namespace weft
