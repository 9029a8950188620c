#include <meshes/xml_tree.hpp>

#include <files/file_handle.hpp>

#include <weft/core/error.hpp>

#include <expat.h>

#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace weft {

namespace {

struct free_parser {
    void operator()(XML_Parser parser) const noexcept { XML_ParserFree(parser); }
};

class tree_reader {
public:
    explicit tree_reader(std::filesystem::path const& file)
        : file_(file_handle::open_to_read(file)), parser_(XML_ParserCreate(nullptr)) {
        if (!parser_) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(parser_.get(), on_start, on_end);
        XML_SetCharacterDataHandler(parser_.get(), on_text);
    }

    xml_element read() {
        constexpr int piece = 1 << 18;
        std::int64_t offset = 0;
        for (bool more = true; more;) {
            void* const buffer = XML_GetBuffer(parser_.get(), piece);
            if (buffer == nullptr) throw std::bad_alloc();
            std::size_t const got = file_.read(static_cast<char*>(buffer), piece, offset);
            offset += static_cast<std::int64_t>(got);
            more = got > 0;
            XML_Status const status = XML_ParseBuffer(parser_.get(), static_cast<int>(got), more ? 0 : 1);
            if (failure_) std::rethrow_exception(failure_);
            if (status != XML_STATUS_OK)
                fail(std::string("expected well-formed XML, found: ") +
                     XML_ErrorString(XML_GetErrorCode(parser_.get())));
        }
        return std::move(root_.children.front());
    }

private:
    static constexpr std::size_t most_open = 100;

    [[nodiscard]] std::int64_t line() const {
        return static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser_.get()));
    }
    [[noreturn]] void fail(std::string const& text) const {
        throw io_error(file_.path().string() + ":" + std::to_string(line()) + ": " + text);
    }

    // Exceptions must not pass through expat, which is C: they wait in `failure_`.
    template <class Action>
    static void guarded(void* self, Action&& action) noexcept {
        auto& reader = *static_cast<tree_reader*>(self);
        if (reader.failure_) return;
        try {
            action(reader);
        } catch (...) {
            reader.failure_ = std::current_exception();
            XML_StopParser(reader.parser_.get(), XML_FALSE);
        }
    }
    static void on_start(void* self, char const* name, char const** list) {
        guarded(self, [&](tree_reader& reader) {
            if (reader.open_.size() > most_open) reader.fail("elements are nested more than 100 deep");
            xml_element& made = reader.open_.back()->children.emplace_back();
            made.name = name;
            made.line = reader.line();
            for (char const** at = list; *at != nullptr; at += 2) made.attributes.emplace(at[0], at[1]);
            // The parent gets no further child before this one is closed, so the pointer stays good.
            reader.open_.push_back(&made);
        });
    }
    static void on_end(void* self, char const*) {
        guarded(self, [](tree_reader& reader) { reader.open_.pop_back(); });
    }
    static void on_text(void* self, char const* text, int bytes) {
        guarded(self, [&](tree_reader& reader) {
            reader.open_.back()->text.append(text, static_cast<std::size_t>(bytes));
        });
    }

    file_handle file_;
    std::unique_ptr<XML_ParserStruct, free_parser> parser_;
    xml_element root_;
    std::vector<xml_element*> open_{&root_};
    std::exception_ptr failure_;
};

} // namespace

xml_element read_xml(std::filesystem::path const& file) {
    return tree_reader(file).read();
}

} // namespace weft
