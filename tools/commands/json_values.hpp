/// The values at a path of JSON texts, one a line.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tool {

/// A path: names of members with dots between them, and [] behind a list whose elements are meant, as in
/// `user.name` or `tags[].text`.
class json_path {
public:
    struct step {
        std::string name;
        bool is_elements = false; ///< of a list, in place of a member
    };

    /// Throws: `usage_error` for what is no path.
    explicit json_path(std::string const& text);

    [[nodiscard]] std::vector<step> const& steps() const noexcept { return steps_; }

private:
    std::vector<step> steps_;
};

/// Calls `use` with each text, number, true or false that a text of JSON has at the path, numbers as they are
/// spelled; null counts as nothing. Throws: `text_fault` for what is no JSON, and for objects and lists
/// there.
void for_each_json_value(
    std::string_view text, json_path const& path, std::function<void(std::string_view)> const& use);

} // namespace weft::tool
