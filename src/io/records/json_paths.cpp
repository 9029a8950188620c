#include "json_values.hpp"

#include <weft/core/error.hpp>

namespace weft::io {

json_paths::json_paths(std::vector<std::string> const& texts) : size_(texts.size()) {
    (void)add_junction();
    for (std::size_t path = 0; path < texts.size(); ++path) {
        auto const refuse = [&] {
            throw usage_error(
                "`paths`: expected names of members with dots between them and [] behind lists, "
                "as in user.name or tags[].text, found \"" +
                texts[path] + "\"");
        };
        std::string_view rest = texts[path];
        if (rest.empty()) refuse();
        std::size_t place = top;
        for (bool first = true; !rest.empty(); first = false) {
            if (rest.starts_with("[]")) {
                place = add_elements(place);
                rest.remove_prefix(2);
                continue;
            }
            if (!first) {
                if (rest[0] != '.') refuse();
                rest.remove_prefix(1);
            }
            std::string_view const name = rest.substr(0, rest.find_first_of(".["));
            if (name.empty()) refuse();
            place = add_member(place, name);
            rest.remove_prefix(name.size());
        }
        junctions_[place].ends.push_back(path);
    }
}

std::size_t json_paths::member(std::size_t place, std::string_view name) const noexcept {
    if (place == nowhere) return nowhere;
    for (step const& each : junctions_[place].members)
        if (each.name == name) return each.to;
    return nowhere;
}

std::size_t json_paths::elements(std::size_t place) const noexcept {
    return place == nowhere ? nowhere : junctions_[place].elements;
}

std::span<std::size_t const> json_paths::ends(std::size_t place) const noexcept {
    return place == nowhere ? std::span<std::size_t const>() : junctions_[place].ends;
}

std::size_t json_paths::add_member(std::size_t place, std::string_view name) {
    std::size_t const known = member(place, name);
    if (known != nowhere) return known;
    std::size_t const made = add_junction();
    junctions_[place].members.push_back({std::string(name), made});
    return made;
}

std::size_t json_paths::add_elements(std::size_t place) {
    if (junctions_[place].elements == nowhere) {
        std::size_t const made = add_junction();
        junctions_[place].elements = made;
    }
    return junctions_[place].elements;
}

std::size_t json_paths::add_junction() {
    junctions_.emplace_back();
    return junctions_.size() - 1;
}

} // namespace weft::io
