/// The rows of formats. They are separate from the common code of grids, so that programs with values in
/// memory do not link readers of files.
#include <grids/grid_content.hpp>
#include <grids/grid_formats.hpp>
#include <grids/images/image_stack.hpp>

#include <io/formats/file_ending.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <utility>

namespace weft {

namespace {

struct grid_file_field {
    char const* field;
    bool heeded_options::*heeded;
    bool (*is_given)(grid_file_options const& given);
};

constexpr grid_file_field grid_file_fields[] = {
    {"dims", &heeded_options::raw, [](auto const& given) { return given.dims != decltype(given.dims){}; }},
    {"type", &heeded_options::raw, [](auto const& given) { return given.type.has_value(); }},
    {"byte_order", &heeded_options::raw, [](auto const& given) { return given.byte_order.has_value(); }},
    {"header_bytes", &heeded_options::raw, [](auto const& given) { return given.header_bytes != 0; }},
    {"variable", &heeded_options::variable, [](auto const& given) { return !given.variable.empty(); }},
    {"step", &heeded_options::step, [](auto const& given) { return given.step >= 0; }},
    {"channel", &heeded_options::channel, [](auto const& given) { return !given.channel.empty(); }},
};

/// Rejects options that the format ignores.
void refuse_others(
    std::filesystem::path const& file, heeded_options const& heeded, grid_file_options const& given) {
    for (grid_file_field const& each : grid_file_fields)
        if (!(heeded.*each.heeded) && each.is_given(given))
            throw usage_error(file.string() + ": `" + each.field + "` is for " +
                              formats_that_heed(each.heeded) + " files; leave it out");
}

std::unique_ptr<grid_source> open_images(std::vector<std::filesystem::path> files,
    std::filesystem::path const& of, grid_file_options const& given) {
    refuse_others(of, {.channel = true}, given);
    return open_image_stack(std::move(files), given);
}

bool is_pattern(std::filesystem::path const& file) {
    std::error_code ignored;
    return file.string().find_first_of("*?[") != std::string::npos && !std::filesystem::exists(file, ignored);
}

std::string known_endings() {
    std::string known;
    for (grid_format const& each : grid_formats()) known += io::list_of_endings(each.endings) + ", ";
    return known;
}

} // namespace

grid_format const* grid_format_of(std::filesystem::path const& file) {
    grid_format const* found = nullptr;
    std::size_t longest = 0;
    for (grid_format const& each : grid_formats()) {
        if (each.has_name && each.has_name(file)) return &each;
        std::size_t const length = io::ending_among(file, each.endings).size();
        if (length > longest) {
            longest = length;
            found = &each;
        }
    }
    return found;
}

std::string list_of_grid_formats() {
    std::string list;
    for (grid_format const& each : grid_formats()) {
        if (!each.open) continue;
        list.append(list.empty() ? "" : ", ").append(each.name) += " (" + io::list_of_endings(each.endings);
        if (!each.shown.empty()) list.append("; ").append(each.shown);
        list += ')';
    }
    return list;
}

std::string formats_that_heed(bool heeded_options::*option) {
    std::vector<std::string_view> names;
    for (grid_format const& each : grid_formats())
        if (each.heeds.*option) names.push_back(each.name);
    std::string list(names.at(0));
    for (std::size_t i = 1; i < names.size(); ++i)
        list.append(i + 1 < names.size() ? ", " : " and ").append(names[i]);
    return list;
}

std::string ending_of_grid(std::string_view start) {
    for (grid_format const& format : grid_formats()) {
        for (known_start const& each : format.starts)
            if (start.substr(std::min(each.offset, start.size())).starts_with(each.bytes))
                return std::string(each.ending);
        if (!format.ending_of_start) continue;
        if (auto const ending = format.ending_of_start(start); !ending.empty()) return std::string(ending);
    }
    return ".raw";
}

std::unique_ptr<grid_source> open_grid(std::filesystem::path const& file, grid_file_options const& options) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        return open_images(images_of_folder(file), file, options);
    grid_format const* const format = grid_format_of(file);
    bool const is_dataset = format && format->has_name; // its path may have any letters
    if (!is_dataset && is_pattern(file)) return open_images(images_matching(file.string()), file, options);
    if (!format)
        throw usage_error(file.string() + ": cannot tell the format of a file whose name ends in '" +
                          file.extension().string() + "'; known are " + known_endings() +
                          "and folders of images");
    if (!format->open)
        throw usage_error(file.string() + ": this weft was built without " + std::string(format->name) +
                          ", which reads such files; build it with -D" + std::string(format->left_out_by) +
                          "=ON");
    refuse_others(file, format->heeds, options);
    return format->open(file, options);
}

} // namespace weft
