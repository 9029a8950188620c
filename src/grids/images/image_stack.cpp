#include <grids/images/image_stack.hpp>

#include <grids/grid_formats.hpp>
#include <grids/images/image_pages.hpp>
#include <grids/values/box_copy.hpp>
#include <grids/views/half_grid.hpp>

#include <io/formats/file_ending.hpp>

#include <weft/core/error.hpp>

#include <glob.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

namespace weft {

namespace {

bool is_digit(char each) {
    return std::isdigit(static_cast<unsigned char>(each)) != 0;
}

/// Compares names with their numbers by value: frame2 comes before frame10.
bool comes_before(std::string const& a, std::string const& b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!is_digit(a[i]) || !is_digit(b[j])) {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i;
            ++j;
            continue;
        }
        auto const number = [](std::string const& text, std::size_t& place) {
            while (place < text.size() && text[place] == '0') ++place;
            std::size_t const first = place;
            while (place < text.size() && is_digit(text[place])) ++place;
            return text.substr(first, place - first);
        };
        std::string const left = number(a, i);
        std::string const right = number(b, j);
        if (left.size() != right.size()) return left.size() < right.size();
        if (left != right) return left < right;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;
}

std::string endings_of_images() {
    std::string known;
    for (grid_format const& each : grid_formats())
        if (each.open_pages) known += (known.empty() ? "" : ", ") + io::list_of_endings(each.endings);
    return known;
}

std::vector<std::filesystem::path> in_natural_order(
    std::vector<std::filesystem::path> files, std::string const& of) {
    if (files.empty()) throw io_error(of + ": there are no images; known are " + endings_of_images());
    std::ranges::sort(
        files, [](auto const& a, auto const& b) { return comes_before(a.string(), b.string()); });
    for (auto const& each : files)
        if (grid_format_of(each) != grid_format_of(files[0]))
            throw io_error(of + ": there are " + formats_that_heed(&heeded_options::channel) +
                           " images; say which are meant with a pattern, such as '" +
                           (files[0].parent_path() / "*").string() + files[0].extension().string() + "'");
    return files;
}

std::string describe(page_shape const& page) {
    return std::to_string(page.width) + " x " + std::to_string(page.height) + " pixels of " +
           std::to_string(page.samples) + " " + (page.is_half ? "float16" : name_of(page.type));
}

int channel_of(std::string const& name, int samples, std::string const& file) {
    if (name.empty()) {
        if (samples == 1) return 0;
        throw usage_error(
            file + ": has " + std::to_string(samples) +
            " values a pixel; say which is meant with `channel` red, green, blue or alpha, or 0 "
            "to " +
            std::to_string(samples - 1));
    }
    int channel = -1;
    if (name.size() == 1 && is_digit(name[0])) channel = name[0] - '0';
    if (samples >= 3) {
        char const* const colours[] = {"red", "green", "blue"};
        for (int i = 0; i < 3; ++i)
            if (name == colours[i]) channel = i;
    }
    if (name == "alpha" && (samples == 2 || samples == 4)) channel = samples - 1;
    if (channel < 0 || channel >= samples)
        throw usage_error(
            file + ": has " + std::to_string(samples) + " values a pixel; there is no channel " + name);
    return channel;
}

class image_stack final : public grid_source {
public:
    image_stack(std::vector<std::filesystem::path> files, grid_file_options const& options)
        : files_(std::move(files)),
          open_(open_image(files_.at(0))),
          page_(open_->shape(0)),
          sample_(channel_of(options.channel, page_.samples, files_[0].string())) {
        std::int64_t const planes =
            files_.size() == 1 ? open_->pages() : static_cast<std::int64_t>(files_.size());
        shape_.points = {page_.width, page_.height, planes};
        shape_.type = page_.type;
        shape_.missing = open_->missing();
        number_axes(shape_);
    }

    grid_shape const& shape() const noexcept override { return shape_; }
    [[nodiscard]] bool has_halves() const noexcept { return page_.is_half; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        box<std::int64_t> wanted = points;
        wanted.lo[2] = 0;
        wanted.hi[2] = 1;
        std::size_t const value = size_of(shape_.type);
        std::size_t const plane_bytes = bytes_of(shape_, wanted);
        box<std::int64_t> stored = points_of(shape_);
        stored.hi[2] = 1;
        for (std::int64_t z = points.lo[2]; z < points.hi[2]; ++z) {
            load(z);
            std::byte* const plane = into.data() + static_cast<std::size_t>(z - points.lo[2]) * plane_bytes;
            for_rows(wanted, stored, [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
                std::memcpy(plane + static_cast<std::size_t>(first) * value,
                    plane_.data() + static_cast<std::size_t>(offset) * value,
                    static_cast<std::size_t>(count) * value);
            });
        }
    }

private:
    /// Decodes a plane, unless it is the last one decoded.
    void load(std::int64_t z) {
        if (z == loaded_) return;
        std::size_t const file = files_.size() == 1 ? 0 : static_cast<std::size_t>(z);
        std::int64_t const page = files_.size() == 1 ? z : 0;
        if (file != open_file_) {
            open_ = open_image(files_[file]);
            open_file_ = file;
        }
        std::string const& name = files_[file].string();
        if (files_.size() > 1 && open_->pages() != 1)
            throw io_error(name + ": has " + std::to_string(open_->pages()) +
                           " pages, and is one of several files; label it alone, or split it");
        if (page_shape const here = open_->shape(page); here != page_)
            throw io_error(name + (files_.size() == 1 ? ": page " + std::to_string(page) : "") + ": has " +
                           describe(here) + ", unlike the first image of the stack, which has " +
                           describe(page_));
        if (open_->missing() != shape_.missing)
            throw io_error(name + ": has another value for missing data than the first image of the stack");
        loaded_ = -1;
        plane_.resize(static_cast<std::size_t>(page_.width * page_.height) * size_of(page_.type));
        open_->read(page, sample_, plane_);
        loaded_ = z;
    }

    std::vector<std::filesystem::path> files_;
    std::unique_ptr<image_pages> open_;
    std::size_t open_file_ = 0;
    page_shape page_;
    int sample_;
    grid_shape shape_;
    std::vector<std::byte> plane_;
    std::int64_t loaded_ = -1;
};

} // namespace

std::vector<std::filesystem::path> images_of_folder(std::filesystem::path const& folder) {
    std::vector<std::filesystem::path> found;
    std::error_code failure;
    for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (is_image_name(entry->path())) found.push_back(entry->path());
    if (failure) throw io_error(folder.string() + ": cannot list the folder: " + failure.message());
    return in_natural_order(std::move(found), folder.string());
}

std::vector<std::filesystem::path> images_matching(std::string const& pattern) {
    glob_t matches{};
    std::vector<std::filesystem::path> found;
    if (::glob(pattern.c_str(), 0, nullptr, &matches) == 0)
        for (std::size_t i = 0; i < matches.gl_pathc; ++i)
            if (is_image_name(matches.gl_pathv[i])) found.emplace_back(matches.gl_pathv[i]);
    ::globfree(&matches);
    return in_natural_order(std::move(found), pattern);
}

std::unique_ptr<grid_source> open_image_stack(
    std::vector<std::filesystem::path> files, grid_file_options const& options) {
    if (files.empty()) throw usage_error("a stack of images needs at least one");
    for (std::filesystem::path const& each : files)
        if (!is_image_name(each))
            throw usage_error(each.string() + ": several files are a stack of images, " +
                              endings_of_images() + "; give any other file alone");
    auto stack = std::make_unique<image_stack>(std::move(files), options);
    if (stack->has_halves()) return grid_of_halves(std::move(stack));
    return stack;
}

} // namespace weft
