/// The values at paths of JSON texts. Private.
#pragma once

#include <weft/io/read_ndjson.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::io {

/// Paths, joined where they begin alike: the members and elements that lead on from each place.
class json_paths {
public:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    static constexpr std::size_t top = 0;

    /// Throws: `usage_error` for what is no path.
    explicit json_paths(std::vector<std::string> const& texts);

    /// The number of paths.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// The place of a member, and of elements; `nowhere` if no path leads there.
    [[nodiscard]] std::size_t member(std::size_t place, std::string_view name) const noexcept;
    [[nodiscard]] std::size_t elements(std::size_t place) const noexcept;
    /// The paths that end at a place.
    [[nodiscard]] std::span<std::size_t const> ends(std::size_t place) const noexcept;

private:
    struct step {
        std::string name;
        std::size_t to;
    };
    struct junction {
        std::vector<step> members;
        std::size_t elements = nowhere;
        std::vector<std::size_t> ends;
    };

    std::size_t add_member(std::size_t place, std::string_view name);
    std::size_t add_elements(std::size_t place);
    std::size_t add_junction();

    std::vector<junction> junctions_;
    std::size_t size_;
};

/// Takes the values of texts. They are valid until the next call, and while the text is.
class json_values {
public:
    explicit json_values(json_paths paths);
    ~json_values();
    json_values(json_values&&) noexcept;
    json_values& operator=(json_values&&) noexcept;
    json_values(json_values const&) = delete;
    json_values& operator=(json_values const&) = delete;

    /// The values of a text by path. The text has one more byte behind it. Throws: `text_fault` for what is
    /// no JSON.
    [[nodiscard]] std::span<std::vector<json_value> const> read(std::string_view text);

private:
    class follower;
    std::unique_ptr<follower> follower_;
};

} // namespace weft::io
