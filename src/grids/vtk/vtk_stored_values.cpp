#include <grids/vtk/vtk_stored_values.hpp>

#include <cctype>
#include <utility>

namespace weft {

namespace {

constexpr vtk_stored_type vtk_stored_types[] = {
    {"char", 1, value_type::int8},
    {"signed_char", 1, value_type::int8},
    {"unsigned_char", 1, value_type::uint8},
    {"short", 2, value_type::int16},
    {"unsigned_short", 2, value_type::uint16},
    {"int", 4, value_type::int32},
    {"unsigned_int", 4, value_type::uint32},
    {"long", 8, value_type::int64},
    {"unsigned_long", 8, value_type::uint64},
    {"vtktypeint64", 8, value_type::int64},
    {"vtktypeuint64", 8, value_type::uint64},
    {"float", 4, value_type::float32},
    {"double", 8, value_type::float64},
    {"vtkidtype", 4, value_type::int32}, // for any width of ids in VTK
    {"bit", 0, value_type::uint8},
    // Can only be skipped.
    {"string", -1, std::nullopt},
    {"utf8_string", -1, std::nullopt},
};

class vtk_bit_values final : public value_reader {
public:
    explicit vtk_bit_values(std::unique_ptr<byte_reader> bytes) : bytes_(std::move(bytes)) {}

    void read(std::int64_t first, std::span<std::byte> into) override {
        if (into.empty()) return;
        std::int64_t const end = first + static_cast<std::int64_t>(into.size());
        std::vector<std::byte> bits(static_cast<std::size_t>((end + 7) / 8 - first / 8));
        bytes_->read_all(bits, first / 8);
        for (std::size_t i = 0; i < into.size(); ++i) {
            auto const bit = static_cast<std::size_t>(first % 8) + i;
            into[i] = bits[bit / 8] >> (7 - bit % 8) & std::byte{1};
        }
    }

private:
    std::unique_ptr<byte_reader> bytes_;
};

} // namespace

std::string decoded_vtk_name(std::string const& name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        auto const is_hex = [&](std::size_t at) {
            return at < name.size() && std::isxdigit(static_cast<unsigned char>(name[at])) != 0;
        };
        if (name[i] == '%' && is_hex(i + 1) && is_hex(i + 2)) {
            text += static_cast<char>(std::stoi(name.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            text += name[i];
        }
    }
    return text;
}

std::optional<vtk_stored_type> vtk_type_named(std::string_view name) {
    for (vtk_stored_type const& each : vtk_stored_types)
        if (name == each.name) return each;
    return std::nullopt;
}

std::unique_ptr<value_reader> vtk_bits_of(std::unique_ptr<byte_reader> bytes) {
    return std::make_unique<vtk_bit_values>(std::move(bytes));
}

} // namespace weft
