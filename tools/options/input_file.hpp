/// Files to read that may be standard input.
#pragma once

#include <files/partial_files.hpp>

#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace weft::tool {

/// The name of an input in a picture or a table: the last part of its path, a folder without its slash, a
/// dataset of HDF5 with the name of its file. Local.
[[nodiscard]] std::string short_name_of(std::string const& input);

/// A file of the command line. "-" is standard input, of which each node keeps a copy in the folder for
/// temporary files for as long as this lives, so that ranks can read it in parallel and as often as they
/// like.
class input_file {
public:
    /// Finds the ending of a copy's name by the first bytes of its content.
    using ending_of = std::function<std::string(std::string_view start)>;

    /// Collective where `name` is "-". Throws: `io_error`, agreed, where there is no room for the copy.
    input_file(communicator const& comm, std::string const& name, ending_of const& ending = {});
    input_file(input_file const&) = delete;
    input_file& operator=(input_file const&) = delete;

    [[nodiscard]] std::filesystem::path const& path() const noexcept { return path_; }

    /// Calls; errors name standard input rather than its copy.
    template <class Call>
    decltype(auto) naming_it(Call&& call) const {
        try {
            return call();
        } catch (io_error const& caught) {
            throw io_error(renamed(caught.what()));
        } catch (usage_error const& caught) { throw usage_error(renamed(caught.what())); }
    }

private:
    [[nodiscard]] std::string renamed(std::string text) const;

    std::filesystem::path path_;
    bool is_copy_ = false;
    std::optional<partial_file> mine_; // removed at the end: this rank has made the copy
};

} // namespace weft::tool
