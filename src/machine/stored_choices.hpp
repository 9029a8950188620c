/// Protocols that won a trial, kept beside the machine model so that the next run of a program does not pay
/// for it again. Private.
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

/// The answers that were in a file when a communicator was made: a line each, `2 1 2 9 26 pex`. The file is a
/// cache that several jobs may write at once, so what is damaged is skipped, and of one key the last line
/// holds.
class stored_choices {
public:
    /// None, and nowhere to store any.
    stored_choices() = default;
    /// Those of a text; winners of this run go to `file`.
    stored_choices(std::string file, std::string_view text);

    [[nodiscard]] std::size_t size() const noexcept { return winners_.size(); }
    [[nodiscard]] std::optional<protocol> find(choice_key const& key) const;
    /// All of them as a file has them, each once.
    [[nodiscard]] std::string text() const;
    /// Adds a winner to the file, for later runs; these here stay as they are, since other ranks know nothing
    /// of it. Does nothing where there is no file or it cannot be written: then a later run tries again.
    /// Local.
    void store(choice_key const& key, protocol winner) const;

private:
    std::string file_; // empty: none
    std::map<choice_key, protocol> winners_;
};

/// The file of choices that belongs to the file of a machine model. Local.
[[nodiscard]] std::string choices_file_path(std::string const& machine_file);

/// The choices that came with the machine model of a communicator; the same on all ranks. Local.
[[nodiscard]] stored_choices const& choices_of(communicator const& comm) noexcept;

} // namespace weft
