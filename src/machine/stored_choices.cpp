#include "stored_choices.hpp"

#include <weft/machine/machine_model.hpp>

#include <array>
#include <charconv>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft {

namespace {

constexpr std::string_view heading =
    "# Protocols of exchanges that won Weft's trials with the model in the file beside this one; `weft "
    "tune`\n"
    "# removes it. Ranks, nodes, ranks of the largest node, class of messages, class of bytes, protocol; of\n"
    "# several lines on one load the last holds.\n";

constexpr std::array numbers{&choice_key::ranks, &choice_key::nodes, &choice_key::largest_node,
    &choice_key::messages, &choice_key::bytes};

std::string as_line(choice_key const& key, protocol winner) {
    std::string line;
    for (auto const number : numbers) line.append(std::to_string(key.*number)).append(" ");
    return line.append(name_of(winner)).append("\n");
}

std::optional<protocol> protocol_named(std::string_view name) {
    for (protocol const each : all_protocols())
        if (name_of(each) == name) return each;
    return std::nullopt;
}

/// Returns the winner of a line; nothing if the line is invalid. `key` is set as far as it is read.
std::optional<protocol> read_line(std::string_view line, choice_key& key) {
    char const* next = line.data();
    char const* const end = line.data() + line.size();
    for (auto const number : numbers) {
        auto const [behind, failure] = std::from_chars(next, end, key.*number);
        if (failure != std::errc{} || behind == end || *behind != ' ') return std::nullopt;
        next = behind + 1;
    }
    return protocol_named(std::string_view(next, static_cast<std::size_t>(end - next)));
}

} // namespace

stored_choices::stored_choices(std::string file, std::string_view text) : file_(std::move(file)) {
    // A line without an end is still being written, or was cut short.
    for (std::size_t end = 0; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
        choice_key key;
        if (auto const winner = read_line(text.substr(0, end), key)) winners_[key] = *winner;
    }
}

std::optional<protocol> stored_choices::find(choice_key const& key) const {
    auto const found = winners_.find(key);
    return found == winners_.end() ? std::nullopt : std::optional(found->second);
}

std::string stored_choices::text() const {
    std::string all(heading);
    for (auto const& [key, winner] : winners_) all += as_line(key, winner);
    return all;
}

void stored_choices::store(choice_key const& key, protocol winner) const {
    if (file_.empty()) return;
    int const file = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return;
    struct stat found {};
    std::string text = as_line(key, winner);
    if (::fstat(file, &found) == 0 && found.st_size == 0) text.insert(0, heading);
    // One write, so that lines of other jobs come before or after it.
    [[maybe_unused]] auto const written = ::write(file, text.data(), text.size());
    ::close(file);
}

std::string choices_file_path(std::string const& machine_file) {
    return machine_file + ".choices";
}

} // namespace weft
