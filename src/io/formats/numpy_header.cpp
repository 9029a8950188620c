#include "numpy_header.hpp"

#include "io/text/scan.hpp"

#include <weft/core/error.hpp>

#include <charconv>
#include <limits>
#include <string>

namespace weft::io {

namespace {

/// The text of the header: a Python dictionary of three keys.
class header_text {
public:
    header_text(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

    numpy_header parse() {
        numpy_header header;
        bool descr = false, order = false, shape = false;
        expect('{');
        while (!take('}')) {
            std::string_view const key = quoted();
            expect(':');
            if (key == "descr" && !descr) {
                read_type(header);
                descr = true;
            } else if (key == "fortran_order" && !order) {
                header.fortran_order = truth();
                order = true;
            } else if (key == "shape" && !shape) {
                header.shape = tuple();
                shape = true;
            } else {
                complain("the keys descr, fortran_order and shape, once", key);
            }
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        if (!descr || !order || !shape) complain("the keys descr, fortran_order and shape, once", rest_);
        return header;
    }

private:
    void skip() {
        while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
    }
    bool take(char c) {
        skip();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!take(c)) complain(in_quotes(std::string_view(&c, 1)), rest_);
    }
    std::string_view quoted() {
        skip();
        char const quote = rest_.empty() ? '\0' : rest_[0];
        std::size_t const end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : rest_.npos;
        if (end == rest_.npos) complain("a text in quotes", rest_);
        std::string_view const text = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool truth() {
        skip();
        for (std::string_view const word : {"True", "False"})
            if (rest_.starts_with(word)) {
                rest_.remove_prefix(word.size());
                return word == "True";
            }
        complain("True or False", rest_);
    }
    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> numbers;
        expect('(');
        while (!take(')')) {
            skip();
            std::int64_t number = -1;
            auto const [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
            if (failure != std::errc{} || number < 0) complain("a size of at least 0", rest_);
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            numbers.push_back(number);
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        return numbers;
    }
    /// "<i8": byte order, kind, bytes.
    void read_type(numpy_header& header) {
        skip();
        if (!rest_.starts_with('\'') && !rest_.starts_with('"')) complain("one type for all items", rest_);
        std::string_view const type = quoted();
        bool const sound = type.size() == 3 && std::string_view("<>|=").find(type[0]) != type.npos &&
                           std::string_view("biuf").find(type[1]) != type.npos &&
                           std::string_view("1248").find(type[2]) != type.npos;
        bool const exists = sound && (type[1] != 'b' || type[2] == '1') && (type[1] != 'f' || type[2] != '1');
        if (!exists) complain("integers, truth values or floating point of up to 8 bytes", type);
        header.big_endian = type[0] == '>';
        header.kind = type[1];
        header.item_bytes = type[2] - '0';
    }
    [[noreturn]] void complain(std::string const& expected, std::string_view found) const {
        throw io_error(
            file_ + ": expected " + expected + " in the header of a NumPy file, found " + in_quotes(found));
    }

    std::string_view rest_;
    std::string file_;
};

/// The bytes of all items; -1 where they are more than 64 bits count.
std::int64_t bytes_of(numpy_header const& header) {
    std::int64_t bytes = header.item_bytes;
    for (std::int64_t const size : header.shape)
        if (size == 0) return 0;
    for (std::int64_t const size : header.shape) {
        if (bytes > std::numeric_limits<std::int64_t>::max() / size) return -1;
        bytes *= size;
    }
    return bytes;
}

} // namespace

numpy_header read_numpy_header(file_handle const& file) {
    std::string const name = file.path().string();
    std::string start(12, '\0');
    start.resize(file.read(start.data(), start.size(), 0));
    if (start.size() < 10 || !start.starts_with(numpy_magic))
        throw io_error(name + ": expected a NumPy file, found " + in_quotes(start.substr(0, 6)));
    auto const byte = [&](std::size_t at) {
        return static_cast<std::size_t>(static_cast<unsigned char>(start[at]));
    };
    std::size_t const version = byte(6);
    if (version < 1 || version > 3)
        throw io_error(
            name + ": expected version 1, 2 or 3 of NumPy's format, found " + std::to_string(version));
    std::size_t const length_bytes = version == 1 ? 2 : 4;
    std::size_t length = 0;
    for (std::size_t i = 0; i < length_bytes && 8 + i < start.size(); ++i) length |= byte(8 + i) << 8 * i;
    auto const data = static_cast<std::int64_t>(8 + length_bytes + length);
    if (data > file.size())
        throw io_error(
            name + ": expected a header of " + std::to_string(length) + " bytes, found the end of the file");
    std::string text(length, '\0');
    text.resize(file.read(text.data(), length, static_cast<std::int64_t>(8 + length_bytes)));
    numpy_header header = header_text(text, name).parse();
    header.data = data;
    std::int64_t const bytes = bytes_of(header);
    if (bytes < 0 || bytes != file.size() - data)
        throw io_error(name + ": expected " + (bytes < 0 ? "fewer than 2^63" : std::to_string(bytes)) +
                       " bytes of items behind the header, found " + std::to_string(file.size() - data));
    return header;
}

} // namespace weft::io
