#include <grids/vtk/vtk_xml_tags.hpp>

#include <cstddef>
#include <utility>

namespace weft {

namespace {

constexpr std::string_view tag_blanks = " \t\r\n";
constexpr std::size_t longest_tag = std::size_t{1} << 20; // files of VTK have no longer ones

bool is_blank_in_tag(char each) noexcept {
    return tag_blanks.find(each) != tag_blanks.npos;
}

std::string without_entities(std::string_view text) {
    constexpr std::pair<std::string_view, char> entities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    std::string plain;
    while (!text.empty()) {
        std::size_t width = 1;
        char letter = text[0];
        for (auto const& [entity, meant] : entities)
            if (text.starts_with(entity)) {
                width = entity.size();
                letter = meant;
            }
        plain += letter;
        text.remove_prefix(width);
    }
    return plain;
}

/// Finds the tags of a file, which is read in pieces.
class tag_finder {
public:
    explicit tag_finder(file_handle const& file) : file_(file), piece_(std::size_t{1} << 16, '\0') {}

    vtk_xml_head head() {
        vtk_xml_head found;
        while (pass('<')) {
            vtk_xml_tag tag;
            tag.begin = place() - 1;
            tag.text = "<";
            if (!take_tag(tag.text)) break;
            tag.end = place();
            if (tag.text.starts_with("<!--")) continue;
            bool const before_values = tag.is("AppendedData");
            found.tags.push_back(std::move(tag));
            if (!before_values) continue;
            if (pass('_')) found.values = place(); // it precedes the values
            break;
        }
        return found;
    }

private:
    [[nodiscard]] std::int64_t place() const noexcept { return start_ + static_cast<std::int64_t>(next_); }

    bool refill() {
        start_ += static_cast<std::int64_t>(size_);
        next_ = 0;
        size_ = file_.read(piece_.data(), piece_.size(), start_);
        return size_ > 0;
    }

    /// Moves past the next such letter; returns false at the end of the file.
    bool pass(char letter) {
        for (;;) {
            std::size_t const found = std::string_view(piece_).substr(0, size_).find(letter, next_);
            if (found != std::string_view::npos) {
                next_ = found + 1;
                return true;
            }
            if (!refill()) return false;
        }
    }

    /// Reads the rest up to ">" outside of quotes, or "-->" of a comment; returns false if there is none.
    bool take_tag(std::string& into) {
        char quote = 0;
        while (into.size() < longest_tag) {
            if (next_ == size_ && !refill()) return false;
            char const each = piece_[next_++];
            bool const in_comment = into.starts_with("<!--");
            if (in_comment ? each == '>' && into.ends_with("--") : each == '>' && quote == 0) return true;
            if (!in_comment && quote == 0 && (each == '"' || each == '\''))
                quote = each;
            else if (each == quote)
                quote = 0;
            if (in_comment && into.size() > 64) into.erase(4, into.size() - 6); // contents are not needed
            into += each;
        }
        return false;
    }

    file_handle const& file_;
    std::string piece_;
    std::int64_t start_ = 0; // offset of the piece in the file
    std::size_t size_ = 0;
    std::size_t next_ = 0;
};

} // namespace

bool vtk_xml_tag::is(std::string_view name) const noexcept {
    std::string_view const rest = std::string_view(text).substr(1);
    return rest.starts_with(name) &&
           (rest.size() == name.size() || rest[name.size()] == '/' || is_blank_in_tag(rest[name.size()]));
}

std::optional<std::string> vtk_xml_tag::attribute(std::string_view name) const {
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        if (!is_blank_in_tag(text[at - 1])) continue; // "<" precedes all names, so at > 0
        std::size_t const equal = text.find_first_not_of(tag_blanks, at + name.size());
        if (equal == text.npos || text[equal] != '=') continue;
        std::size_t const quote = text.find_first_not_of(tag_blanks, equal + 1);
        if (quote == text.npos || (text[quote] != '"' && text[quote] != '\'')) continue;
        std::size_t const end = text.find(text[quote], quote + 1);
        if (end != text.npos)
            return without_entities(std::string_view(text).substr(quote + 1, end - quote - 1));
    }
    return {};
}

std::vector<std::string> vtk_xml_head::attributes(std::string_view name) const {
    std::vector<std::string> found;
    for (vtk_xml_tag const& each : tags)
        if (auto value = each.attribute(name)) found.push_back(std::move(*value));
    return found;
}

vtk_xml_head read_vtk_xml_head(file_handle const& file) {
    return tag_finder(file).head();
}

} // namespace weft
