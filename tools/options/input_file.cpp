#include "options/input_file.hpp"

#include <weft/collective/gather.hpp>
#include <weft/core/topology.hpp>
#include <weft/protocol/agreement.hpp>

#include <files/file_handle.hpp>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace weft::tool {

namespace {

constexpr std::size_t piece_bytes = std::size_t{4} << 20;

/// As much of standard input as there is room for; less only at its end.
std::vector<std::byte> next_piece() {
    std::vector<std::byte> piece(piece_bytes);
    std::size_t got = 0;
    while (got < piece.size()) {
        ssize_t const more = ::read(STDIN_FILENO, piece.data() + got, piece.size() - got);
        if (more == 0) break;
        if (more > 0)
            got += static_cast<std::size_t>(more);
        else if (errno != EINTR)
            throw io_error(system_complaint("standard input", "read", errno));
    }
    piece.resize(got);
    return piece;
}

/// A new file for the copy, which nobody else may read.
std::string made_file(std::string const& ending) {
    std::string name = (std::filesystem::temp_directory_path() / "weft-input-XXXXXX").string().append(ending);
    int const descriptor = ::mkostemps(name.data(), static_cast<int>(ending.size()), O_CLOEXEC);
    if (descriptor < 0) throw io_error(system_complaint(name, "make", errno));
    ::close(descriptor);
    return name;
}

} // namespace

std::string short_name_of(std::string const& input) {
    if (input == "-") return "standard input";
    std::string name = input;
    while (name.size() > 1 && name.ends_with('/')) name.pop_back();
    std::size_t const dataset = name.find(":/");
    std::size_t const slash = name.rfind('/', dataset);
    return slash == std::string::npos || slash == dataset || name.size() == 1 ? name : name.substr(slash + 1);
}

input_file::input_file(communicator const& comm, std::string const& name, ending_of const& ending)
    : path_(name) {
    if (name.ends_with(".parquet"))
        throw usage_error(name + ": Weft reads no Parquet; in Python, import pandas; pandas.read_parquet(\"" +
                          name + "\").to_csv(\"" + name.substr(0, name.size() - 8) +
                          ".csv\", index=False) makes it CSV");
    if (name != "-") return;
    is_copy_ = true;
    topology const& nodes = comm.topology();
    bool const is_mine = nodes.leader_of(nodes.node()) == comm.rank();
    bool const alone = nodes.node_count() == 1;
    std::optional<file_handle> copy;
    for (std::int64_t bytes = 0;;) {
        std::vector<std::byte> piece;
        agreed(comm, [&] {
            if (comm.rank() == 0) piece = next_piece();
        });
        std::size_t got = piece.size();
        if (alone)
            got = broadcast(comm, got);
        else
            got = (piece = broadcast(comm, std::move(piece))).size();
        agreed(comm, [&] {
            if (!is_mine) return;
            if (!copy) {
                std::string_view const start(reinterpret_cast<char const*>(piece.data()), piece.size());
                path_ = made_file(ending ? ending(start) : std::string());
                mine_.emplace(path_);
                copy = file_handle::open_to_write(path_, "standard input's copy " + path_.string());
            }
            copy->write(piece, bytes);
        });
        bytes += static_cast<std::int64_t>(got);
        if (got < piece_bytes) break;
    }
    agreed(comm, [&] {
        if (copy) copy->close();
    });
    path_ = broadcast(comm.split(nodes.node()), path_.string());
}

std::string input_file::renamed(std::string text) const {
    if (!is_copy_) return text;
    std::string const name = path_.string();
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
        text.replace(at, name.size(), "standard input");
    return text;
}

} // namespace weft::tool
