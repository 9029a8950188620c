#include "options/bound_option.hpp"

#include <weft/collective/arrays.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace weft::tool {

namespace {

std::string refused_bound(std::string const& text) {
    return value_bound::parse(text) ? std::string() : fmt::format("expected a number, found \"{}\"", text);
}

} // namespace

CLI::Option* add_bound(
    CLI::App& app, std::string const& name, std::optional<value_bound>& into, std::string const& about) {
    return app
        .add_option_function<std::string>(
            name, [&into](std::string const& text) { into = value_bound::parse(text); }, about)
        ->check(CLI::Validator(refused_bound, "a number"))
        ->type_name("NUMBER");
}

CLI::Option* add_bounds(
    CLI::App& app, std::string const& name, std::vector<value_bound>& into, std::string const& about) {
    return app
        .add_option_function<std::vector<std::string>>(
            name,
            [&into](std::vector<std::string> const& texts) {
                into.clear();
                for (std::string const& text : texts)
                    if (auto const bound = value_bound::parse(text)) into.push_back(*bound);
            },
            about)
        ->delimiter(',')
        ->take_all()
        ->allow_extra_args(false)
        ->check(CLI::Validator(refused_bound, "a number"))
        ->type_name("NUMBER");
}

std::vector<value_bound> in_type_of(
    communicator const& comm, std::span<double const> field, std::vector<value_bound> bounds) {
    std::vector<std::int64_t> found(bounds.size() + 2); // not of float32, not whole, and each bound
    for (double const value : field) {
        if (!std::isfinite(value)) continue;
        std::optional<float> const single = value_bound(value).least<float>();
        if (!single || static_cast<double>(*single) != value) found[0] = 1;
        if (value != std::floor(value)) found[1] = 1;
        for (std::size_t i = 0; i < bounds.size(); ++i)
            if (single == bounds[i].least<float>()) found[2 + i] = 1;
    }
    all_reduce(comm, std::span(found), [](std::int64_t a, std::int64_t b) noexcept { return a | b; });
    if (found[0] != 0 || found[1] == 0) return bounds;
    for (std::size_t i = 0; i < bounds.size(); ++i)
        if (auto const single = bounds[i].least<float>(); single && found[2 + i] != 0)
            bounds[i] = static_cast<double>(*single);
    return bounds;
}

nlohmann::ordered_json json_of(value_bound const& bound) {
    if (bound.rest() == 0) return bound.nearest();
    if (auto const whole = bound.least<std::int64_t>()) return *whole;
    return bound.least<std::uint64_t>().value_or(0);
}

nlohmann::ordered_json json_of(std::vector<value_bound> const& bounds) {
    auto all = nlohmann::ordered_json::array();
    for (value_bound const& each : bounds) all.push_back(json_of(each));
    return all;
}

} // namespace weft::tool
