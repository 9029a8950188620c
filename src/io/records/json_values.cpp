#include "json_values.hpp"

#include <nlohmann/json.hpp>

#include <deque>
#include <iterator>
#include <memory>
#include <utility>

namespace weft::io {

namespace {

/// A place in a text that tells how far a parser has come.
class told_place {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = char const*;
    using reference = char const&;

    told_place(char const* at, char const*& told) noexcept : at_(at), told_(&told) {}
    char const& operator*() const noexcept { return *at_; }
    told_place& operator++() noexcept {
        *told_ = ++at_;
        return *this;
    }
    told_place operator++(int) noexcept {
        told_place const before = *this;
        ++*this;
        return before;
    }
    bool operator==(told_place const& other) const noexcept { return at_ == other.at_; }

private:
    char const* at_;
    char const** told_;
};

} // namespace

/// Follows all paths through the events of a parser. An event comes when the parser has read the last byte of
/// its value, of a number also the byte behind it, and begins where the one before it ended.
class json_values::follower {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    explicit follower(json_paths paths) : paths_(std::move(paths)), values_(paths_.size()) {}

    std::span<std::vector<json_value> const> read(std::string_view text) {
        for (auto& each : values_) each.clear();
        open_.clear();
        unescaped_used_ = 0;
        text_ = text;
        seen_ = now_ = text.data();
        // With the byte behind the text a number at its end is read as one elsewhere.
        (void)nlohmann::json::sax_parse(
            told_place(text.data(), now_), told_place(text.data() + text.size() + 1, now_), this);
        return values_;
    }

    bool null() { return give_literal(json_kind::null); }
    bool boolean(bool) { return give_literal(json_kind::boolean); }
    bool number_integer(number_integer_t) { return give_number(); }
    bool number_unsigned(number_unsigned_t) { return give_number(); }
    bool number_float(number_float_t, string_t const&) { return give_number(); }
    bool string(string_t const& value) {
        auto const ends = paths_.ends(here());
        if (!ends.empty()) {
            char const* const begin = begin_of_event();
            std::string_view raw(begin + 1, static_cast<std::size_t>(now_ - begin - 2));
            // An escape is always longer than what it stands for.
            give(ends, {json_kind::text, raw.size() == value.size() ? raw : kept(value), begin});
        }
        seen_ = now_;
        return true;
    }
    bool binary(binary_t const&) { return true; }
    bool start_object(std::size_t) { return enter(); }
    bool key(string_t const& name) {
        open_.back().inner = paths_.member(open_.back().own, name);
        seen_ = now_;
        return true;
    }
    bool start_array(std::size_t) {
        (void)enter();
        open_.back().inner = paths_.elements(open_.back().own);
        return true;
    }
    bool end_object() { return leave(json_kind::object); }
    bool end_array() { return leave(json_kind::list); }
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
    /// An object or list that is open: its place, that of the next value in it, and where it begins.
    struct level {
        std::size_t own;
        std::size_t inner;
        char const* begin;
    };

    [[nodiscard]] std::size_t here() const noexcept {
        return open_.empty() ? json_paths::top : open_.back().inner;
    }
    /// Where the event begins: behind the one before it, and what stands between two values.
    [[nodiscard]] char const* begin_of_event() const noexcept {
        char const* at = seen_;
        while (*at == ' ' || *at == ',' || *at == ':' || *at == '\t' || *at == '\r') ++at;
        return at;
    }
    bool give_literal(json_kind kind) {
        auto const ends = paths_.ends(here());
        if (!ends.empty()) give_text(ends, kind, begin_of_event(), now_);
        seen_ = now_;
        return true;
    }
    bool give_number() {
        auto const ends = paths_.ends(here());
        if (!ends.empty()) give_text(ends, json_kind::number, begin_of_event(), now_ - 1);
        seen_ = now_ - 1;
        return true;
    }
    bool enter() {
        open_.push_back({here(), json_paths::nowhere, begin_of_event()});
        seen_ = now_;
        return true;
    }
    bool leave(json_kind kind) {
        level const left = open_.back();
        open_.pop_back();
        seen_ = now_;
        auto const ends = paths_.ends(left.own);
        if (!ends.empty()) give_text(ends, kind, left.begin, now_);
        return true;
    }
    void give_text(std::span<std::size_t const> ends, json_kind kind, char const* begin, char const* end) {
        give(ends, {kind, {begin, static_cast<std::size_t>(end - begin)}, begin});
    }
    void give(std::span<std::size_t const> ends, json_value const& value) {
        for (std::size_t const path : ends) values_[path].push_back(value);
    }
    std::string_view kept(std::string const& value) {
        if (unescaped_used_ == unescaped_.size()) unescaped_.emplace_back();
        return unescaped_[unescaped_used_++] = value;
    }

    json_paths paths_;
    std::vector<std::vector<json_value>> values_;
    std::vector<level> open_;
    std::deque<std::string> unescaped_; // texts with escapes; they never move
    std::size_t unescaped_used_ = 0;
    std::string_view text_;
    char const* seen_ = nullptr; // the end of the event before
    char const* now_ = nullptr;  // how far the parser has come
};

json_values::json_values(json_paths paths) : follower_(std::make_unique<follower>(std::move(paths))) {
}
json_values::~json_values() = default;
json_values::json_values(json_values&&) noexcept = default;
json_values& json_values::operator=(json_values&&) noexcept = default;

std::span<std::vector<json_value> const> json_values::read(std::string_view text) {
    return follower_->read(text);
}

} // namespace weft::io
