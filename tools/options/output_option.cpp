#include "options/output_option.hpp"

#include <core/lower_case.hpp>

#include <weft/contouring/write_surface.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <system_error>

namespace weft::tool {

namespace {

constexpr char const* output_type = "OUTPUT"; // by which such options are known again

std::string complaint_about_name(std::string const& file) {
    return file.empty() ? "expected the name of a file, or - for standard output, found nothing" : "";
}

std::string complaint_about_parquet(std::string const& file) {
    return file.ends_with(".parquet") ? file + ": this output is not a table; Parquet has tables only" : "";
}

/// In lower case; empty where the file is a device or a FIFO, whose name says nothing.
std::string ending_of(std::string const& file) {
    std::error_code unknown;
    if (std::filesystem::exists(file, unknown) && !std::filesystem::is_regular_file(file, unknown)) return "";
    return in_lower_case(std::filesystem::path(file).extension().string());
}

std::string complaint_about_labels(std::string const& file) {
    std::string const ending = ending_of(file);
    for (char const* const known : {"", ".vti", ".vtr", ".nrrd", ".nii", ".raw", ".bin"})
        if (ending == known) return "";
    return "expected a file that ends in .vti, .vtr, .nrrd, .nii, .raw or .bin, found " + file;
}

std::string complaint_about_picture(std::string const& file) {
#ifndef WEFT_WITH_PICTURES
    return file + ": this weft was built without pictures; build it with -DWEFT_PICTURES=ON";
#endif
    std::string const ending = ending_of(file);
    return ending.empty() || ending == ".png"
               ? ""
               : "expected a file that ends in .png, as pictures are PNG, found " + file;
}

std::string complaint_about_surface(std::string const& file) {
    std::string const ending = ending_of(file);
    bool const is_table =
        ending == ".csv" || ending == ".tsv" || ending == ".npy" || ending == ".parquet"; // of a flat field
    return ending.empty() || is_surface_suffix(ending) || is_table
               ? ""
               : "expected a file that ends in .vtp, .pvtp, .stl or .ply, found " + file;
}

std::string complaint_about_mesh(std::string const& file) {
    std::string const ending = ending_of(file);
    return ending.empty() || ending == ".vtu" ? "" : "expected a file that ends in .vtu, found " + file;
}

int outputs_below(CLI::App const& command) {
    std::ptrdiff_t found = 0;
    for (CLI::Option const* const each : command.get_options())
        if (each->get_type_name() == output_type)
            found += std::ranges::count(each->results(), std::string("-"));
    for (CLI::App const* const chosen : command.get_subcommands()) found += outputs_below(*chosen);
    return static_cast<int>(found);
}

} // namespace

CLI::Option* names_table(CLI::Option* option) {
    return option->type_name(output_type)->check(CLI::Validator(complaint_about_name, ""));
}

CLI::Option* names_output(CLI::Option* option) {
    return names_table(option)->check(CLI::Validator(complaint_about_parquet, ""));
}

CLI::Option* names_labels(CLI::Option* option) {
    return names_output(option)->check(CLI::Validator(complaint_about_labels, ""));
}

CLI::Option* names_picture(CLI::Option* option) {
    return names_output(option)->check(CLI::Validator(complaint_about_picture, ""));
}

CLI::Option* names_surface(CLI::Option* option) {
    return names_table(option)->check(CLI::Validator(complaint_about_surface, ""));
}

CLI::Option* names_mesh(CLI::Option* option) {
    return names_output(option)->check(CLI::Validator(complaint_about_mesh, ""));
}

int outputs_on_standard_output(CLI::App const& command) {
    CLI::App const* root = &command;
    while (root->get_parent() != nullptr) root = root->get_parent();
    return outputs_below(*root);
}

} // namespace weft::tool
