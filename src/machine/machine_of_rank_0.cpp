#include "machine_of_rank_0.hpp"

#include "machine_file.hpp"

#include <core/communicator_state.hpp>
#include <core/of_rank_0.hpp>

#include <weft/core/error.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace weft {

namespace {

/// The file that rank 0 has found. It is sent as text: complaint, path, choices and content, separated by
/// zero bytes.
struct found_file {
    std::string path;
    std::string content;
    std::string complaint; // reason for no content; empty if no file was needed
    std::string choices;   // of the file beside it; empty if there is no such file
};

std::string as_text(found_file const& found) {
    return found.complaint + '\0' + found.path + '\0' + found.choices + '\0' + found.content;
}

found_file from_text(std::string const& text) {
    std::size_t const first = text.find('\0');
    std::size_t const second = text.find('\0', first + 1);
    std::size_t const third = text.find('\0', second + 1);
    return {text.substr(first + 1, second - first - 1), text.substr(third + 1), text.substr(0, first),
        text.substr(second + 1, third - second - 1)};
}

found_file look_for(std::string const& path) {
    found_file found{path, {}, {}, {}};
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) {
        found.complaint = "it is a directory";
        return found;
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (file) found.content.assign(std::istreambuf_iterator<char>(file), {});
    if (!file || file.bad()) found.complaint = errno != 0 ? std::strerror(errno) : "it cannot be read";
    return found;
}

/// Reads a model and the choices beside it. The choices are parsed by `stored_choices` first, so that damaged
/// or outdated lines of the cache are not sent.
found_file look_for_model(std::string const& path) {
    found_file found = look_for(path);
    if (found.complaint.empty())
        found.choices = stored_choices({}, look_for(choices_file_path(path)).content).text();
    return found;
}

} // namespace

std::shared_ptr<agreed_machine const> machine_of_rank_0(
    all_ranks_here here, MPI_Comm comm, settings const& chosen) {
    auto agreed = std::make_shared<agreed_machine>(agreed_machine{built_in_machine(), {}, {}});
    if (chosen.machine == "none") return agreed;
    bool const is_named = !chosen.machine.empty();
    found_file const found = from_text(of_rank_0(here, comm, [&] {
        std::string const path = is_named ? chosen.machine : machine_file_path();
        return as_text(path.empty() ? found_file() : look_for_model(path));
    }));
    if (!found.complaint.empty() && is_named)
        throw io_error("WEFT_MACHINE=" + found.path + ": " + found.complaint +
                       "; expected a file that `weft tune --file` wrote, or none for the built-in model");
    if (found.path.empty() || !found.complaint.empty()) return agreed;
    try {
        agreed->model = parse_machine(found.content, found.path);
        agreed->choices = stored_choices(choices_file_path(found.path), found.choices);
    } catch (io_error const& caught) {
        if (is_named) throw;
        agreed->warning = "the machine model is not used: " + std::string(caught.what());
    }
    return agreed;
}

std::string const& warning_of(agreed_machine const& machine) noexcept {
    return machine.warning;
}

machine_model const& communicator::machine() const noexcept {
    return state_->machine->model;
}

stored_choices const& choices_of(communicator const& comm) noexcept {
    return state_of(comm).machine->choices;
}

} // namespace weft
