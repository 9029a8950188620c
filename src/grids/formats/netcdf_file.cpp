#include <grids/formats/netcdf_file.hpp>

#include <grids/formats/netcdf_classic.hpp>

#include <weft/core/error.hpp>

#include <netcdf.h>

#include <sstream>
#include <unordered_set>

namespace weft {

netcdf_file::netcdf_file(std::filesystem::path const& path) : name_(path.string()) {
    check_netcdf_classic(path);
    check(nc_open(name_.c_str(), NC_NOWRITE, &id_), "read");
}

netcdf_file::~netcdf_file() {
    nc_close(id_);
}

void netcdf_file::check(int status, std::string const& what) const {
    if (status != NC_NOERR) throw io_error(name_ + ": cannot " + what + ": " + nc_strerror(status));
}

int netcdf_file::variables() const {
    int count = 0;
    check(nc_inq_nvars(id_, &count), "read the variables of");
    return count;
}

int netcdf_file::variable_named(std::string const& name) const noexcept {
    int variable = -1;
    return nc_inq_varid(id_, name.c_str(), &variable) == NC_NOERR ? variable : -1;
}

std::string netcdf_file::name_of(int variable) const {
    char name[NC_MAX_NAME + 1] = {};
    check(nc_inq_varname(id_, variable, name), "read a variable of");
    return name;
}

std::string netcdf_file::dimension_name(int dimension) const {
    char name[NC_MAX_NAME + 1] = {};
    check(nc_inq_dimname(id_, dimension, name), "read a dimension of");
    return name;
}

variable_shape netcdf_file::shape_of(int variable) const {
    variable_shape found;
    int count = 0;
    check(nc_inq_varndims(id_, variable, &count), "read a variable of");
    found.ids.resize(static_cast<std::size_t>(count));
    check(nc_inq_vardimid(id_, variable, found.ids.data()), "read a variable of");
    check(nc_inq_vartype(id_, variable, &found.type), "read a variable of");
    for (int const id : found.ids) {
        std::size_t length = 0;
        check(nc_inq_dimlen(id_, id, &length), "read a dimension of");
        found.lengths.push_back(length);
    }
    return found;
}

std::string netcdf_file::text_of(int variable, char const* attribute) const {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    if (nc_inq_att(id_, variable, attribute, &type, &length) != NC_NOERR) return {};
    if (type == NC_STRING && length == 1) {
        char* text = nullptr;
        check(nc_get_att_string(id_, variable, attribute, &text), "read an attribute of");
        std::string const found = text == nullptr ? "" : text;
        nc_free_string(1, &text);
        return found;
    }
    if (type != NC_CHAR) return {};
    std::string text(length, '\0');
    check(nc_get_att_text(id_, variable, attribute, text.data()), "read an attribute of");
    return text.substr(0, text.find('\0'));
}

std::vector<std::string> netcdf_file::words_of(int variable, char const* attribute) const {
    std::istringstream text(text_of(variable, attribute));
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    return words;
}

std::optional<value_type> netcdf_file::type_of(int variable) const {
    nc_type type = NC_NAT;
    check(nc_inq_vartype(id_, variable, &type), "read a variable of");
    bool const is_unsigned = text_of(variable, "_Unsigned") == "true";
    // Types without and with the attribute.
    struct {
        nc_type type;
        value_type usual, with_unsigned;
    } constexpr types[] = {{NC_BYTE, value_type::int8, value_type::uint8},
        {NC_CHAR, value_type::uint8, value_type::uint8}, {NC_UBYTE, value_type::uint8, value_type::uint8},
        {NC_SHORT, value_type::int16, value_type::uint16},
        {NC_USHORT, value_type::uint16, value_type::uint16}, {NC_INT, value_type::int32, value_type::uint32},
        {NC_UINT, value_type::uint32, value_type::uint32}, {NC_INT64, value_type::int64, value_type::uint64},
        {NC_UINT64, value_type::uint64, value_type::uint64},
        {NC_FLOAT, value_type::float32, value_type::float32},
        {NC_DOUBLE, value_type::float64, value_type::float64}};
    for (auto const& each : types)
        if (each.type == type) return is_unsigned ? each.with_unsigned : each.usual;
    return {};
}

std::vector<std::string> grids_of(netcdf_file const& file) {
    int const count = file.variables();
    std::unordered_set<std::string> helpers;
    for (int variable = 0; variable < count; ++variable)
        for (char const* const attribute : {"bounds", "climatology", "coordinates"})
            for (std::string const& word : file.words_of(variable, attribute)) helpers.insert(word);
    std::vector<std::string> found;
    for (int variable = 0; variable < count; ++variable) {
        std::string const name = file.name_of(variable);
        if (file.shape_of(variable).ids.size() >= 2 && !helpers.contains(name)) found.push_back(name);
    }
    return found;
}

std::string names_of_grids(netcdf_file const& file) {
    std::string all;
    for (std::string const& name : grids_of(file)) all += (all.empty() ? "" : ", ") + name;
    return all.empty() ? "none of two dimensions or more" : all;
}

} // namespace weft
