/// Protocols that won a trial, kept beside the machine model so that later runs need no trial.
/// Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/settings.hpp>

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// The question that a trial answers: the shape of a communicator, and the classes of an `exchange_load`.
struct choice_key {
    int ranks = 1;
    int nodes = 1;
    int largest_node = 1;
    int messages = 0;
    int bytes = 0;

    friend auto operator<=>(choice_key const&, choice_key const&) = default;
};

/// The choices in a file when a communicator was made, one in each line: `2 1 2 9 26 pex`. The file is a
/// cache that several jobs may write at once, so invalid lines are skipped, and the last line of a key
/// counts.
class stored_choices {
public:
    /// No choices, and no file.
    stored_choices() = default;
    /// The choices of a text; winners of this run are appended to `file`.
    stored_choices(std::string file, std::string_view text);

    [[nodiscard]] std::size_t size() const noexcept { return winners_.size(); }
    [[nodiscard]] std::optional<protocol> find(choice_key const& key) const;
    /// Returns all choices in the format of the file, each once.
    [[nodiscard]] std::string text() const;
    /// Adds a winner to the file, for later runs. The choices here stay the same, since other ranks do not
    /// know of it. Does nothing without a file, or if it cannot be written: then a later run has its own
    /// trial. Local.
    void store(choice_key const& key, protocol winner) const;

private:
    std::string file_; // empty: no file
    std::map<choice_key, protocol> winners_;
};

/// Returns the file of choices that belongs to a file of a machine model. Local.
[[nodiscard]] std::string choices_file_path(std::string const& machine_file);

/// Returns the choices that came with the machine model of a communicator; the same on all ranks. Local.
[[nodiscard]] stored_choices const& choices_of(communicator const& comm) noexcept;

} // namespace weft
