#include <grids/hdf5/hdf5_grid.hpp>

#include <grids/formats/array_indices.hpp>
#include <grids/hdf5/hdf5_file.hpp>
#include <grids/values/name_list.hpp>

#include <weft/core/error.hpp>

#include <cstring>
#include <utility>

namespace weft {

namespace {

class hdf5_grid final : public grid_source {
public:
    hdf5_grid(io::hdf5_address const& address, grid_file_options const& options)
        : file_(address.file), step_(options.step) {
        std::vector<std::string> names =
            split_at_commas(address.path.empty() ? options.variable : address.path);
        if (names.size() == 1 && names[0].empty()) names[0] = file_.only_array();
        grid_file_options each_has = options;
        if (names.size() > 1) each_has.vectors = false;
        for (std::string const& name : names) {
            sets_.emplace_back();
            if (name.empty()) continue;
            sets_.back() = file_.open(name);
            take(*sets_.back(), each_has);
        }
        if (!first_) throw usage_error(address.file.string() + ": no dataset is named");
        if (sets_.size() > 1) shape_.components = static_cast<int>(sets_.size());
    }

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        std::vector<std::int64_t> start(first_->size(), 0);
        std::vector<std::int64_t> count(first_->size(), 1);
        for (std::size_t d = 0; d < indices_.in_space; ++d) {
            start[indices_.of_axis(d)] = points.lo[d];
            count[indices_.of_axis(d)] = points.hi[d] - points.lo[d];
        }
        if (indices_.has_step) start[0] = step_;
        if (indices_.has_components) count.back() = shape_.components;
        if (sets_.size() == 1) {
            sets_[0]->read(start, count, into);
            return;
        }
        std::size_t const value = size_of(shape_.type);
        std::vector<std::byte> one(into.size() / sets_.size());
        for (std::size_t component = 0; component < sets_.size(); ++component) {
            if (sets_[component])
                sets_[component]->read(start, count, one);
            else
                std::memset(one.data(), 0, one.size());
            for (std::size_t point = 0; point * value < one.size(); ++point)
                std::memcpy(into.data() + (point * sets_.size() + component) * value,
                    one.data() + point * value, value);
        }
    }

private:
    void take(hdf5_dataset const& set, grid_file_options const& options) {
        if (!first_) {
            first_ = set.lengths();
            shape_.type = set.type();
            indices_ = indices_of(set.lengths(), options, set.name(), shape_);
        } else if (*first_ != set.lengths() || shape_.type != set.type()) {
            throw usage_error(set.name() + ": has other lengths or another type than the first component");
        }
    }

    hdf5_file file_;
    std::int64_t step_;
    std::vector<std::optional<hdf5_dataset>> sets_; // one, or one for each component; empty: zero
    std::optional<std::vector<std::int64_t>> first_;
    array_indices indices_;
    grid_shape shape_;
};

} // namespace

std::unique_ptr<grid_source> open_hdf5_grid(
    io::hdf5_address const& address, grid_file_options const& options) {
    if (!address.path.empty() && !options.variable.empty())
        throw usage_error(address.file.string() + ":" + address.path +
                          ": names a dataset, and so does `variable`; leave one of them out");
    return std::make_unique<hdf5_grid>(address, options);
}

std::vector<std::string> fields_of_hdf5_file(std::filesystem::path const& file) {
    return hdf5_file(file).arrays();
}

} // namespace weft
