#include "text_files.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace weft::io {

namespace {

std::vector<std::string> files_of_folder(std::filesystem::path const& folder) {
    std::vector<std::string> found;
    std::error_code failure;
    std::filesystem::directory_iterator entries(folder, failure);
    if (failure) throw io_error(system_complaint(folder, "list", failure.value()));
    for (auto const& each : entries)
        if (each.is_regular_file() && !each.path().filename().string().starts_with('.'))
            found.push_back(each.path().string());
    if (found.empty()) throw io_error(folder.string() + ": expected files in the folder, found none");
    std::ranges::sort(found);
    return found;
}

} // namespace

std::vector<text_file> list_text_files(std::vector<std::string> const& names) {
    std::vector<std::string> paths;
    for (std::string const& name : names) {
        std::error_code unknown;
        if (std::filesystem::is_directory(name, unknown))
            std::ranges::move(files_of_folder(name), std::back_inserter(paths));
        else
            paths.push_back(name);
    }
    std::vector<text_file> files;
    for (std::string& path : paths) {
        file_handle const opened = file_handle::open_to_read(path);
        files.push_back({std::move(path), opened.size(), packing_of(opened)});
    }
    return files;
}

std::vector<file_share> plain_share(
    std::vector<text_file> const& files, std::int64_t begin, std::int64_t end) {
    std::vector<file_share> shares;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].packed != packing::plain) continue;
        std::int64_t const from = std::max(begin - first, std::int64_t{0});
        std::int64_t const to = std::min(end - first, files[i].bytes);
        if (from < to) shares.push_back({i, from, to});
        first += files[i].bytes;
    }
    return shares;
}

std::string place_in_file(text_file const& file, std::int64_t offset) {
    auto const text = open_stream(file_handle::open_to_read(file.path), file.packed);
    std::vector<char> piece(std::size_t{1} << 18);
    std::int64_t line = 1;
    std::int64_t column = 1;
    while (offset > 0) {
        auto const wanted = static_cast<std::size_t>(std::min<std::int64_t>(offset, std::ssize(piece)));
        std::size_t const got = text->read(piece.data(), wanted);
        if (got == 0) break;
        for (std::size_t i = 0; i < got; ++i) {
            bool const begins_character = (static_cast<unsigned char>(piece[i]) & 0xc0U) != 0x80U;
            column = piece[i] == '\n' ? 1 : column + (begins_character ? 1 : 0);
            line += piece[i] == '\n' ? 1 : 0;
        }
        offset -= static_cast<std::int64_t>(got);
    }
    return file.path + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ";
}

} // namespace weft::io
