#include "json_values.hpp"

#include <weft/core/error.hpp>
#include <weft/io/read_text.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <exception>

namespace weft::tool {

namespace {

constexpr int no_match = -1;

/// Follows a path through the events of a parser.
class path_follower {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    path_follower(
        std::string_view text, json_path const& path, std::function<void(std::string_view)> const& use)
        : text_(text), steps_(path.steps()), use_(use) {}

    bool null() const { return true; }
    bool boolean(bool value) const { return give(value ? "true" : "false"); }
    bool number_integer(number_integer_t value) const { return give_number(value); }
    bool number_unsigned(number_unsigned_t value) const { return give_number(value); }
    bool number_float(number_float_t, string_t const& spelled) const { return give(spelled); }
    bool string(string_t const& value) const { return give(value); }
    bool binary(binary_t const&) const { return true; }
    bool start_object(std::size_t) {
        enter("an object");
        return true;
    }
    bool key(string_t const& name) {
        level& here = open_.back();
        here.inner = matches(here) && !steps_[static_cast<std::size_t>(here.own)].is_elements &&
                             steps_[static_cast<std::size_t>(here.own)].name == name
                         ? here.own + 1
                         : no_match;
        return true;
    }
    bool start_array(std::size_t) {
        level& here = enter("a list");
        if (matches(here) && steps_[static_cast<std::size_t>(here.own)].is_elements)
            here.inner = here.own + 1;
        return true;
    }
    bool end_object() { return leave(); }
    bool end_array() { return leave(); }
    [[noreturn]] bool parse_error(
        std::size_t position, std::string const&, nlohmann::detail::exception const& what) const {
        std::string_view said = what.what();
        std::size_t const cause = said.find(": ");
        if (cause != said.npos) said.remove_prefix(cause + 2);
        std::size_t const place = position == 0 ? 0 : position - 1;
        throw text_fault{text_.data() + (place < text_.size() ? place : text_.size()),
            "expected JSON, found a " + std::string(said)};
    }

private:
    /// An object or list that is open: how many steps its own place matches, and the next value in it.
    struct level {
        int own;
        int inner;
    };

    [[nodiscard]] int here() const noexcept { return open_.empty() ? 0 : open_.back().inner; }
    [[nodiscard]] bool matches(level const& of) const noexcept {
        return of.own != no_match && of.own < static_cast<int>(steps_.size());
    }
    level& enter(char const* what) {
        int const own = here();
        if (own == static_cast<int>(steps_.size()))
            throw text_fault{text_.data(), std::string("expected a text or a number at that path, found ") +
                                               what + " (name a member as in a.b, or elements as in a[])"};
        return open_.emplace_back(level{own, no_match});
    }
    bool leave() {
        open_.pop_back();
        return true;
    }
    bool give(std::string_view value) const {
        if (here() == static_cast<int>(steps_.size())) use_(value);
        return true;
    }
    template <class Number>
    bool give_number(Number value) const {
        if (here() == static_cast<int>(steps_.size())) use_(std::to_string(value));
        return true;
    }

    std::string_view text_;
    std::vector<json_path::step> const& steps_;
    std::function<void(std::string_view)> const& use_;
    std::vector<level> open_;
};

} // namespace

json_path::json_path(std::string const& text) {
    auto const refuse = [&] {
        throw usage_error("--json " + text +
                          ": expected names of members with dots between them and [] behind lists, as in "
                          "user.name or tags[].text");
    };
    std::string_view rest = text;
    if (rest.empty()) refuse();
    for (bool first = true; !rest.empty(); first = false) {
        if (rest.starts_with("[]")) {
            steps_.push_back({{}, true});
            rest.remove_prefix(2);
            continue;
        }
        if (!first) {
            if (rest[0] != '.') refuse();
            rest.remove_prefix(1);
        }
        std::string_view const name = rest.substr(0, rest.find_first_of(".["));
        if (name.empty()) refuse();
        steps_.push_back({std::string(name), false});
        rest.remove_prefix(name.size());
    }
}

void for_each_json_value(
    std::string_view text, json_path const& path, std::function<void(std::string_view)> const& use) {
    path_follower follower(text, path, use);
    (void)nlohmann::json::sax_parse(text.begin(), text.end(), &follower);
}

} // namespace weft::tool
