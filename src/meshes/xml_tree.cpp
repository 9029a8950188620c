#include <meshes/xml_tree.hpp>

#include <files/file_handle.hpp>
#include <io/expat_calls.hpp>

#include <weft/core/error.hpp>

#include <utility>

namespace weft {

namespace {

class tree_reader {
public:
    explicit tree_reader(std::filesystem::path const& file) : file_(file_handle::open_to_read(file)) {}

    xml_element read() {
        std::int64_t offset = 0;
        std::string const complaint = calls_.read([&](char* into, std::size_t bytes) {
            std::size_t const got = file_.read(into, bytes, offset);
            offset += static_cast<std::int64_t>(got);
            return got;
        });
        if (!complaint.empty()) fail(complaint);
        return std::move(root_.children.front());
    }

private:
    static constexpr std::size_t most_open = 100;

    [[nodiscard]] std::int64_t line() const {
        return static_cast<std::int64_t>(XML_GetCurrentLineNumber(calls_.parser()));
    }
    [[noreturn]] void fail(std::string const& text) const {
        throw io_error(file_.path().string() + ":" + std::to_string(line()) + ": " + text);
    }

    friend io::expat_calls<tree_reader>;

    void start(char const* name, char const** attributes) {
        if (open_.size() > most_open) fail("elements are nested more than 100 deep");
        xml_element& made = open_.back()->children.emplace_back();
        made.name = name;
        made.line = line();
        for (char const** at = attributes; *at != nullptr; at += 2) made.attributes.emplace(at[0], at[1]);
        // The parent gets no further child until this one is closed, so the pointer stays valid.
        open_.push_back(&made);
    }
    void end(char const*) { open_.pop_back(); }
    void text(char const* characters, std::size_t count) { open_.back()->text.append(characters, count); }

    file_handle file_;
    io::expat_calls<tree_reader> calls_{*this};
    xml_element root_;
    std::vector<xml_element*> open_{&root_};
};

} // namespace

xml_element read_xml(std::filesystem::path const& file) {
    return tree_reader(file).read();
}

} // namespace weft
