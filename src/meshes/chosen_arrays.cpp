#include <meshes/chosen_arrays.hpp>

#include <weft/core/error.hpp>

namespace weft {

namespace {

mesh_array const& array_named(
    std::string const& file, std::vector<mesh_array> const& all, std::string const& name) {
    std::string known;
    for (mesh_array const& each : all) {
        if (each.what.name == name) return each;
        known += (known.empty() ? "" : ", ") + each.what.name;
    }
    throw usage_error(
        file + ": has no values called '" + name + "'; there are " + (known.empty() ? "none" : known));
}

mesh_array const* field_of(
    std::string const& file, std::vector<mesh_array> const& all, mesh_request const& wanted) {
    bool const may_be_of_cells = wanted.field_may_be_of_cells;
    if (wanted.field->empty()) {
        for (mesh_array const& each : all)
            if (each.what.components == 1 && (!each.of_cells || may_be_of_cells)) return &each;
        if (wanted.field_may_be_absent) return nullptr;
        throw usage_error(
            file + ": has no array of single values" + (may_be_of_cells ? "" : " at its points"));
    }
    mesh_array const& found = array_named(file, all, *wanted.field);
    if (found.what.components != 1)
        throw usage_error(file + ": '" + *wanted.field + "' has " + std::to_string(found.what.components) +
                          " values each; expected an array of single values");
    if (found.of_cells && !may_be_of_cells)
        throw usage_error(file + ": '" + *wanted.field + "' has values of cells; expected values of points");
    return &found;
}

} // namespace

std::vector<mesh_array> chosen_arrays(
    std::string const& file, std::vector<mesh_array> const& all, mesh_request const& wanted) {
    if (wanted.all) return all;
    std::vector<mesh_array> chosen;
    if (wanted.field)
        if (mesh_array const* const found = field_of(file, all, wanted)) chosen.push_back(*found);
    for (std::string const& each : wanted.carried) chosen.push_back(array_named(file, all, each));
    return chosen;
}

} // namespace weft
