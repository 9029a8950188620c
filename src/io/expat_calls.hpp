/// Readers of XML whose callbacks may throw. Private.
#pragma once

#include <expat.h>

#include <exception>
#include <memory>
#include <new>
#include <string>

namespace weft::io {

/// The parser of a reader, which has `start(name, attributes)`, `end(name)` and `text(characters, bytes)`.
/// Exceptions must not pass through expat, which is C: they wait until `read` rethrows them.
template <class Reader>
class expat_calls {
public:
    explicit expat_calls(Reader& reader) : reader_(reader), parser_(XML_ParserCreate(nullptr)) {
        if (!parser_) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(
            parser_.get(),
            [](void* self, char const* name, char const** attributes) {
                guarded(self, [&](Reader& reader) { reader.start(name, attributes); });
            },
            [](void* self, char const* name) { guarded(self, [&](Reader& reader) { reader.end(name); }); });
        XML_SetCharacterDataHandler(parser_.get(), [](void* self, char const* text, int bytes) {
            guarded(self, [&](Reader& reader) { reader.text(text, static_cast<std::size_t>(bytes)); });
        });
    }

    /// Parses what `fill(memory, bytes)` reads, to its end at 0 bytes. Throws what the callbacks throw.
    /// Returns the complaint about XML that is not well-formed, or nothing.
    template <class Fill>
    [[nodiscard]] std::string read(Fill&& fill) {
        constexpr int piece = 1 << 18;
        for (bool more = true; more;) {
            void* const memory = XML_GetBuffer(parser_.get(), piece);
            if (memory == nullptr) throw std::bad_alloc();
            std::size_t const got = fill(static_cast<char*>(memory), std::size_t{piece});
            more = got > 0;
            XML_Status const status = XML_ParseBuffer(parser_.get(), static_cast<int>(got), more ? 0 : 1);
            if (failure_) std::rethrow_exception(failure_);
            if (status != XML_STATUS_OK)
                return std::string("expected well-formed XML, found: ") +
                       XML_ErrorString(XML_GetErrorCode(parser_.get()));
        }
        return {};
    }

    [[nodiscard]] XML_Parser parser() const noexcept { return parser_.get(); }

private:
    struct free_parser {
        void operator()(XML_Parser parser) const noexcept { XML_ParserFree(parser); }
    };

    template <class Action>
    static void guarded(void* self, Action&& action) noexcept {
        auto& calls = *static_cast<expat_calls*>(self);
        if (calls.failure_) return;
        try {
            action(calls.reader_);
        } catch (...) {
            calls.failure_ = std::current_exception();
            XML_StopParser(calls.parser_.get(), XML_FALSE);
        }
    }

    Reader& reader_;
    std::unique_ptr<XML_ParserStruct, free_parser> parser_;
    std::exception_ptr failure_;
};

} // namespace weft::io
